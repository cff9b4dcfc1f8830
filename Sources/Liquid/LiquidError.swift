public import Values

/// All that is wrong with a template; no part of it is rendered.
public struct LiquidComplaints: Error, Sendable, Hashable {
    /// In the order of the source; spans are UTF-8 offsets into the template. What is wrong inside a partial is told at offset 0,
    /// with the partial's name and the place in it in the message.
    public let complaints: [Complaint]

    /// - Parameter complaints: at least one.
    public init(_ complaints: [Complaint]) { self.complaints = complaints }
}

/// Why a template that was parsed could not be rendered with these variables.
public struct LiquidError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble it is, for hosts that tell them apart.
    public enum Reason: String, Sendable {
        /// A value that is printed or filtered is not there (strict templates only).
        case missing
        /// A filter or an operator was given what it cannot work with: a division by zero, a text compared with a number.
        case unsuitable
        /// One of `LiquidLimits` is reached.
        case limit
        /// A partial named by a variable does not exist.
        case noPartial
    }

    /// The kind of trouble.
    public let reason: Reason
    /// Where, as UTF-8 offsets into the template, or into the partial if there is one.
    public let span: Range<Int>
    /// What happened, in one line without a full stop; names of fields and filters, never their values.
    public let message: String
    /// The partial in which it happened; nil for the template itself.
    public let partial: String?

    /// - Parameter span: UTF-8 offsets into the template, or into `partial`.
    public init(_ reason: Reason, at span: Range<Int>, _ message: String, partial: String? = nil) {
        self.reason = reason
        self.span = span
        self.message = message
        self.partial = partial
    }

    /// The message, with the partial's name before it if there is one.
    public var description: String { partial.map { "partial '\($0)': \(message)" } ?? message }
}
