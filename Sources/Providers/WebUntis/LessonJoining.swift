import BotCore
import Values

/// Joins findings that people think of as one: a cancellation and what takes its place, a removal and an addition that are a move, the
/// periods of a double lesson.
struct LessonFindings {
    /// All lessons as they were, and as they are now.
    let before: [Record]
    let after: [Record]

    /// In the order of the changes. Only findings of one day are joined, so that a thousand changes cost a thousand times one.
    func joined(_ findings: [LessonFinding]) -> [LessonFinding] {
        let paired = Dictionary(grouping: findings) { $0.record.date }.values.map { withMoves(withReplacements($0)) }
        let told = Dictionary(grouping: withoutReplacements(paired.flatMap(\.self))) { $0.record.date }
        return told.values.flatMap(merged).sorted { $0.position < $1.position }
    }

    // MARK: Pairs

    /// A lesson newly cancelled and another newly added over it, for the same class: one is replaced by the other.
    private func withReplacements(_ findings: [LessonFinding]) -> [LessonFinding] {
        var findings = findings
        let fresh = findings.filter { $0.isNew && !$0.record.isCancelled }.map(\.record)
        for index in findings.indices where findings[index].kind == .cancelled {
            let cancelled = findings[index].record
            guard let added = fresh.first(where: { $0.overlaps(cancelled) && $0.sharesClass(with: cancelled) }) else {
                continue
            }
            findings[index].kind = .replaced
            findings[index].record.fields["new_id"] = added.fields["id"]
            for field in ["subject", "teacher", "room", "text", "start", "end"] {
                findings[index].record.fields["new_\(field)"] = added.fields[field]
            }
        }
        return findings
    }

    /// What takes the place of a cancelled lesson is told with it, not as an addition of its own; nor is its going told apart.
    private func withoutReplacements(_ findings: [LessonFinding]) -> [LessonFinding] {
        let arrived = Self.replacements(in: after + findings.map(\.record))
        let gone = Self.replacements(in: before)
        return findings.filter { finding in
            switch finding.kind {
            case .removed: !gone.contains(finding.record.dayAndID)
            case .added: !arrived.contains(finding.record.dayAndID)
            case .moved: true
            default: !finding.isNew || finding.record.isCancelled || !arrived.contains(finding.record.dayAndID)
            }
        }
    }

    /// Day and id of all that takes the place of another lesson.
    private static func replacements(in records: [Record]) -> Set<String> {
        Set(records.filter { !$0.text("new_id").isEmpty }.map { "\($0.text("date"))/\($0.text("new_id"))" })
    }

    /// A lesson gone from a day and one of the same subject and class new on it are one lesson that was moved.
    private func withMoves(_ findings: [LessonFinding]) -> [LessonFinding] {
        var findings = findings
        for gone in findings.filter({ $0.kind == .removed }) {
            let target = findings.firstIndex {
                $0.kind == .added && $0.record.fields["subject"] == gone.record.fields["subject"]
                    && $0.record.sharesClass(with: gone.record)
            }
            guard let target else { continue }
            findings[target].kind = .moved
            findings[target].old = gone.record
            findings[target].record.fields["old_start"] = gone.record.fields["start"]
            findings[target].record.fields["old_end"] = gone.record.fields["end"]
            findings[target].changes = ["start", "end"].compactMap { field in
                let (old, new) = (gone.record.fields[field] ?? .null, findings[target].record.fields[field] ?? .null)
                return old == new ? nil : FieldChange(field: field, old: old, new: new)
            }
            findings.removeAll { $0.kind == .removed && $0.record.key == gone.record.key }
        }
        return findings
    }

    // MARK: Blocks

    /// The longest break inside a block of lessons that people still call one lesson.
    private static let longestBreak = TimeSpan.minutes(30)

    /// The findings of one day with those that continue each other made one.
    private func merged(_ findings: [LessonFinding]) -> [LessonFinding] {
        var blocks: [LessonFinding] = []
        var latest: [[String]: Int] = [:]
        for finding in findings.sorted(by: { ($0.start, $0.position) < ($1.start, $1.position) }) {
            let names = finding.blockNames
            let open = names.compactMap { latest[$0] }.filter { finding.start - blocks[$0].end <= Self.longestBreak }
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

    fileprivate func sharesClass(with other: Record) -> Bool {
        let (mine, others) = (texts("classes"), other.texts("classes"))
        return mine.isEmpty || others.isEmpty || !Set(mine).isDisjoint(with: others)
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
