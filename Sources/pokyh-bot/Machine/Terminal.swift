import Glibc
import Synchronization

/// Standard output and standard error, written whole line by whole line.
struct Terminal: Sendable {
    /// Lines of two tasks never mix.
    private static let lock = Mutex(())

    let isTerminal: Bool
    let hasColours: Bool

    /// - Parameter environment: `NO_COLOR` (https://no-color.org) and `TERM=dumb` turn colours off.
    init(environment: [String: String]) {
        isTerminal = isatty(STDOUT_FILENO) == 1
        let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        hasColours = isTerminal && !isPlain
    }

    /// False where standard output did not take it: a closed pipe, a full disk.
    @discardableResult func print(_ line: String) -> Bool { Self.write(line + "\n", to: STDOUT_FILENO) }
    /// Where standard error takes nothing, there is nobody left to tell.
    func error(_ line: String) { _ = Self.write(line + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        lock.withLock { _ in
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if written < 0 && errno == EINTR { continue }
                if written <= 0 { return false }
                bytes = bytes.dropFirst(written)
            }
            return true
        }
    }
}

/// Texts of the school on a terminal: they must neither steer it nor begin new lines.
enum TerminalText {
    /// One line: control characters and line ends are blanks, blanks at the end go, and so do characters that turn the direction of what
    /// follows (Unicode Standard Annex 9): a name with one of them would write over the columns beside it.
    static func line(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            let isLineEnd = (0x2028...0x2029).contains(scalar.value)
            if (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) { continue }
            scalars.append(isControl || isLineEnd ? " " : scalar)
        }
        while scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }
}
