import BotCore
import Values

/// Joins findings that people think of as one: a cancellation and what takes its place, a removal and an addition that are a move, the
/// periods of a double lesson.
struct LessonFindings {
    /// All lessons as they were, and as they are now.
    let before: [Record]
    let after: [Record]

    func joined(_ findings: [LessonFinding]) -> [LessonFinding] {
        merged(withoutReplacements(withMoves(withReplacements(findings))))
    }

    // MARK: Pairs

    /// A lesson newly cancelled and another newly added over it, for the same class: one is replaced by the other.
    private func withReplacements(_ findings: [LessonFinding]) -> [LessonFinding] {
        var findings = findings
        for index in findings.indices where findings[index].kind == .cancelled {
            let cancelled = findings[index].record
            let added = findings.first {
                $0.kind == .added && $0.record.overlaps(cancelled) && $0.record.sharesClass(with: cancelled)
            }
            guard let added = added?.record else { continue }
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
            case .added: !arrived.contains(finding.record.dayAndID)
            case .removed: !gone.contains(finding.record.dayAndID)
            default: true
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
                $0.kind == .added && $0.record.date == gone.record.date
                    && $0.record.fields["subject"] == gone.record.fields["subject"]
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

    private func merged(_ findings: [LessonFinding]) -> [LessonFinding] {
        let ordered = findings.sorted { ($0.start, $0.position) < ($1.start, $1.position) }
        var blocks: [LessonFinding] = []
        for finding in ordered {
            if let index = blocks.lastIndex(where: { Self.continues(finding, $0) }) {
                blocks[index].extend(with: finding)
            } else {
                blocks.append(finding)
            }
        }
        return blocks.sorted { $0.position < $1.position }
    }

    private static func continues(_ next: LessonFinding, _ block: LessonFinding) -> Bool {
        guard next.kind == block.kind, next.record.date == block.record.date,
            next.record.fields["classes"] == block.record.fields["classes"],
            let end = block.record.end, let start = next.record.start, start - end <= longestBreak
        else { return false }
        if next.kind == .replaced {
            if next.record.fields["new_id"] == block.record.fields["new_id"] { return true }
            let same = ["new_subject", "new_teacher", "new_room", "subject"].allSatisfy {
                next.record.fields[$0] == block.record.fields[$0]
            }
            return same
        }
        let fields = ["subject", "student_groups", "old_teachers", "old_rooms", "old_subject"]
        return fields.allSatisfy { next.record.fields[$0] == block.record.fields[$0] }
            && next.signature == block.signature
    }
}

extension LessonFinding {
    fileprivate var start: Timestamp { record.start ?? Timestamp(seconds: 0) }

    /// What changed, without the times, which differ from period to period.
    fileprivate var signature: Set<FieldChange> {
        Set(changes.filter { !$0.field.hasSuffix("start") && !$0.field.hasSuffix("end") })
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
