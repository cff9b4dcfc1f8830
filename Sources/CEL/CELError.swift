public import Values

/// Why an expression gave no value. Neither true nor false: the host decides what that means.
public struct CELError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, for programs.
    public enum Kind: String, Sendable {
        /// A map, record or list has nothing under the key, field or index.
        case missing
        /// No overload of a function takes values of these kinds.
        case noSuchOverload
        case divisionByZero
        /// A whole number left the 64 bits that it has.
        case overflow
        /// A timestamp, duration, index or number is outside its range.
        case outOfRange
        /// A text is no number, date, regular expression, …
        case invalidArgument
        /// A name has no value in this activation.
        case unbound
        /// The cost limit of the environment was reached.
        case costLimit
        /// A function of the host failed.
        case host
    }

    /// What went wrong, for programs.
    public let kind: Kind
    /// What happened, in one line without a full stop: `no such key 'room'`.
    public let message: String
    /// Which part of the expression failed, as UTF-8 offsets into its source; empty where no part is known.
    public var span: Range<Int>

    /// An error of a host's function has no place yet; it gets that of the call.
    public init(_ kind: Kind, _ message: String, span: Range<Int> = 0..<0) {
        self.kind = kind
        self.message = message
        self.span = span
    }

    /// The message alone.
    public var description: String { message }
}

/// Everything that is wrong with an expression, in the order of the source.
public struct CELComplaints: Error, Sendable, Hashable {
    /// At least one; spans are UTF-8 offsets into the expression. The host renders line and caret.
    public let complaints: [Complaint]

    /// - Parameter complaints: at least one.
    public init(_ complaints: [Complaint]) { self.complaints = complaints }
}
