import CEL
import Foundation
import Testing
import Values

/// The exact text of complaints about what people really type: `Golden/mistakes.txt`.
@Suite struct MistakeTests {
    static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "Golden/mistakes.txt"
    )

    /// One mistake of the golden file: the expression, and all that is said of it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let source: String
        let text: String
        var testDescription: String { source }
    }

    static let mistakes: [Mistake] = {
        guard let text = try? String(contentsOf: golden, encoding: .utf8) else { return [] }
        return text.components(separatedBy: "\n\n").filter { $0.hasPrefix("> ") }.map { block in
            let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let source = lines.prefix { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
            let rest = lines.dropFirst(source.count).filter { !$0.isEmpty }
            return Mistake(source: source.joined(separator: "\n"), text: rest.joined(separator: "\n"))
        }
    }()

    @Test func `there are at least forty mistakes in the golden file`() {
        #expect(Self.mistakes.count >= 40)
    }

    /// With `CEL_RECORD=1` in the environment the file is written anew, to be read through before it is committed.
    @Test func `every mistake is told in exactly these words`() throws {
        let written =
            Self.mistakes.map { mistake in
                let source = mistake.source.split(separator: "\n").map { "> \($0)" }.joined(separator: "\n")
                return source + "\n" + Self.complaints(about: mistake.source)
            }.joined(separator: "\n\n") + "\n"
        if ProcessInfo.processInfo.environment["CEL_RECORD"] == "1" {
            try written.write(to: Self.golden, atomically: true, encoding: .utf8)
        }
        for mistake in Self.mistakes {
            #expect(Self.complaints(about: mistake.source) == mistake.text, "\(mistake.source)")
        }
    }

    @Test(arguments: mistakes)
    func `every complaint points into its expression`(mistake: Mistake) {
        for complaint in Self.found(in: mistake.source) {
            #expect(complaint.span.upperBound <= mistake.source.utf8.count)
            #expect(!complaint.message.isEmpty && !complaint.message.hasSuffix("."))
        }
    }

    private static func found(in source: String) -> [Complaint] {
        do throws(CELComplaints) {
            return try CELProgram.compile(source, in: School.environment, expecting: .bool).warnings
        } catch {
            return error.complaints
        }
    }

    static func complaints(about source: String) -> String {
        let found = found(in: source)
        return found.isEmpty ? "no complaint" : found.map { rendered($0, source) }.joined(separator: "\n")
    }

    /// Message, source line, caret over the whole span, cures.
    private static func rendered(_ complaint: Complaint, _ source: String) -> String {
        let bytes = Array(source.utf8)
        let lineStart = bytes[..<min(complaint.span.lowerBound, bytes.count)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let lineEnd = bytes[lineStart...].firstIndex(of: 0x0A) ?? bytes.count
        func width(_ range: Range<Int>) -> Int { String(decoding: bytes[range], as: UTF8.self).count }
        let indent = String(repeating: " ", count: width(lineStart..<complaint.span.lowerBound))
        let end = max(complaint.span.lowerBound, min(complaint.span.upperBound, lineEnd))
        let caret = String(repeating: "^", count: max(1, width(complaint.span.lowerBound..<end)))
        let line = String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self)
        let lines = ["\(complaint.severity.rawValue): \(complaint.message)", "    \(line)", "    \(indent)\(caret)"]
        return (lines + complaint.cures.map { "  \($0)" }).joined(separator: "\n")
    }
}
