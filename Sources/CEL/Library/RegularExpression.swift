import CRE2

/// A compiled regular expression in RE2's syntax, matched in time linear in the text.
///
/// Safe to share: RE2 objects are immutable after construction and documented as thread-safe, and the pointer never changes.
final class RegularExpression: @unchecked Sendable {
    private let handle: OpaquePointer
    /// Instructions of the program: a measure of what matching costs.
    let size: Int

    struct Mistake: Error {
        let reason: String
    }

    /// A program of more memory is refused: `(a{1000}){1000}` would fill any machine.
    static let memoryLimit: Int64 = 1 << 20

    init(_ pattern: String) throws(Mistake) {
        var pattern = pattern
        var reason: [CChar] = Array(repeating: 0, count: 200)
        let compiled = pattern.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                reason.withUnsafeMutableBufferPointer { buffer in
                    cre2_compile(text.baseAddress, text.count, Self.memoryLimit, buffer.baseAddress, buffer.count)
                }
            }
        }
        guard let compiled else {
            let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Mistake(reason: String(decoding: bytes, as: UTF8.self))
        }
        handle = compiled
        size = Int(cre2_program_size(compiled))
    }

    deinit { cre2_free(handle) }

    /// Whether it matches anywhere in a text.
    @inline(__always)
    func matches(_ text: String) -> Bool {
        if let found = text.utf8.withContiguousStorageIfAvailable(matches) { return found }
        return Array(text.utf8).withUnsafeBufferPointer(matches)
    }

    private func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withMemoryRebound(to: CChar.self) { cre2_matches(handle, $0.baseAddress, $0.count) }
    }

    /// What one match costs: the program may go through all its instructions for every byte, and mostly needs far less.
    func cost(of text: String) -> Int { text.utf8.count / 10 * (1 + size / 16) + 1 }
}
