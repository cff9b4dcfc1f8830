import BotCore
import StrictYAML
import Values

extension RuleReader {
    // MARK: At times of day

    mutating func readWallClock(
        _ when: [String: YAMLNode],
        _ zone: Zone?,
        _ queries: [FieldShape],
        into draft: inout RuleDraft
    ) -> TriggerReading {
        let items = when["at"]?.asList(&complaints) ?? []
        let times = items.compactMap { $0.asWallTime(&complaints) }
        var weekdays: Set<Int>? = Set(1...7)
        if let days = when["days"] { weekdays = readDays(days) }
        let onlyOn = when["only_on"].flatMap { node in
            node.asChoice(among: WallClockSchedule.DayKind.allCases.map(\.rawValue), &complaints)
        }
        .flatMap { WallClockSchedule.DayKind(rawValue: $0) }
        let school = readSchool(when["school"], isNeededBy: when["only_on"])
        let grace = when["grace"].map { positive($0) } ?? WallClockSchedule.standardGrace
        let schoolZone = onlyOn == nil ? nil : vocabulary.installation.schools.first { $0.name == school }?.zone
        draft.zone = zone ?? schoolZone ?? self.zone(of: draft.queries.flatMap(\.sources))
        var reading = scheduled(queries, in: draft)
        guard times.count == items.count, !times.isEmpty, let weekdays, let grace else { return reading }
        reading.trigger = .wallClock(
            WallClockSchedule(
                times: Array(Set(times)).sorted(),
                weekdays: weekdays,
                zone: draft.zone,
                grace: grace,
                onlyOn: onlyOn,
                calendarSources: onlyOn == nil ? [] : vocabulary.calendarSources(ofSchool: school)
            )
        )
        return reading
    }

    private mutating func scheduled(_ queries: [FieldShape], in draft: RuleDraft) -> TriggerReading {
        let scope = scopes.scheduleScope(record: nil, queries: queries, zone: draft.zone)
        let sources = Set(draft.queries.flatMap(\.sources))
        return TriggerReading(scope: scope, sources: sources, hasStudent: vocabulary.haveStudent(sources))
    }

    /// The school whose days `only_on` means; nil where there is only one, or none.
    private mutating func readSchool(_ node: YAMLNode?, isNeededBy onlyOn: YAMLNode?) -> String? {
        let names = vocabulary.installation.schools.map(\.name)
        if let node { return readNamed(node, "school", names)?.first }
        if let onlyOn, names.count > 1 {
            complain(
                at: onlyOn,
                "the bot file has several schools",
                "say which one's days count: school: \(names.joined(separator: " or "))"
            )
        }
        return nil
    }

    private static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// `mon`, `[mon-fri]`, `[sat, sun]`; a span may go over the end of the week.
    mutating func readDays(_ node: YAMLNode) -> Set<Int>? {
        guard let items = node.asList(&complaints) else { return nil }
        var days: Set<Int> = []
        for item in items {
            guard let text = item.asText(&complaints) else { return nil }
            let ends = text.split(separator: "-", omittingEmptySubsequences: false)
                .map { Self.dayNames.firstIndex(of: String($0)) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                complain(
                    at: item,
                    "'\(text)' is no day of the week",
                    "write mon, tue, wed, thu, fri, sat, sun, or a span such as mon-fri"
                )
                return nil
            }
            let length = (last - first + 7) % 7
            days.formUnion((first...first + length).map { $0 % 7 + 1 })
        }
        if days.isEmpty { complain(at: node, "a schedule without days never fires", "take 'days' out for every day") }
        return days.isEmpty ? nil : days
    }

    // MARK: After elapsed time

    mutating func readInterval(
        _ when: [String: YAMLNode],
        _ zone: Zone?,
        _ queries: [FieldShape],
        into draft: inout RuleDraft
    ) -> TriggerReading {
        draft.zone = zone ?? self.zone(of: draft.queries.flatMap(\.sources))
        var reading = scheduled(queries, in: draft)
        guard let node = when["every"], let interval = node.asDuration(&complaints) else { return reading }
        guard interval >= IntervalSchedule.shortest, interval.nanoseconds == 0 else {
            complain(at: node, "a rule fires once a minute at most", "write whole seconds, at least 60s")
            return reading
        }
        reading.trigger = .interval(IntervalSchedule(interval: interval))
        return reading
    }

    // MARK: When a record's time comes

    mutating func readRecordTime(
        _ when: [String: YAMLNode],
        _ zone: Zone?,
        _ queries: [FieldShape],
        into draft: inout RuleDraft
    ) -> TriggerReading {
        let named = when["source"].flatMap { readSources($0) }
        guard let node = when["time_of"], let keys = mapping(node, ["field", "before"]) else { return TriggerReading() }
        let before = keys["before"].map { $0.asDuration(&complaints) } ?? .zero
        guard let place = keys["field"] else {
            complain(at: node, "'field' is missing", "write time_of: {field: lesson.start, before: 10m}")
            return TriggerReading()
        }
        guard let (record, field) = readTimeField(place) else { return TriggerReading() }
        let owners = vocabulary.sources(with: record).filter { named?.contains($0.source.name) ?? true }
        guard !owners.isEmpty else {
            complain(at: place, "the named source has no '\(record)'", "name another source, or take 'source' out")
            return TriggerReading()
        }
        let names = Set(owners.map(\.source.name))
        let students = when["student"].map { readStudents($0, of: names) }
        draft.zone = zone ?? self.zone(of: owners.map(\.source.name))
        let shape = ShapeMerging.merged(owners.map(\.shape), named: record)
        var reading = TriggerReading(scope: scopes.scheduleScope(record: shape, queries: queries, zone: draft.zone))
        reading.isAboutRecords = true
        reading.sources = names
        reading.hasStudent = vocabulary.haveStudent(names)
        guard let declared = timeField(field, of: shape, at: place), let before else { return reading }
        reading.trigger = .recordTime(
            RecordSchedule(
                record: record,
                field: declared.name,
                before: before,
                sources: owners.map(\.source.name),
                students: students,
                offWhen: Dictionary(owners.map { ($0.source.name, $0.source.schema.offWhen(of: record)) }) { first, _ in
                    first
                }
            )
        )
        return reading
    }

    private mutating func readTimeField(_ node: YAMLNode) -> (record: String, field: String)? {
        guard let text = node.asText(&complaints) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            complain(at: node, "'\(text)' names no field of a record", "write it like lesson.start")
            return nil
        }
        guard vocabulary.recordNames.contains(parts[0]) else {
            unknown("record", parts[0], at: node, among: vocabulary.recordNames)
            return nil
        }
        return (parts[0], parts[1])
    }

    private mutating func timeField(_ name: String, of shape: RecordShape, at node: YAMLNode) -> FieldShape? {
        let times = shape.fields.filter { $0.shape == .timestamp }.map(\.name)
        let list =
            times.isEmpty
            ? "'\(shape.name)' has no times" : "times of '\(shape.name)': \(times.joined(separator: ", "))"
        guard let field = shape.field(name) else {
            let question = Spelling.question(about: name, among: times)
            let cures = [question, list].compactMap(\.self)
            complaints.append(Complaint(at: node.span, "'\(shape.name)' has no field '\(name)'", cures: cures))
            return nil
        }
        guard field.shape == .timestamp else {
            complain(at: node, "'\(shape.name).\(name)' is a \(field.shape.name), not a time", list)
            return nil
        }
        return field
    }
}
