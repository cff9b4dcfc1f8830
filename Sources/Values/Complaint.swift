/// One thing that is wrong with a text somebody wrote: a rule file, a condition in it, a message template.
///
/// Every reader of the house complains in this form, so that all complaints are shown alike: place, source line, caret over the
/// whole span, what is wrong, how to mend it. Whoever embeds one text in another (a condition in a rule file) moves the span.
public struct Complaint: Error, Sendable, Hashable {
    /// How bad it is.
    public enum Severity: String, Sendable {
        /// The text cannot be used.
        case error
        /// It can be used, but hardly means what its author thinks.
        case warning
    }

    public var severity: Severity
    /// Where, as UTF-8 offsets into the text complained of; an empty range points between two characters.
    public var span: Range<Int>
    /// What is wrong, in one line without a full stop: `event 'grade.added' has no field 'grade.valu'`.
    public var message: String
    /// How to mend it, a line each: `did you mean 'grade.value'?`.
    public var cures: [String]

    public init(_ severity: Severity = .error, at span: Range<Int>, _ message: String, cures: [String] = []) {
        self.severity = severity
        self.span = span
        self.message = message
        self.cures = cures
    }
}
