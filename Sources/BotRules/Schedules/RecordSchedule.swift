import BotCore
import Values

/// Fires when a time inside a known record comes, or so long before it. It moves with the record, and passes over those that do not
/// take place.
struct RecordSchedule: Sendable {
    /// The record's type and the field that holds the time.
    let record: String
    let field: String
    let before: TimeSpan
    /// Names of the sources whose records count.
    let sources: [String]
    let students: Set<String>?
    /// By source: fields and the values in them that say that a record is off.
    let offWhen: [String: [(field: String, values: Set<Value>)]]

    /// How late it fires where it has no lead time of its own.
    static let standardGrace = TimeSpan.minutes(30)

    struct Moment: Sendable {
        let key: String
        /// When it fires.
        let due: Timestamp
        /// The time in the record.
        let instant: Timestamp
        let source: String
        let record: Record
    }

    /// Until the record's time has come, or a while after where it fires at that time itself.
    var grace: TimeSpan { before > .zero ? before : Self.standardGrace }

    /// All moments of the records known now.
    func moments(in snapshots: [String: SourceView]) -> [Moment] {
        sources.flatMap { source -> [Moment] in
            guard let view = snapshots[source], accepts(view.student) else { return [] }
            return view.records.compactMap { moment(of: $0, from: source) }
        }
    }

    private func accepts(_ student: Student) -> Bool {
        guard let students else { return true }
        return students.contains(student.name) || students.contains(student.id)
    }

    /// When it fires for one record; nil where the record is off or has no such time.
    func moment(of record: Record, from source: String) -> Moment? {
        guard record.type == self.record, let instant = record.fields[field]?.timestamp,
            !isOff(record, from: source)
        else { return nil }
        let key = "\(source)/\(record.key)/\(instant.rfc3339)"
        return Moment(key: key, due: instant - before, instant: instant, source: source, record: record)
    }

    private func isOff(_ record: Record, from source: String) -> Bool {
        (offWhen[source] ?? []).contains { off in record.fields[off.field].map(off.values.contains) ?? false }
    }
}

extension SourceSchema {
    /// The fields of a record, and the values in them, that say that it is off.
    func offWhen(of record: String) -> [(field: String, values: Set<Value>)] {
        offWhen.compactMap { path, values in
            let parts = path.split(separator: ".", maxSplits: 1)
            return parts.count == 2 && parts[0] == record ? (String(parts[1]), values) : nil
        }
    }

    func isOff(_ record: Record) -> Bool {
        offWhen(of: record.type).contains { off in record.fields[off.field].map(off.values.contains) ?? false }
    }
}
