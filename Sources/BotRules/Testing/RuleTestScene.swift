import BotCore
import Digests
import StrictYAML
import Values

/// Events and answers of a test.
extension RuleTestReader {
    // MARK: Events

    mutating func readEvent(_ node: YAMLNode, at now: Timestamp) -> Event? {
        guard let kind = readKind(node), let first = vocabulary.declarations(of: kind, in: nil).first else {
            return nil
        }
        let known = ["event", "source", "student", "old", "key", first.event.record]
        guard let pairs = keys(of: node, known) else { return nil }
        guard let declared = declaration(of: kind, named: pairs["source"]) else { return nil }
        let source = vocabulary.source(declared.source)
        let zone = source?.zone ?? vocabulary.installation.zone
        let key = pairs["key"].flatMap { $0.asText(&complaints) }
        let place = pairs[declared.record.name]
        let record = readRecord(place, declared.record, zone: zone, now: now, key: key)
        var old: Record?
        if let before = pairs["old"] {
            old = readRecord(before, declared.record, zone: zone, now: now, key: record.key, over: record)
        }
        recordCount += 1
        let id = "test-\(recordCount)"
        return Event(
            id: id,
            worldID: id,
            kind: kind,
            at: now,
            source: source?.name ?? "",
            account: source?.account ?? "",
            student: pairs["student"].flatMap { readStudent($0) } ?? .nobody,
            record: record,
            old: old,
            changes: old.map { Self.changes(from: $0, to: record, declared.record) } ?? [],
            revision: Int64(recordCount)
        )
    }

    private mutating func readKind(_ node: YAMLNode) -> String? {
        guard let place = node["event"] else {
            complain(at: node, "'event' is missing", "write {event: lesson.cancelled, lesson: {…}}")
            return nil
        }
        guard let kind = place.asText(&complaints) else { return nil }
        if !vocabulary.kindNames.contains(kind) {
            unknown("event", kind, at: place, vocabulary.kindNames)
            return nil
        }
        return kind
    }

    /// The named source's declaration of a kind; else that of the source that the file's rules on it name; else the first one.
    private mutating func declaration(of kind: String, named node: YAMLNode?) -> Vocabulary.Declared? {
        let all = vocabulary.declarations(of: kind, in: nil)
        if let node {
            guard let name = node.asText(&complaints) else { return nil }
            if let found = all.first(where: { $0.source == name }) { return found }
            unknown("source", name, at: node, all.map(\.source))
            return nil
        }
        let wanted = rules.lazy.compactMap(\.onEvents).first { $0.kinds.contains(kind) && $0.sources != nil }?.sources
        return all.first { wanted?.contains($0.source) ?? true } ?? all.first
    }

    /// `Anna`, or `{id: "11", name: Anna}`. Of a name alone the id is made.
    private mutating func readStudent(_ node: YAMLNode) -> Student? {
        if node.pairs.isEmpty {
            return node.asText(&complaints).map { Student(id: "id-\($0)", name: $0) }
        }
        guard let pairs = keys(of: node, ["id", "name"]) else { return nil }
        let name = pairs["name"].flatMap { $0.asText(&complaints) } ?? ""
        return Student(id: pairs["id"].flatMap { $0.asText(&complaints) } ?? "id-\(name)", name: name)
    }

    private static func changes(from old: Record, to new: Record, _ shape: RecordShape) -> [FieldChange] {
        shape.fields.compactMap { field in
            let before = old.fields[field.name] ?? .null
            let after = new.fields[field.name] ?? .null
            return before == after ? nil : FieldChange(field: field.name, old: before, new: after)
        }
    }

    // MARK: Polls

    mutating func readPoll(_ node: YAMLNode, at now: Timestamp) -> RuleTestCase.Poll? {
        guard let pairs = keys(of: node, ["source", "before", "after", "student", "holidays"]) else { return nil }
        guard let place = pairs["source"] else {
            complain(at: node, "'source' is missing", "write {source: timetable-3a, before: […], after: […]}")
            return nil
        }
        guard let name = place.asText(&complaints) else { return nil }
        guard let source = vocabulary.source(name) else {
            unknown("source", name, at: place, vocabulary.installation.sources.map(\.name))
            return nil
        }
        let before = pairs["before"].map { readRecords($0, of: source, at: now) }
        return RuleTestCase.Poll(
            source: source,
            before: before,
            after: pairs["after"].map { readRecords($0, of: source, at: now) } ?? before ?? [],
            student: pairs["student"].flatMap { readStudent($0) } ?? .nobody,
            calendar: pairs["holidays"].map { readHolidays($0) }
        )
    }

    /// `[{lesson: {…}}, …]`; where the source has one type of record, its name may be left out.
    private mutating func readRecords(_ node: YAMLNode, of source: SourceEntry, at now: Timestamp) -> [Record] {
        var records: [Record] = []
        for item in node.asSequence(&complaints) ?? [] {
            let shapes = source.schema.records
            let named = item.pairs.count == 1 ? shapes.first { $0.name == item.pairs[0].name } : nil
            guard let shape = named ?? shapes.first else { continue }
            let place = named == nil ? item : item.pairs[0].value
            records.append(readRecord(place, shape, zone: source.zone, now: now, key: nil))
        }
        return records
    }

    /// `[2026-12-24, {from: 2026-12-24, to: 2027-01-06}]`.
    private mutating func readHolidays(_ node: YAMLNode) -> SchoolCalendar {
        var holidays: [SchoolCalendar.Holiday] = []
        for item in node.asList(&complaints) ?? [] {
            if item.pairs.isEmpty {
                guard let date = item.asDate(&complaints) else { continue }
                holidays.append(.init(name: "", days: DateWindow(date, through: date)))
            } else if let pairs = keys(of: item, ["from", "to"]), let from = pairs["from"]?.asDate(&complaints),
                let to = pairs["to"]?.asDate(&complaints)
            {
                holidays.append(.init(name: "", days: DateWindow(from, through: to)))
            }
        }
        return SchoolCalendar(years: [], holidays: holidays)
    }

    // MARK: Records

    /// A record of which a test may tell only what matters; the rest is empty.
    ///
    /// - Parameter base: for `old`: what is not told is as in this record.
    private mutating func readRecord(
        _ node: YAMLNode?,
        _ shape: RecordShape,
        zone: Zone,
        now: Timestamp,
        key: String?,
        over base: Record? = nil
    ) -> Record {
        var given = ValueMap()
        for pair in node?.asMapping(&complaints) ?? [] {
            guard let field = shape.field(pair.name) else {
                unknown(
                    "field",
                    "\(shape.name).\(pair.name)",
                    at: pair.key,
                    shape.fields.map { "\(shape.name).\($0.name)" }
                )
                continue
            }
            if let value = TestValueReading.value(pair.value, field.shape, zone, &complaints) {
                checkValue(value, at: pair.value, field, of: shape)
                given[pair.name] = value
            }
        }
        let standards = TestValueReading.Standards(
            given: given,
            ends: vocabulary.expiryFields(of: shape.name),
            zone: zone,
            now: now
        )
        var fields = ValueMap()
        for field in shape.fields {
            let value = given[field.name] ?? base?.fields[field.name] ?? standards.value(for: field)
            if let value { fields[field.name] = value }
        }
        let date = fields["date"]?.string.flatMap { CalendarDate($0) } ?? standards.date
        return Record(
            key: key ?? recordKey(of: given, shape),
            type: shape.name,
            date: date,
            fields: fields
        )
    }

    /// Complains of texts that the field never has in a real record.
    private mutating func checkValue(_ value: Value, at node: YAMLNode, _ field: FieldShape, of shape: RecordShape) {
        if field.values.isEmpty { return }
        let texts = (value.list ?? [value]).compactMap(\.string)
        for text in texts where !field.values.contains(text) {
            let name = "\(shape.name).\(field.name)"
            complaints.append(
                Complaint(
                    at: node.span,
                    "'\(name)' is never '\(text)'",
                    cures: Spelling.cures(forValue: text, among: field.values, of: name)
                )
            )
        }
    }

    /// The same thing under the same key: by its id, else by what people would tell it by; else it is a thing of its own.
    private mutating func recordKey(of given: ValueMap, _ shape: RecordShape) -> String {
        if let id = given["id"]?.string, !id.isEmpty { return id }
        let telling = ["date", "start", "subject", "title", "name"].compactMap { name in
            given[name].map { "\(name)=\($0.plainText)" }
        }
        if !telling.isEmpty { return ContentID.make([shape.name] + telling) }
        recordCount += 1
        return "record-\(recordCount)"
    }
}
