import BotCore
import Values

/// Events as values of the policies' memory, and back.
enum EventCoding {
    static func value(of event: Event) -> Value {
        var map: ValueMap = [
            "id": .string(event.id), "world": .string(event.worldID), "kind": .string(event.kind),
            "at": .timestamp(event.at), "source": .string(event.source), "account": .string(event.account),
            "student": [.string(event.student.id), .string(event.student.name)], "record": value(of: event.record),
            "changes": .list(event.changes.map { [.string($0.field), $0.old, $0.new] }),
            "revision": .int(event.revision),
        ]
        if let old = event.old { map["old"] = value(of: old) }
        return .map(map)
    }

    static func event(_ value: Value) -> Event? {
        guard let id = value["id"].string, let kind = value["kind"].string, let at = value["at"].timestamp,
            let record = record(value["record"])
        else { return nil }
        return Event(
            id: id,
            worldID: value["world"].string ?? id,
            kind: kind,
            at: at,
            source: value["source"].string ?? "",
            account: value["account"].string ?? "",
            student: Student(id: value["student"][0].string ?? "", name: value["student"][1].string ?? ""),
            record: record,
            old: self.record(value["old"]),
            changes: (value["changes"].list ?? []).map { change in
                FieldChange(field: change[0].string ?? "", old: change[1], new: change[2])
            },
            revision: value["revision"].integer ?? 0
        )
    }

    private static func value(of record: Record) -> Value {
        var map: ValueMap = [
            "key": .string(record.key), "type": .string(record.type), "fields": .map(record.fields),
        ]
        if let date = record.date { map["date"] = .string(date.description) }
        if let likeness = record.likeness { map["likeness"] = .string(likeness) }
        if let world = record.worldKey { map["world"] = .string(world) }
        return .map(map)
    }

    private static func record(_ value: Value) -> Record? {
        guard let key = value["key"].string, let type = value["type"].string, let fields = value["fields"].map else {
            return nil
        }
        return Record(
            key: key,
            type: type,
            date: value["date"].string.flatMap { CalendarDate($0) },
            fields: fields,
            likeness: value["likeness"].string,
            worldKey: value["world"].string
        )
    }
}

extension MatchedEvent {
    var value: Value {
        var map: ValueMap = ["event": EventCoding.value(of: event), "vars": .map(vars), "key": groupKey]
        if let firing { map["firing"] = firing.value }
        return .map(map)
    }

    init?(_ value: Value) {
        guard let event = EventCoding.event(value["event"]) else { return nil }
        self.init(
            event: event,
            vars: value["vars"].map ?? ValueMap(),
            groupKey: value["key"],
            firing: Firing(value["firing"])
        )
    }
}

extension Firing {
    fileprivate var value: Value {
        [
            "answers": .map(ValueMap(answers.map { (.string($0.key), .map($0.value)) })),
            "students": .list(students.map { [.string($0.id), .string($0.name)] }),
        ]
    }

    fileprivate init?(_ value: Value) {
        guard let stored = value["answers"].map else { return nil }
        answers = stored.pairs.reduce(into: [:]) { $0[$1.key.plainText] = $1.value.map }
        students = (value["students"].list ?? []).map { Student(id: $0[0].string ?? "", name: $0[1].string ?? "") }
    }
}
