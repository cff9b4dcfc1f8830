import BotCore
import BotRules
import BotState
import Values

/// What the journal keeps, for the commands that ask about what happened.
enum RecordedEvents {
    /// The engine prunes what is older.
    static let kept = TimeSpan.days(30)
    /// More than any school makes in 30 days: enough for all, and a bound for a damaged file.
    static let most = 1_000_000
    /// The beginning of an id is enough where it is this long and belongs to one event alone.
    private static let shortestPrefix = 6

    /// The events of the last 30 days, latest first.
    static func all(in store: SQLiteStore, at now: Timestamp) async throws(StateError) -> [Event] {
        try await store.events(since: now - kept, limit: most)
    }

    /// The event with an id, or with an id that begins so.
    static func find(_ id: String, among events: [Event]) -> Event? {
        if let event = events.first(where: { $0.id == id }) { return event }
        guard id.count >= shortestPrefix else { return nil }
        let found = events.filter { $0.id.hasPrefix(id) }
        return found.count == 1 ? found[0] : nil
    }

    static func unknown(_ id: String, command: String) -> CommandFailure {
        CommandFailure(
            UsageError(
                message: "no event '\(id)' happened in the last 30 days",
                cure: "'pokyh-bot history' lists the events with their ids"
            ),
            command: command
        )
    }

    /// The deliveries that tell of one event alone: those that the rules would make of it under the same ids, and those that were made
    /// for its record when it was seen.
    static func deliveries(of event: Event, among deliveries: [Delivery], _ book: RuleBook) -> [Delivery] {
        let messages = Set(book.decide(on: [event], in: RuleContext(now: event.at)).messages.map(\.id))
        let orderKey = "\(event.source)/\(event.record.key)"
        return deliveries.filter { delivery in
            let payload = delivery.payload
            return messages.contains(payload.message) || payload.orderKey == orderKey && payload.createdAt == event.at
        }
    }

    /// The first line of a message; one that begins with the sink's name, as a `prefix:` may have it, does without it.
    static func title(of payload: Payload) -> String {
        let title = payload.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let prefix = "\(payload.sink): "
        return title.hasPrefix(prefix) ? String(title.dropFirst(prefix.count)) : title
    }

    /// When an event was seen, and what it was, in one line.
    static func title(of event: Event, zone: Zone) -> String {
        let (date, time) = zone.reading(at: event.at)
        return "\(date) \(time)  \(words(for: event))"
    }

    /// One line that names an event: its id, what, from where, and the fields that people know it by.
    static func words(for event: Event) -> String {
        let parts = ["subject", "date", "name", "title", "error"].compactMap { event.record.fields[$0]?.plainText }
            .filter { !$0.isEmpty }
        let student = event.student.name.isEmpty ? "" : " (\(event.student.name))"
        let about = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
        // News of the bot's own health come from no source.
        let source = event.source.isEmpty ? "" : " from \(event.source)"
        return TerminalText.line("\(event.id) \(event.kind)\(source)\(student)\(about)")
    }
}

extension StateReading {
    /// What the rules may know now: the last good snapshots that they read, and what their policies remember.
    static func context(
        for book: RuleBook,
        in store: SQLiteStore,
        at now: Timestamp
    ) async throws(StateError) -> RuleContext {
        var context = RuleContext(now: now, memory: try await store.policyMemory())
        for source in book.readSources { context.snapshots[source] = try await store.view(of: source) }
        return context
    }
}

extension RuleBook {
    /// The summary of a rule; an unknown id ends the command with the nearest one.
    func summary(of id: String, command: String) throws(CommandFailure) -> RuleSummary {
        if let found = summary.first(where: { $0.id == id }) { return found }
        throw CommandFailure(
            UsageError(
                message: "there is no rule '\(id)' without errors",
                cure: Spelling.question(about: id, among: summary.map(\.id)) ?? "'pokyh-bot check' lists the rules"
            ),
            command: command
        )
    }
}
