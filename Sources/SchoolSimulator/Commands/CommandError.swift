/// Why a command was not understood or cannot be done, and how to put it right.
public struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in one line without a full stop: `there is no subject 'MATH'`.
    public let message: String
    /// How to mend it, a line each.
    public let cures: [String]

    init(_ message: String, cures: [String?] = []) {
        self.message = message
        self.cures = cures.compactMap { $0 }
    }

    /// Message and cures, a line each.
    public var description: String { ([message] + cures.map { "  " + $0 }).joined(separator: "\n") }
}
