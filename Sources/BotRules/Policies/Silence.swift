public import BotCore
public import Values

/// Somebody's wish not to hear of something for a while: holidays, sick days. Not in the files, but in the memory.
public struct Silence: Sendable, Hashable {
    /// Names it for `silence list` and `silence end`.
    public var id: String
    /// The rule that is to be silent; nil for all.
    public var rule: String?
    /// Fields and the texts that one of them must have, as in `match`: `lesson.subject`, `student.name`, `source`.
    public var match: [String: [String]]
    /// Why, for whoever wonders.
    public var comment: String
    public var from: Timestamp
    public var until: Timestamp

    /// The key under which the policies' memory keeps all silences; no rule can have it as its id.
    public static let memoryKey = "silences/"

    public init(
        id: String,
        rule: String? = nil,
        match: [String: [String]] = [:],
        comment: String = "",
        from start: Timestamp,
        until end: Timestamp
    ) {
        self.id = id
        self.rule = rule
        self.match = match
        self.comment = comment
        from = start
        until = end
    }

    /// All silences in a memory, those that are over included.
    public static func all(in memory: [String: Value]) -> [Silence] {
        guard let stored = memory[memoryKey] else { return [] }
        return (stored.list ?? []).compactMap { Silence($0) }
    }

    /// What to commit under `memoryKey` to have these silences; `.null` for none.
    public static func value(of silences: [Silence]) -> Value {
        silences.isEmpty ? .null : .list(silences.map(\.value))
    }

    private init?(_ value: Value) {
        guard let id = value["id"].string, let start = value["from"].timestamp, let end = value["until"].timestamp
        else {
            return nil
        }
        var match: [String: [String]] = [:]
        for (key, values) in value["match"].map ?? ValueMap() {
            if let key = key.string { match[key] = values.list?.compactMap(\.string) ?? [] }
        }
        self.init(
            id: id,
            rule: value["rule"].string,
            match: match,
            comment: value["comment"].string ?? "",
            from: start,
            until: end
        )
    }

    private var value: Value {
        let pairs = match.sorted { $0.key < $1.key }.map { key, values in
            (Value.string(key), Value.list(values.map { .string($0) }))
        }
        return [
            "id": .string(id), "rule": rule.map { .string($0) } ?? .null, "match": .map(ValueMap(pairs)),
            "comment": .string(comment), "from": .timestamp(from), "until": .timestamp(until),
        ]
    }

    /// Whether a rule is not to tell now.
    ///
    /// - Parameter event: what it would tell of; nil where it is about no record, so that only silences without `match` count.
    func silences(_ event: Event?, of rule: String, at now: Timestamp) -> Bool {
        guard from <= now, now < until, self.rule == nil || self.rule == rule else { return false }
        return event.map(fits) ?? match.isEmpty
    }

    /// Whether an event has all that `match` asks for, whatever the rule and the time.
    public func fits(_ event: Event) -> Bool {
        match.allSatisfy { key, values in
            MatchKey(key).contains(in: event) { value in values.contains(value.plainText) }
        }
    }

    /// For `explain` and `history`.
    var reason: String {
        let why = comment.isEmpty ? "" : " (\(comment))"
        return "silenced by \(id)\(why) until \(until.rfc3339)"
    }
}

extension MatchKey {
    /// A key as people write it; an unknown one is in no event.
    init(_ text: String) {
        switch text {
        case "source": self = .source
        case "account": self = .account
        case "student", "student.name": self = .studentName
        case "student.id": self = .studentID
        default:
            let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
            self = parts.count == 2 ? .field(record: parts[0], name: parts[1]) : .field(record: "", name: text)
        }
    }
}
