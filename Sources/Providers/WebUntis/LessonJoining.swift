import BotCore
import Values

/// Joins findings that people think of as one: a lesson that is off and what takes its place, a removal and an addition that are a move,
/// the periods of a double lesson.
struct LessonFindings {
    /// All lessons as they were, and as they are now.
    let before: [Record]
    let after: [Record]

    /// In the order of the changes. What is compared with each other is of one day or of one name, so that a thousand changes cost a
    /// thousand times one.
    func joined(_ findings: [LessonFinding]) -> [LessonFinding] {
        let named = LessonReturns(findings).byName()
        let replaced = Self.days(of: named) { Self.withReplacements(of: .cancelled, $0) }
        let returned = LessonReturns(replaced).elsewhere()
        let told = withoutReplacements(Self.days(of: returned) { Self.withReplacements(of: .removed, $0) })
        return Self.days(of: told, Self.merged).sorted { $0.position < $1.position }
    }

    private static func days(
        of findings: [LessonFinding],
        _ join: ([LessonFinding]) -> [LessonFinding]
    ) -> [LessonFinding] {
        Dictionary(grouping: findings) { $0.record.date }.values.flatMap(join)
    }

    // MARK: Replacements

    /// A lesson newly cancelled, or gone, and another newly added over it, for the same class: one is replaced by the other. Lessons of
    /// other groups are parallel to it, and what only touches something gone has not taken its place.
    private static func withReplacements(of kind: LessonFinding.Kind, _ findings: [LessonFinding]) -> [LessonFinding] {
        var findings = findings
        let fresh = findings.filter { $0.isNew && !$0.record.isCancelled }.map(\.record)
        for index in findings.indices where findings[index].kind == kind {
            let lost = findings[index].record
            let covered = fresh.filter {
                $0.overlaps(lost) && $0.sharesClass(with: lost) && $0.sharesGroup(with: lost)
                    && (kind == .cancelled || $0.covers(halfOf: lost))
            }
            guard let added = covered.max(by: { $0.overlap(with: lost) < $1.overlap(with: lost) }) else { continue }
            findings[index].kind = .replaced
            findings[index].record.fields["state"] = .string(Lesson.State.cancelled.rawValue)
            findings[index].record.fields["new_id"] = added.fields["id"]
            for field in ["subject", "teacher", "room", "text", "start", "end"] {
                findings[index].record.fields["new_\(field)"] = added.fields[field]
            }
        }
        return findings
    }

    /// What takes the place of a lesson that is off is told with it, not as an addition of its own; nor is its going told apart, whether
    /// the school had linked both or the lesson takes place again.
    private func withoutReplacements(_ findings: [LessonFinding]) -> [LessonFinding] {
        let arrived = Self.replacements(in: after + findings.map(\.record))
        let gone = Self.replacements(in: before)
        let restored = Dictionary(grouping: findings.filter { $0.kind == .restored }.map(\.record), by: \.date)
        return findings.filter { finding in
            switch finding.kind {
            case .removed:
                !gone.contains(finding.record.dayAndID)
                    && !(restored[finding.record.date] ?? []).contains { $0.takesBack(finding.record) }
            case .added: !arrived.contains(finding.record.dayAndID)
            case .moved, .replaced: true
            default: !finding.isNew || finding.record.isCancelled || !arrived.contains(finding.record.dayAndID)
            }
        }
    }

    /// Day and id of all that takes the place of another lesson.
    private static func replacements(in records: [Record]) -> Set<String> {
        Set(records.filter { !$0.text("new_id").isEmpty }.map { "\($0.text("date"))/\($0.text("new_id"))" })
    }

    // MARK: Blocks

    /// The longest break inside a block of lessons that people still call one lesson.
    private static let longestBreak = TimeSpan.minutes(30)

    /// The findings of one day with those that continue each other made one.
    private static func merged(_ findings: [LessonFinding]) -> [LessonFinding] {
        var blocks: [LessonFinding] = []
        var latest: [[String]: Int] = [:]
        for finding in findings.sorted(by: { ($0.start, $0.position) < ($1.start, $1.position) }) {
            let names = finding.blockNames
            let open = names.compactMap { latest[$0] }.filter { finding.start - blocks[$0].end <= longestBreak }
                .max()
            if let open { blocks[open].extend(with: finding) } else { blocks.append(finding) }
            for name in names { latest[name] = open ?? blocks.count - 1 }
        }
        return blocks
    }
}

extension LessonFinding {
    fileprivate var start: Timestamp { record.start ?? Timestamp(seconds: 0) }
    fileprivate var end: Timestamp { record.end ?? Timestamp(seconds: 0) }

    /// What periods must have in common to be one block: the kind, the lesson, and what changed but for the times, which differ from period
    /// to period. Replaced lessons also belong together if one thing takes the place of all of them.
    fileprivate var blockNames: [[String]] {
        let common = [kind.rawValue, (record.fields["classes"] ?? .null).json]
        let subject = common + [record.text("subject")]
        if kind == .replaced {
            return [
                common + [record.text("new_id")],
                subject + ["new_subject", "new_teacher", "new_room"].map(record.text),
            ]
        }
        let state = ["student_groups", "old_teachers", "old_rooms", "old_subject"].map {
            (record.fields[$0] ?? .null).json
        }
        let told = changes.filter { !$0.field.hasSuffix("start") && !$0.field.hasSuffix("end") }
        return [subject + state + told.map { "\($0.field) \($0.old.json) \($0.new.json)" }]
    }

    /// Makes this the finding of a longer block; it keeps the key and revision of its first period.
    fileprivate mutating func extend(with next: LessonFinding) {
        record.extend(with: next.record)
        if let further = next.old { old?.extend(with: further) }
        for index in changes.indices where changes[index].field.hasSuffix("end") {
            if let change = next.changes.first(where: { $0.field == changes[index].field }) {
                changes[index].old = change.old
                changes[index].new = change.new
            }
        }
    }
}

extension Record {
    fileprivate var dayAndID: String { "\(text("date"))/\(text("id"))" }

    func sharesClass(with other: Record) -> Bool { shares("classes", with: other) }

    fileprivate func sharesGroup(with other: Record) -> Bool { shares("student_groups", with: other) }

    /// Whether two lists meet; one that is empty stands for everybody.
    private func shares(_ field: String, with other: Record) -> Bool {
        let (mine, others) = (texts(field), other.texts(field))
        return mine.isEmpty || others.isEmpty || !Set(mine).isDisjoint(with: others)
    }

    /// Whether this lesson, which takes place again, is why something in its place is gone.
    fileprivate func takesBack(_ other: Record) -> Bool {
        overlaps(other) && sharesClass(with: other) && sharesGroup(with: other)
    }

    /// How long both take place at once.
    fileprivate func overlap(with other: Record) -> TimeSpan {
        guard let start, let end, let otherStart = other.start, let otherEnd = other.end else { return .zero }
        return max(.zero, min(end, otherEnd) - max(start, otherStart))
    }

    fileprivate func covers(halfOf other: Record) -> Bool {
        guard let start = other.start, let end = other.end else { return false }
        return overlap(with: other) * 2 >= end - start
    }

    /// Stretches this record over another one that follows it.
    fileprivate mutating func extend(with next: Record) {
        for field in ["end", "old_end", "new_end"] {
            if let further = next.fields[field]?.timestamp, further > fields[field]?.timestamp ?? further - .seconds(1)
            {
                fields[field] = .timestamp(further)
            }
        }
        fields["time"] = .string(Self.joinedEnds(text("time"), next.text("time")))
        fields["period"] = .string(Self.joinedEnds(text("period"), next.text("period")))
        for field in ["teachers", "rooms"] { fields[field] = (texts(field) + next.texts(field)).asSet.value }
        for (field, separator) in [
            ("subject", ", "), ("subject_long", ", "), ("teacher", ", "), ("room", ", "), ("text", "\n"),
        ] {
            let parts = [text(field), next.text(field)].flatMap { $0.split(separator: separator).map(String.init) }
            fields[field] = .string(parts.distinct.joined(separator: separator))
        }
    }

    /// `07:50–08:40` and `08:40–09:30` make `07:50–09:30`; `3` and `4` make `3–4`.
    private static func joinedEnds(_ first: String, _ last: String) -> String {
        let ends = [
            first.prefix { $0 != "–" }, last.reversed().prefix { $0 != "–" }.reversed().map(String.init).joined()[...],
        ]
        if ends.contains(where: \.isEmpty) { return first.isEmpty ? last : first }
        return ends[0] == ends[1] ? first : "\(ends[0])–\(ends[1])"
    }
}
