import BotConfig
import BotCore
import Values

/// `webuntis.absences`: the absences of a student in the school year.
enum AbsencesSource {
    /// Bounds of the walk through pages; a school year's absences fit on one or two.
    private static let pageSize = 100
    private static let mostPages = 50

    @Sendable static func ask(_ question: ListQuestion) async throws(PluginError) -> ListSource.Reading {
        let year = question.year
        var entries: [Value] = []
        var ids: Set<Value> = []
        for page in 1...mostPages {
            let document = try await question.document(
                WebUntisRoutes.absences,
                [
                    ("studentId", question.student.id), ("startDate", year.first.compact),
                    ("endDate", year.last.compact),
                    ("excuseStatusId", "-1"), ("limit", String(pageSize)), ("pageSize", String(pageSize)),
                    ("page", String(page)),
                ],
                asking: "absences"
            )
            let list = try question.list(document["data"]["absences"], of: "absences", in: document)
            // Some servers ignore the page and send the first one again.
            if let first = list.first, first["id"].wholeNumber ?? 0 > 0, ids.contains(first["id"]) { break }
            ids.formUnion(list.map { $0["id"] })
            entries += list
            let total = document["data"]["count"].wholeNumber ?? document["data"]["totalCount"].wholeNumber
            if list.count < pageSize || entries.count >= total ?? .max { break }
        }
        let own = entries.filter { $0["studentId"].isNull || $0["studentId"].label == question.student.id }
        let clock = AbsenceClock(own, bells: question.profile.bells)
        return ListSource.Reading(own) { record($0, clock, question.student, question.request.zone) }
    }

    private static func record(_ entry: Value, _ clock: AbsenceClock, _ student: Student, _ zone: Zone) -> Record? {
        guard let first = entry["startDate"].day else { return nil }
        let last = max(entry["endDate"].day ?? first, first)
        let (start, end) = (clock.time(entry["startTime"]), clock.time(entry["endTime"]))
        let excuse = entry["excuse"]
        let status = entry["excuseStatus"].label
        var fields: ValueMap = [
            "date": .string(first.description), "end_date": .string(last.description),
            "time": .string([start, end].compactMap { $0?.description }.joined(separator: "–")),
            "excused": .bool(entry["isExcused"].truth ?? excuse["isExcused"].truth ?? false),
            "reason": .string([entry["reason"].label, entry["reasonName"].label].first { !$0.isEmpty } ?? ""),
            "text": .string([entry["text"].prose, entry["note"].prose].first { !$0.isEmpty } ?? ""),
            "status": .string(status),
            "excuse_text": .string([excuse["text"].prose, entry["excuseNote"].prose].first { !$0.isEmpty } ?? ""),
        ]
        if let start { fields["start"] = zone.value(of: first, at: start) }
        if let end { fields["end"] = zone.value(of: last, at: end) }
        let id = entry.name(orContent: ["date", "end_date", "time"].map { fields[$0]?.string ?? "" })
        fields["id"] = .string(id)
        return Record(key: "\(student.id)/\(id)", type: record.name, fields: fields)
    }

    @Sendable static func tell(_ change: Change, _ context: InterpretationContext) -> String? {
        switch change.kind {
        case .added, .entered: return "absence.added"
        case .removed: return "absence.removed"
        case .renumbered: return nil
        case .changed:
            let isExcused = change.old?.fields["excused"] == false && change.new?.fields["excused"] == true
            return isExcused ? "absence.excused" : "absence.changed"
        }
    }

    static let record = RecordShape(
        "absence",
        "An absence of a student.",
        fields: [
            FieldShape("id", .string, "the absence's id in WebUntis"),
            FieldShape("date", .string, "its first day, `2026-11-24`"),
            FieldShape("end_date", .string, "its last day"),
            FieldShape(
                "time",
                .string,
                "from when on the first day to when on the last, `07:50–08:40`; empty if not told"
            ),
            FieldShape("start", .timestamp, optional: true, "when it began"),
            FieldShape("end", .timestamp, optional: true, "when it ended"),
            FieldShape("excused", .bool, "whether it is excused"),
            FieldShape("reason", .string, "the reason; may be empty"),
            FieldShape("text", .string, "the school's remark"),
            FieldShape("status", .string, "the school's word for the state of the excuse"),
            FieldShape("excuse_text", .string, "the text of the excuse"),
        ]
    )

    private static let summary = RecordShape(
        "absences_summary",
        "The absences of the school year.",
        fields: [
            FieldShape("count", .int, "how many there are"),
            FieldShape("unexcused", .int, "how many of them are not excused"),
            FieldShape("open", .list(.record(record)), "those that are not excused, the latest first"),
            FieldShape("is_empty", .bool, "whether there is none"),
        ]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [
            EventDeclaration(
                "absence.added",
                of: "absence",
                "A new absence.",
                expiry: .never,
                opposite: "absence.removed"
            ),
            EventDeclaration("absence.excused", of: "absence", "An absence was excused.", expiry: .never),
            EventDeclaration("absence.changed", of: "absence", "An absence was edited.", expiry: .never),
            EventDeclaration(
                "absence.removed",
                of: "absence",
                "An absence was deleted.",
                expiry: .never,
                opposite: "absence.added"
            ),
        ],
        queries: [
            QueryDeclaration(
                "absences.summary",
                result: summary,
                "How many absences there are, and which are not excused."
            ) { records, _ in
                let open = records.filter { $0.fields["excused"] == false }.sorted {
                    ($0.text("date"), $0.key) > ($1.text("date"), $1.key)
                }
                return [
                    "count": .int(Int64(records.count)), "unexcused": .int(Int64(open.count)),
                    "open": .list(open.map { .map($0.fields) }), "is_empty": .bool(records.isEmpty),
                ]
            }
        ],
        uncomparedFields: ["absence.id", "absence.status"]
    )
}

/// How the times of one answer are written: as hour times 100 plus minute, or as minutes since midnight.
///
/// Single values can be either (845 is 08:45 or 14:05), so the whole set decides: no lesson begins before 06:00, and no HHMM ends above 59
/// (`protocols/pokyh.md` section 2.7). Where all values can be either, the reading that meets more of the school's bells counts.
struct AbsenceClock {
    private let countsMinutes: Bool

    init(_ entries: [Value], bells: [AccountProfile.Bell]) {
        let times = entries.flatMap { [$0["startTime"].wholeNumber, $0["endTime"].wholeNumber] }.compactMap { $0 }
            .filter { $0 > 0 }
        let edges = Set(bells.flatMap { [$0.start, $0.end] }.map { Int64($0.secondOfDay / 60) })
        let asMinutes = times.count { edges.contains($0) }
        let asClock = times.count { edges.contains($0 / 100 * 60 + $0 % 100) }
        countsMinutes = times.contains { $0 < 600 || $0 % 100 > 59 } || asMinutes > asClock
    }

    func time(_ value: Value) -> WallTime? {
        guard countsMinutes else { return value.clockTime }
        guard let minutes = value.wholeNumber, (0..<1440).contains(minutes) else { return nil }
        return WallTime(hour: Int(minutes / 60), minute: Int(minutes % 60))
    }
}
