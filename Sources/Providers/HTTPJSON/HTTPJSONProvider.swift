import BotCore
import Digests
import Values

/// `http.json`: a list in JSON at any address.
struct HTTPJSONProvider: Provider {
    let wire: JSONWire
    let reader: ItemReader
    /// The fingerprint of the settings that the records' form depends on.
    let form: String

    /// A list of more pages is refused rather than cut: what is missing would look gone.
    private static let mostPages = 20

    // MARK: Fetching

    /// The list is read whole each time.
    var looksAtKnownKeys: Bool { false }

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let fingerprint = fingerprint(in: request.zone)
        let memory = AnswerMemory(request.memo, for: fingerprint)
        var room = HTTPRequest.usualBodyLimit
        var first = try await wire.get(wire.url, conditions: memory.conditions, bodyLimit: room)
        // A first page that is as it was says nothing of the pages after it.
        if first.status == 304, !memory.conditions.isEmpty, first.header("Link") != nil {
            first = try await wire.get(wire.url, conditions: [], bodyLimit: room)
        }
        if first.status == 304 {
            guard !memory.conditions.isEmpty else {
                throw .permanent(
                    "\(wire.place): the far end says that nothing has changed, and was not asked so; check 'url'"
                )
            }
            return Snapshot(records: nil, memo: request.memo, era: form)
        }
        let answer = AnswerMemory(first, for: fingerprint)
        if first.status == 200, first.header("Link") == nil, answer.isSame(as: memory) {
            return Snapshot(records: nil, memo: answer.value, era: form)
        }
        var entries = try list(in: first, at: request.now)
        var next = try NextPage.address(in: first, of: wire.url, place: wire.place)
        let isWhole = next == nil
        var seen: Set<Secret> = [wire.url]
        room -= first.body.count
        while let url = next {
            guard seen.insert(url).inserted, seen.count <= Self.mostPages, room > 0 else {
                throw .permanent(
                    "\(wire.place): the list does not end after \(seen.count) pages; ask for larger pages or a shorter list in 'url'"
                )
            }
            let page = try await wire.get(url, conditions: [], bodyLimit: room)
            entries += try list(in: page, at: request.now)
            next = try NextPage.address(in: page, of: url, place: wire.place)
            room -= page.body.count
        }
        // That the first page is as it was does not say so of the others.
        return try snapshot(of: entries, isWhole ? answer : nil, request)
    }

    private func list(in response: HTTPResponse, at now: Timestamp) throws(PluginError) -> [Value] {
        let document = try wire.document(of: response, at: now)
        let path = reader.settings.list
        guard let list = path.value(in: document).list else {
            throw .permanent(
                path == .whole
                    ? "\(wire.place): the answer is no list; say in 'items' where it lies"
                    : "\(wire.place): there is no list at '\(path.text)' in the answer; check 'items'"
            )
        }
        return list
    }

    private func snapshot(
        of entries: [Value],
        _ answer: AnswerMemory?,
        _ request: FetchRequest
    ) throws(PluginError) -> Snapshot {
        let reading = reader.read(entries, zone: request.zone)
        if !entries.isEmpty, reading.records.isEmpty, reading.unreadableKeys.isEmpty {
            throw .permanent(
                "\(wire.place): no item of the list has a text or a number at '\(reader.settings.key.text)'; check 'key'"
            )
        }
        // What is empty or could be read in part alone is looked at anew each time.
        let isRead = !reading.records.isEmpty && reading.unreadable == 0
        let memo = isRead ? answer : answer?.withoutContent
        return Snapshot(
            records: reading.records,
            unreadableKeys: reading.unreadableKeys,
            unreadable: reading.unreadable,
            memo: memo?.value ?? .null,
            era: form
        )
    }

    /// What an answer is remembered for: another address, another form of records or other clocks ask anew.
    private func fingerprint(in zone: Zone) -> String {
        ContentID.make([wire.url.reveal(), form, zone.name])
    }

    // MARK: Interpreting

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        difference.changes.compactMap { change in
            switch change.kind {
            case .added, .entered: occurrence("item.added", change)
            case .changed: occurrence("item.changed", change)
            case .removed: occurrence("item.removed", change)
            case .renumbered: nil
            }
        }
    }

    private func occurrence(_ kind: String, _ change: Change) -> Occurrence? {
        guard let record = change.new ?? change.old else { return nil }
        return Occurrence(
            kind: kind,
            record: record,
            old: change.new == nil ? nil : change.old,
            changes: Self.single(change.fields),
            revision: change.revision
        )
    }

    /// A change of the map of all scalars as the changes of each. The title is mostly one of them under another name.
    private static func single(_ fields: [FieldChange]) -> [FieldChange] {
        guard let whole = fields.first(where: { $0.field == ItemSchema.values }) else { return fields }
        let (old, new) = (whole.old.map ?? [:], whole.new.map ?? [:])
        var singles: [FieldChange] = []
        for (key, after) in new {
            let before = old[key] ?? .null
            if before != after { singles.append(FieldChange(field: key.plainText, old: before, new: after)) }
        }
        for (key, before) in old where new[key] == nil && !before.isNull {
            singles.append(FieldChange(field: key.plainText, old: before, new: .null))
        }
        let others = fields.filter { change in
            change.field != ItemSchema.values && !singles.contains { $0.old == change.old && $0.new == change.new }
        }
        return others + singles
    }
}

/// What an answer said of itself so that it can be asked for again (RFC 9110 sections 8.8 and 13.1), and what it was: the same bytes
/// again need not be read again.
struct AnswerMemory {
    private var tag: String?
    private var modified: String?
    /// The digest of the body; nil where it has to be read in any case.
    private var content: String?
    private let fingerprint: String

    /// Longer ones are not sent back; servers refuse header fields above 8 KB.
    private static let longest = 1024

    /// From the memo of the last good poll; empty if that asked for something else.
    init(_ memo: Value, for fingerprint: String) {
        self.fingerprint = fingerprint
        guard memo["for"].string == fingerprint else { return }
        tag = memo["etag"].string
        modified = memo["modified"].string
        content = memo["content"].string
    }

    /// From an answer. A document that was changed in the second in which it was sent can change again in it without a new date.
    init(_ response: HTTPResponse, for fingerprint: String) {
        self.fingerprint = fingerprint
        tag = Self.field("ETag", of: response)
        modified = Self.field("Last-Modified", of: response)
        if modified == response.header("Date") { modified = nil }
        content = ContentID.make(of: response.body)
    }

    /// Whether the body is the one that was read then.
    func isSame(as earlier: AnswerMemory) -> Bool { content != nil && content == earlier.content }

    /// The same for an answer that the next poll has to read again.
    var withoutContent: AnswerMemory {
        var memory = self
        memory.content = nil
        return memory
    }

    private static func field(_ name: String, of response: HTTPResponse) -> String? {
        guard let text = response.header(name), !text.isEmpty, text.utf8.count <= longest,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return text
    }

    var conditions: [(name: String, value: String)] {
        [("If-None-Match", tag), ("If-Modified-Since", modified)].compactMap { name, value in value.map { (name, $0) } }
    }

    /// As a memo; `.null` where the answer said nothing.
    var value: Value {
        guard tag != nil || modified != nil || content != nil else { return .null }
        var memo: ValueMap = ["for": .string(fingerprint)]
        memo["etag"] = tag.map { .string($0) }
        memo["modified"] = modified.map { .string($0) }
        memo["content"] = content.map { .string($0) }
        return .map(memo)
    }
}
