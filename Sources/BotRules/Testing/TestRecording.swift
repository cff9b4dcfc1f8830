public import BotCore
public import Values

/// Writes a test from what really happened.
public enum TestRecording {
    /// A test in YAML, to be put under `tests:` of a rule file: the event with all its fields, and what was told of it.
    ///
    /// - Parameters:
    ///   - told: by rule and sink, with the title; empty for an event of which nothing was told.
    ///   - zone: of the event's source, in which times are written.
    ///   - isAnonymous: replaces the student's name and id and every text that may name or describe a person, and leaves the names of
    ///     sources and sinks out. What rules usually ask for stays: subject, class, room, kind, state, mark.
    public static func test(
        of event: Event,
        told: [(rule: String, sink: String, title: String)],
        zone: Zone,
        isAnonymous: Bool
    ) -> String {
        var writer = TestWriter(zone: zone, isAnonymous: isAnonymous)
        let student = isAnonymous ? Student(id: "1", name: "Student") : event.student
        let (date, time) = zone.reading(at: event.at)
        var lines = [
            "  - name: \(writer.text("\(event.kind) of \(date)"))", "    now: \(date)T\(time)", "    events:",
            "      - event: \(event.kind)",
        ]
        if !isAnonymous { lines.append("        source: \(writer.text(event.source))") }
        if student != .nobody {
            lines.append("        student: {id: \(writer.text(student.id)), name: \(writer.text(student.name))}")
        }
        lines.append("        \(event.record.type): \(writer.fields(event.record.fields))")
        if let old = event.old { lines.append("        old: \(writer.fields(old.fields))") }
        guard !told.isEmpty else { return (lines + ["    expect: []"]).joined(separator: "\n") + "\n" }
        lines.append("    expect:")
        if isAnonymous {
            var counts: [(rule: String, count: Int)] = []
            for line in told {
                if let place = counts.firstIndex(where: { $0.rule == line.rule }) {
                    counts[place].count += 1
                } else {
                    counts.append((line.rule, 1))
                }
            }
            lines += counts.map { "      - {rule: \($0.rule), count: \($0.count)}" }
        } else {
            lines += told.map { line in
                "      - {rule: \(line.rule), sink: \(writer.text(line.sink)), title: \(writer.text(line.title))}"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Values as a test file writes them.
private struct TestWriter {
    let zone: Zone
    let isAnonymous: Bool
    /// What stands for each text that was replaced: the same for the same text, so that what was equal stays equal.
    private var standIns: [String: String] = [:]

    init(zone: Zone, isAnonymous: Bool) {
        self.zone = zone
        self.isAnonymous = isAnonymous
    }

    /// Fields that name no person: what rules ask for.
    private static let impersonal: Set<String> = [
        "date", "end_date", "due_date", "week", "time", "period", "kind", "state", "deviations", "subject",
        "subject_long", "old_subject", "new_subject", "classes", "student_groups", "room", "rooms", "old_room",
        "old_rooms", "new_room", "mark", "average", "subject_average", "category", "price_text", "allergens", "tags",
    ]

    /// A text as it may be passed on. A few digits and signs alone say nothing of a person, unless they are an id; a text of several words
    /// may be anything, whatever field it is in.
    private mutating func anonymous(_ content: String, in field: String) -> String {
        let isID = Self.isID(field)
        guard isAnonymous, !content.isEmpty, isID || Self.isTelling(content, in: field) else { return content }
        if !isID, Self.impersonal.contains(field), !content.contains(where: \.isWhitespace) { return content }
        return standIn(for: content, isNumber: isID)
    }

    private mutating func standIn(for content: String, isNumber: Bool) -> String {
        if let known = standIns[content] { return known }
        let number = standIns.count + 1
        standIns[content] = isNumber ? "\(number)" : "Text \(number)"
        return standIns[content] ?? ""
    }

    private static func isID(_ field: String) -> Bool { field == "id" || field == "key" || field.hasSuffix("_id") }

    /// Whether a text may say something of a person: it has letters, or more digits than a mark or a time, as numbers of telephones and of
    /// students have. Days stay days.
    private static func isTelling(_ content: String, in field: String) -> Bool {
        if content.contains(where: \.isLetter) { return true }
        return !impersonal.contains(field) && content.count(where: \.isNumber) >= mostDigits
            && CalendarDate(content) == nil
    }

    /// So many digits are a number that names somebody or something.
    private static let mostDigits = 6

    /// A whole number; one that is an id, or as long as one, is replaced.
    private mutating func written(_ number: Value, of field: String) -> String {
        let isLong = number.json.count(where: \.isNumber) >= Self.mostDigits
        guard isAnonymous, Self.isID(field) || isLong else { return number.json }
        return standIn(for: number.json, isNumber: true)
    }

    /// The name of a field. Those of a foreign list are whatever its entries have.
    private mutating func name(_ key: String) -> String {
        let isPlain = key.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        if isPlain, key.contains(where: \.isLetter) { return key }
        return text(isAnonymous ? standIn(for: key, isNumber: false) : key)
    }

    /// In JSON's quotes, which YAML reads the same.
    func text(_ text: String) -> String { Value.string(text).json }

    mutating func fields(_ fields: ValueMap) -> String {
        var pairs: [String] = []
        for (key, value) in fields {
            guard let key = key.string, let text = written(value, in: key) else { continue }
            pairs.append("\(name(key)): \(text)")
        }
        return "{\(pairs.joined(separator: ", "))}"
    }

    /// Nil for what a test cannot say, such as bytes: it is left out.
    private mutating func written(_ value: Value, in field: String) -> String? {
        switch value {
        case .null, .bytes: return nil
        case .bool: return value.json
        case .int, .uint: return written(value, of: field)
        case .double(let number): return number.isFinite ? value.json : nil
        case .string(let content): return text(anonymous(content, in: field))
        case .timestamp(let instant):
            return text(Timestamp(seconds: instant.seconds).text(offset: zone.offset(at: instant)))
        case .duration(let span): return text(span.text)
        case .list(let items):
            var texts: [String] = []
            for item in items { if let text = written(item, in: field) { texts.append(text) } }
            return "[\(texts.joined(separator: ", "))]"
        case .map(let map): return fields(map)
        }
    }
}
