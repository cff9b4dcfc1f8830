/// Where lines for the admin go.
///
/// Levels: `error`: something is lost or needs a person now; `warning`: something failed that will be tried again or that an admin
/// should look at; `info`: what an admin wants to see of a healthy day (start, stop, a source that recovered); `debug`: all that
/// helps to find a fault, personal data included. Normal polls and deliveries are silent above `debug`. Names of students, texts of
/// messages and recipients appear at `debug` alone.
public struct Log: Sendable {
    /// How much a line matters, least first; see the type for what belongs where.
    public enum Level: Int, Sendable, Comparable, CaseIterable {
        case debug, info, warning, error
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let least: Level
    private let write: @Sendable (Level, String) -> Void

    /// - Parameter least: lines below it are not even put together.
    public init(least: Level = .debug, _ write: @escaping @Sendable (Level, String) -> Void) {
        self.least = least
        self.write = write
    }

    /// Swallows everything; for tests that look at other things.
    public static let silent = Log(least: .error) { _, _ in }

    /// Writes one line.
    public func callAsFunction(_ level: Level, _ line: @autoclosure () -> String) {
        if level >= least { write(level, line()) }
    }
}
