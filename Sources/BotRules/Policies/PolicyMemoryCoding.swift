import BotCore
import Values

/// The memory as the store keeps it. What cannot be read is left out: a memory of another version costs at most what it held.
extension PolicyMemory {
    init(_ value: Value) {
        func list<Entry>(_ key: String, _ read: (Value) -> Entry?) -> [Entry] {
            (value[key].list ?? []).compactMap(read)
        }
        waiting = list("waiting") { entry in
            guard let item = MatchedEvent(entry["item"]), let due = entry["due"].timestamp else { return nil }
            return Waiting(item: item, due: due)
        }
        groups = list("groups") { entry in
            guard let first = entry["first"].timestamp, let due = entry["due"].timestamp else { return nil }
            let items = (entry["items"].list ?? []).compactMap { MatchedEvent($0) }
            return Group(key: entry["key"], first: first, due: due, items: items)
        }
        held = list("held") { entry in
            entry["due"].timestamp.map { due in
                Held(
                    unit: TellingUnit(entry["unit"]),
                    due: due,
                    gathering: entry["quiet"].bool == true ? .quietHours : .digest,
                    isAskedAgain: entry["again"].bool ?? false
                )
            }
        }
        limited = list("limited") { entry in
            guard let recipient = Recipient(entry["recipient"]), let due = entry["due"].timestamp else { return nil }
            return Limited(recipient: recipient, unit: TellingUnit(entry["unit"]), due: due)
        }
        sent = list("sent") { entry in
            guard let recipient = entry[0].string, let message = entry[1].string, let at = entry[2].timestamp else {
                return nil
            }
            return Sent(recipient: recipient, message: message, at: at, isTrial: entry[3].bool ?? false)
        }
        told = list("told") { ToldEvent($0) }
        corrections = list("corrections") { entry in
            guard let event = EventCoding.event(entry["event"]), let told = ToldEvent(entry["told"]),
                let due = entry["due"].timestamp
            else { return nil }
            return Correction(event: event, told: told, due: due)
        }
    }

    /// `.null` where there is nothing to remember.
    var value: Value {
        if isEmpty { return .null }
        var map = ValueMap()
        func put<Entry>(_ key: String, _ entries: [Entry], _ write: (Entry) -> Value) {
            if !entries.isEmpty { map[key] = .list(entries.map(write)) }
        }
        if let due { map["due"] = .timestamp(due) }
        put("waiting", waiting) { ["item": $0.item.value, "due": .timestamp($0.due)] }
        put("groups", groups) { group in
            [
                "key": group.key, "first": .timestamp(group.first), "due": .timestamp(group.due),
                "items": .list(group.items.map(\.value)),
            ]
        }
        put("held", held) { held in
            [
                "unit": held.unit.value, "due": .timestamp(held.due),
                "quiet": .bool(held.gathering == .quietHours), "again": .bool(held.isAskedAgain),
            ]
        }
        put("limited", limited) {
            ["recipient": $0.recipient.value, "unit": $0.unit.value, "due": .timestamp($0.due)]
        }
        put("sent", sent) { [.string($0.recipient), .string($0.message), .timestamp($0.at), .bool($0.isTrial)] }
        put("told", told) { $0.value }
        put("corrections", corrections) {
            ["event": EventCoding.value(of: $0.event), "told": $0.told.value, "due": .timestamp($0.due)]
        }
        return .map(map)
    }
}

extension Recipient {
    /// Tells recipients apart, whatever language they read.
    var key: String { recipients.isEmpty ? sink : ([sink] + recipients).joined(separator: "\u{1F}") }

    var value: Value { [.string(sink), .list(recipients.map { .string($0) }), .string(locale)] }

    init?(_ value: Value) {
        guard let sink = value[0].string, let locale = value[2].string else { return nil }
        self.init(sink: sink, recipients: (value[1].list ?? []).compactMap(\.string), locale: locale)
    }
}

extension ToldEvent {
    var value: Value {
        var map: ValueMap = [
            "id": .string(id), "world": .string(world), "kind": .string(kind), "source": .string(source),
            "key": .string(key), "revision": .int(revision), "until": .timestamp(until),
            "receivers": .list(
                receivers.map { receiver in
                    let message = receiver.message.map { Value.string($0) } ?? .null
                    return [receiver.recipient.value, .string(receiver.title), .string(receiver.orderKey), message]
                }
            ),
        ]
        if let likeness { map["likeness"] = .string(likeness) }
        if let worldKey { map["world_key"] = .string(worldKey) }
        if isTrial { map["trial"] = true }
        return .map(map)
    }

    init?(_ value: Value) {
        guard let id = value["id"].string, let kind = value["kind"].string, let key = value["key"].string,
            let until = value["until"].timestamp
        else { return nil }
        self.init(
            id: id,
            world: value["world"].string ?? id,
            kind: kind,
            source: value["source"].string ?? "",
            key: key,
            likeness: value["likeness"].string,
            worldKey: value["world_key"].string,
            revision: value["revision"].integer ?? 0,
            until: until,
            isTrial: value["trial"].bool ?? false,
            receivers: (value["receivers"].list ?? []).compactMap { entry in
                Recipient(entry[0]).map {
                    Receiver(
                        recipient: $0,
                        title: entry[1].string ?? "",
                        orderKey: entry[2].string ?? "",
                        message: entry[3].string
                    )
                }
            }
        )
    }
}
