import BotCore
public import Values

/// Takes a student out of what the policies remember.
public enum PolicyForgetting {
    /// Whom to take out, as the memory may name them.
    public struct Subject: Sendable {
        /// Whether this is the student: id, then name.
        public var isStudent: @Sendable (String, String) -> Bool
        /// Whether a record's key is the student's.
        public var isKey: @Sendable (String) -> Bool
        /// Whether a text names the student.
        public var isNamed: @Sendable (String) -> Bool
        /// The sources that are about the student.
        public var sources: Set<String>

        public init(
            isStudent: @escaping @Sendable (String, String) -> Bool,
            isKey: @escaping @Sendable (String) -> Bool,
            isNamed: @escaping @Sendable (String) -> Bool,
            sources: Set<String>
        ) {
            self.isStudent = isStudent
            self.isKey = isKey
            self.isNamed = isNamed
            self.sources = sources
        }
    }

    /// What is left of the memory under one key, `.null` for nothing, and how many pieces were taken out of it.
    public static func forget(_ subject: Subject, in stored: Value, under key: String) -> (Value, removed: Int) {
        if key == Silence.memoryKey { return forget(subject, inSilences: stored) }
        var memory = PolicyMemory(stored)
        var removed = memory.withdraw { item in
            let event = item.event
            // A scheduled rule's moment has no student of its own, but the answers of those that it is about.
            let students = [event.student] + (item.firing?.students ?? [])
            return students.contains { subject.isStudent($0.id, $0.name) } || subject.isKey(event.record.key)
                || subject.sources.contains(event.source) || subject.isNamed(item.value.json)
        }.count
        func drop<Entry>(_ entries: inout [Entry], _ isTheirs: (Entry) -> Bool) {
            removed += entries.count(where: isTheirs)
            entries.removeAll(where: isTheirs)
        }
        let isToldOfThem = { (told: ToldEvent) in
            subject.sources.contains(told.source) || subject.isKey(told.key)
                || told.receivers.contains { subject.isNamed($0.title) }
        }
        drop(&memory.told, isToldOfThem)
        drop(&memory.corrections) {
            subject.isStudent($0.event.student.id, $0.event.student.name) || isToldOfThem($0.told)
        }
        return removed > 0 ? (memory.value, removed) : (stored, 0)
    }

    /// Silences for the student go; comments on others that name the student are emptied.
    private static func forget(_ subject: Subject, inSilences stored: Value) -> (Value, removed: Int) {
        var removed = 0
        let left = Silence.all(in: [Silence.memoryKey: stored]).compactMap { silence -> Silence? in
            let values = ["student", "student.name"].flatMap { silence.match[$0] ?? [] }
            let ids = silence.match["student.id"] ?? []
            if ids.contains(where: { subject.isStudent($0, "") })
                || values.contains(where: { subject.isStudent("", $0) })
                || values.contains(where: subject.isNamed)
            {
                removed += 1
                return nil
            }
            guard subject.isNamed(silence.comment) else { return silence }
            removed += 1
            var silence = silence
            silence.comment = ""
            return silence
        }
        return removed > 0 ? (Silence.value(of: left), removed) : (stored, 0)
    }
}
