import BotCore
import BotRules
import BotState
import Values

/// A sample of what a rule tells: of the latest thing that it would have told, as long as is wanted.
struct RuleSample {
    enum Size: String, CaseIterable {
        case short
        /// Free texts are longer than any sink takes in one piece.
        case long
    }

    let rule: RuleSummary
    let size: Size
    let book: RuleBook
    let sources: [SourceEntry]

    /// The first of some candidates that the rule tells something of; nil if it tells of none.
    ///
    /// - Parameters:
    ///   - recorded: events of the journal, latest first.
    func event(recorded: [Event], in context: RuleContext) -> Event? {
        let own = recorded.filter { rule.kinds.contains($0.kind) }
        for candidate in own + made(from: context.snapshots, at: context.now) {
            let event = stretched(candidate)
            if !PreviewOccasion.event(event).outcome(of: rule.id, in: book, context).messages.isEmpty { return event }
        }
        return nil
    }

    /// An event of each kind for each stored record, as if it had just happened; then for records with nothing in them.
    private func made(from views: [String: SourceView], at now: Timestamp) -> [Event] {
        var events: [Event] = []
        for source in sources {
            let view = views[source.name]
            for declaration in source.schema.events where rule.kinds.contains(declaration.kind) {
                guard let shape = source.schema.records.first(where: { $0.name == declaration.record }) else {
                    continue
                }
                let known = (view?.records ?? []).filter { $0.type == shape.name }
                for record in known + [Self.invented(shape, at: now)] {
                    events.append(event(declaration.kind, record, of: source, view, at: now))
                }
            }
        }
        return events
    }

    private func event(
        _ kind: String,
        _ record: Record,
        of source: SourceEntry,
        _ view: SourceView?,
        at now: Timestamp
    ) -> Event {
        let id = "sample/\(kind)/\(source.name)/\(record.key)"
        return Event(
            id: id,
            worldID: id,
            kind: kind,
            at: now,
            source: source.name,
            account: source.account ?? "",
            student: view?.student ?? .nobody,
            record: record,
            old: nil,
            changes: [],
            revision: 1
        )
    }

    /// A record with something in every field.
    private static func invented(_ shape: RecordShape, at now: Timestamp) -> Record {
        let start = now + .days(1)
        let pairs = shape.fields.map { field -> (Value, Value) in
            (.string(field.name), value(of: field.shape, named: field.name, at: start))
        }
        return Record(key: "sample", type: shape.name, date: Zone.utc.date(at: start), fields: ValueMap(pairs))
    }

    private static func value(of shape: Shape, named name: String, at start: Timestamp) -> Value {
        switch shape {
        case .bool: .bool(false)
        case .int: .int(1)
        case .uint: .uint(1)
        case .double: .double(1)
        case .string where name.hasSuffix("date"): .string(Zone.utc.date(at: start).description)
        case .string, .any: .string(name)
        case .bytes: .bytes([])
        case .timestamp: .timestamp(start)
        case .duration: .duration(.hours(1))
        case .list(let element): .list([value(of: element, named: name, at: start)])
        case .map, .record: .map(ValueMap())
        }
    }

    // MARK: Long

    /// Fields in which people write what they like; rules do not ask for their exact value.
    private static let freeTexts: Set<String> = [
        "text", "body", "preview", "description", "description_it", "reason", "remark", "exam_text", "excuse_text",
        "title",
        "name",
    ]

    /// Umlauts, an emoji of several characters, signs that are markup, a word that no line takes, line ends.
    static let longText: String = {
        let piece =
            "Größe, Maß & Übung: *Stern*, _Strich_, [Klammer](x), <b>spitz</b>, 👩‍👩‍👧 "
            + String(repeating: "Donaudampfschifffahrt", count: 4) + ".\n"
        return String(repeating: piece, count: 60)
    }()

    private func stretched(_ event: Event) -> Event {
        guard size == .long else { return event }
        var event = event
        event.record.fields = ValueMap(
            event.record.fields.pairs.map { key, value in
                let isFree = Self.freeTexts.contains(key.plainText) && value.string != nil
                return (key, isFree ? .string(value.plainText + " " + Self.longText) : value)
            }
        )
        return event
    }
}

extension Message {
    /// The same, marked so that nobody takes it for news, under an id of its own.
    func markedAsTest(at now: Timestamp) -> Message {
        var message = self
        message.id += "-test-\(now.milliseconds)"
        message.title.template = "TEST: " + message.title.template
        message.expires = nil
        return message
    }
}
