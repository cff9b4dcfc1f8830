public import BotCore
public import Values

/// Recorded events once more, through edited rules: what would be sent now. Nothing is sent.
public enum RuleReplay {
    /// What a book would have told.
    public struct Line: Sendable, Hashable {
        public var rule: String
        public var sink: String
        public var recipients: [String]
        public var title: String
        /// When it would have been told.
        public var at: Timestamp

        public init(rule: String, sink: String, recipients: [String], title: String, at now: Timestamp) {
            self.rule = rule
            self.sink = sink
            self.recipients = recipients
            self.title = title
            at = now
        }

        /// The same message, whenever it is told.
        fileprivate var isSaidAs: [String] { [rule, sink, title] + recipients }
    }

    /// Plays events through a book in the order in which they were seen, keeping every deadline of its policies, up to `end`.
    ///
    /// - Parameter snapshots: what is known now; only `school_day` and `within` read it.
    public static func lines(
        of events: [Event],
        through book: RuleBook,
        until end: Timestamp,
        snapshots: [String: SourceView] = [:]
    ) -> [Line] {
        var play = Play(book: book, snapshots: snapshots)
        let moments = Dictionary(grouping: events, by: \.at).sorted { $0.key < $1.key }
        for (moment, events) in moments {
            play.run(before: moment)
            play.decide(events, at: moment)
        }
        play.run(before: end)
        return play.lines
    }

    /// What the second book would tell that the first does not, and the other way round.
    public static func difference(_ old: [Line], _ new: [Line]) -> (more: [Line], less: [Line]) {
        (rest(of: new, without: old), rest(of: old, without: new))
    }

    private static func rest(of lines: [Line], without others: [Line]) -> [Line] {
        var counts: [[String]: Int] = [:]
        for line in others { counts[line.isSaidAs, default: 0] += 1 }
        return lines.filter { line in
            guard let count = counts[line.isSaidAs], count > 0 else { return true }
            counts[line.isSaidAs] = count - 1
            return false
        }
    }

    private struct Play {
        let book: RuleBook
        let snapshots: [String: SourceView]
        var memory: [String: Value] = [:]
        var deadline: Timestamp?
        var told: Set<String> = []
        var lines: [Line] = []

        mutating func run(before end: Timestamp) {
            while let due = deadline, due < end { decide([], at: due) }
        }

        mutating func decide(_ events: [Event], at now: Timestamp) {
            let context = RuleContext(now: now, snapshots: snapshots, memory: memory)
            let decision = book.decide(on: events, in: context)
            memory.merge(decision.memory) { _, new in new }
            memory = memory.filter { !$0.value.isNull }
            deadline = decision.deadline
            for message in decision.messages where told.insert(message.id).inserted {
                lines.append(
                    Line(
                        rule: message.rule,
                        sink: message.sink,
                        recipients: message.recipients,
                        title: message.title.plain,
                        at: now
                    )
                )
            }
        }
    }
}
