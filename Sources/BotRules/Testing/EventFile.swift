public import BotCore
import StrictYAML
public import Values

/// An event that a person wrote, to see what a rule makes of it.
public enum EventFile {
    /// Reads one event in the form in which rule tests write theirs: `{event: lesson.cancelled, lesson: {subject: MAT}}`, in YAML or JSON,
    /// which is YAML too. What is not told is empty or usual; an event without a source is one of the first source that has such events.
    ///
    /// - Parameters:
    ///   - book: the rules in use; it knows the sources.
    ///   - now: when it happens.
    /// - Returns: the event, or nil where it cannot be read; and what is wrong with the file, nil for nothing.
    public static func read(_ file: SourceFile, for book: RuleBook, at now: Timestamp) -> (
        event: Event?, complaints: FileComplaints?
    ) {
        let document = YAMLDocument.read(bytes: file.bytes, file: file.path)
        var reader = RuleTestReader(vocabulary: book.vocabulary, rules: book.rules, inactive: [])
        reader.complaints = document.complaints
        let event = document.root.flatMap { reader.readEvent($0, at: now) }
        guard !reader.complaints.isEmpty else { return (event, nil) }
        let complaints = FileComplaints(source: document.source, complaints: reader.complaints)
        return (complaints.hasErrors ? nil : event, complaints)
    }
}
