public import BotCore
public import Values

/// Writes a test from what really happened.
public enum TestRecording {
    /// A test in YAML, to be put under `tests:` of a rule file: the event with all its fields, and what was told of it.
    ///
    /// - Parameters:
    ///   - told: by rule and sink, with the title; empty for an event of which nothing was told.
    ///   - zone: of the event's source, in which times are written.
    ///   - isAnonymous: replaces the student's name and id, and every text of several words: what teachers and schools write may name people.
    public static func test(
        of event: Event,
        told: [(rule: String, sink: String, title: String)],
        zone: Zone,
        isAnonymous: Bool
    ) -> String {
        let writer = TestWriter(zone: zone, isAnonymous: isAnonymous)
        let student = isAnonymous ? Student(id: "1", name: "Student") : event.student
        let (date, time) = zone.reading(at: event.at)
        var lines = [
            "  - name: \(writer.text("\(event.kind) of \(date)"))", "    now: \(date)T\(time)", "    events:",
            "      - event: \(event.kind)", "        source: \(writer.text(event.source))",
        ]
        if student != .nobody {
            lines.append("        student: {id: \(writer.text(student.id)), name: \(writer.text(student.name))}")
        }
        lines.append("        \(event.record.type): \(writer.fields(event.record.fields))")
        if let old = event.old { lines.append("        old: \(writer.fields(old.fields))") }
        guard !told.isEmpty else { return (lines + ["    expect: []"]).joined(separator: "\n") + "\n" }
        lines.append("    expect:")
        lines += told.map { line in
            let title = isAnonymous ? "" : ", title: \(writer.text(line.title))"
            return "      - {rule: \(line.rule), sink: \(writer.text(line.sink))\(title)}"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Values as a test file writes them.
private struct TestWriter {
    let zone: Zone
    let isAnonymous: Bool

    /// In JSON's quotes, which YAML reads the same.
    func text(_ text: String) -> String { Value.string(text).json }

    func fields(_ fields: ValueMap) -> String {
        let pairs = fields.compactMap { key, value in
            key.string.flatMap { key in written(value).map { "\(key): \($0)" } }
        }
        return "{\(pairs.joined(separator: ", "))}"
    }

    /// Nil for what a test cannot say, such as bytes: it is left out.
    private func written(_ value: Value) -> String? {
        switch value {
        case .null, .bytes: nil
        case .bool, .int, .uint: value.json
        case .double(let number): number.isFinite ? value.json : nil
        case .string(let content): text(content.contains(" ") && isAnonymous ? "Text" : content)
        case .timestamp(let instant): text(Timestamp(seconds: instant.seconds).text(offset: zone.offset(at: instant)))
        case .duration(let span): text(span.text)
        case .list(let items): "[\(items.compactMap(written).joined(separator: ", "))]"
        case .map(let map): fields(map)
        }
    }
}
