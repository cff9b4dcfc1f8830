public import BotCore
public import Values

/// What was forgotten of a student, by kind.
public struct ForgottenCounts: Sendable, Hashable {
    /// Names of the sources that were about the student.
    public var sources: [String] = []
    public var records = 0
    public var events = 0
    public var notes = 0
    public var messages = 0
    /// How many of the messages had not been delivered.
    public var undelivered = 0
    /// Moments of scheduled rules.
    public var slots = 0
    /// Pieces of what policies, silences included, had in mind.
    public var memories = 0
    /// Records of sources about nobody or about others that name the student in their texts. They stay: what such a source shows is
    /// known again with its next answer.
    public var mentions = 0

    public init() {}

    public var total: Int { sources.count + records + events + notes + messages + slots + memories }
}

extension SQLiteStore {
    /// All students that the memory knows, as sources and events have them.
    public func students() throws(StateError) -> [Student] {
        try connection.rows(
            """
            SELECT student_id, student_name FROM source WHERE student_id <> '' OR student_name <> ''
            UNION SELECT student_id, student_name FROM event WHERE student_id <> '' OR student_name <> ''
            UNION SELECT student_id, student_name FROM subject ORDER BY 1, 2
            """
        ) { Student(id: $0.text(0), name: $0.text(1)) }
    }

    /// Takes everything about a student out of the memory, in one transaction whose deletions overwrite what they delete. `compact` then
    /// makes a file without the pages it lay in.
    ///
    /// - Parameter edit: what is left of the memory of the policies of one key, and how many pieces were taken out of it; pure.
    public func forget(
        _ traces: StudentTraces,
        editing edit: @Sendable (_ key: String, _ memory: Value, _ sources: Set<String>) -> (Value, removed: Int)
    ) throws(StateError) -> ForgottenCounts {
        try connection.execute("PRAGMA secure_delete = ON")
        return try connection.transaction { () throws(StateError) in
            var counts = ForgottenCounts()
            let sources = try connection.rows("SELECT name, student_id, student_name FROM source") {
                (name: $0.text(0), id: $0.text(1), student: $0.text(2))
            }
            counts.sources = sources.filter { traces.isStudent(id: $0.id, name: $0.student) }.map(\.name).sorted()
            let own = Set(counts.sources)
            let events = try forgetEvents(of: traces)
            counts.events = events.count
            let messages = try forgetMessages(about: events, of: traces, sources: own)
            counts.messages = messages.count
            counts.undelivered = messages.count { $0 }
            counts.notes = try forgetNotes(about: events, of: traces, sources: own)
            counts.slots = try forgetSlots(of: traces, sources: own)
            counts.memories = try forgetMemories(of: own, edit)
            (counts.records, counts.mentions) = try forgetRecords(of: traces, sources: own)
            for source in own { try connection.run("DELETE FROM source WHERE name = ?1", .text(source)) }
            try clearEvidence(of: traces)
            return counts
        }
    }

    /// - Returns: the ids of the events that are gone.
    private func forgetEvents(of traces: StudentTraces) throws(StateError) -> Set<String> {
        let rows = try connection.rows("SELECT id, student_id, student_name, record, old, changes FROM event") {
            row throws(StateError) -> String? in
            let isOwn = traces.isStudent(id: row.text(1), name: row.text(2))
            let texts = [row.text(3), row.text(4), row.text(5)]
            let key = try row.value(3)["key"].string ?? ""
            return isOwn || traces.isKey(key) || texts.contains(where: traces.isNamed) ? row.text(0) : nil
        }
        let ids = Set(rows.compactMap(\.self))
        for id in ids { try connection.run("DELETE FROM event WHERE id = ?1", .text(id)) }
        return ids
    }

    /// - Returns: for each message that is gone whether it had not been delivered.
    private func forgetMessages(
        about events: Set<String>,
        of traces: StudentTraces,
        sources: Set<String>
    ) throws(StateError) -> [Bool] {
        // A message is made in the step that notes for each event what its rule did with it.
        var own: Set<RuleMoment> = []
        var others: Set<RuleMoment> = []
        _ = try connection.rows("SELECT rule, at, about FROM note WHERE outcome = 'told'") { row in
            let moment = RuleMoment(rule: row.text(0), at: row.int(1))
            if events.contains(row.text(2)) { own.insert(moment) } else { others.insert(moment) }
        }
        let scheduled = try subjects(traces)
        let rows = try connection.rows(
            "SELECT place, rule, created_at, order_key, text, content, recipient, state FROM payload"
        ) { row -> (place: Int64, isUndelivered: Bool)? in
            let moment = RuleMoment(rule: row.text(1), at: row.int(2))
            let texts = [row.text(4), row.text(5), row.text(6)]
            let isUndelivered = !["delivered", "dropped"].contains(row.text(7))
            let isOwn = own.contains(moment) || scheduled.own.contains(row.int(0))
            // What others wait for, too, goes only if it speaks of this one.
            let isShared = others.contains(moment) || (isUndelivered && scheduled.shared.contains(row.int(0)))
            let isAbout =
                Self.isAbout(row.text(3), traces, sources) || texts.contains(where: traces.isNamed)
                || (isOwn && (!isShared || texts.contains(where: traces.isCalled)))
            return isAbout ? (row.int(0), isUndelivered) : nil
        }
        let found = rows.compactMap(\.self)
        for payload in found { try connection.run("DELETE FROM payload WHERE place = ?1", .int(payload.place)) }
        for place in scheduled.own { try forgetSubject(of: place, traces) }
        return found.map(\.isUndelivered)
    }

    /// Messages of scheduled rules by place: those that hold something of the student, and those that hold something of others.
    private func subjects(_ traces: StudentTraces) throws(StateError) -> (own: Set<Int64>, shared: Set<Int64>) {
        var own: Set<Int64> = []
        var shared: Set<Int64> = []
        _ = try connection.rows("SELECT payload, student_id, student_name FROM subject") { row in
            if traces.isStudent(id: row.text(1), name: row.text(2)) {
                own.insert(row.int(0))
            } else {
                shared.insert(row.int(0))
            }
        }
        return (own, shared)
    }

    /// Of a message that stays for others it is not remembered that it was about this one, too.
    private func forgetSubject(of place: Int64, _ traces: StudentTraces) throws(StateError) {
        let students = try connection.rows(
            "SELECT student_id, student_name FROM subject WHERE payload = ?1",
            .int(place)
        ) { Student(id: $0.text(0), name: $0.text(1)) }
        for student in students where traces.isStudent(id: student.id, name: student.name) {
            try connection.run(
                "DELETE FROM subject WHERE payload = ?1 AND student_id = ?2 AND student_name = ?3",
                .int(place),
                .text(student.id),
                .text(student.name)
            )
        }
    }

    private struct RuleMoment: Hashable {
        var rule: String
        var at: Int64
    }

    /// Whether a text that begins with a source's name and goes on with a record's key is about the student: `lessons/4711/…`.
    private static func isAbout(_ text: String, _ traces: StudentTraces, _ sources: Set<String>) -> Bool {
        guard let slash = text.firstIndex(of: "/") else { return false }
        return sources.contains(String(text[..<slash])) || traces.isKey(String(text[text.index(after: slash)...]))
    }

    private func forgetNotes(
        about events: Set<String>,
        of traces: StudentTraces,
        sources: Set<String>
    ) throws(StateError) -> Int {
        let rows = try connection.rows("SELECT rowid, about, reason FROM note") { row -> Int64? in
            let about = row.text(1)
            let isFound =
                events.contains(about) || Self.isAbout(about, traces, sources) || traces.isNamed(in: row.text(2))
            return isFound ? row.int(0) : nil
        }
        let found = rows.compactMap(\.self)
        for place in found { try connection.run("DELETE FROM note WHERE rowid = ?1", .int(place)) }
        return found.count
    }

    private func forgetSlots(of traces: StudentTraces, sources: Set<String>) throws(StateError) -> Int {
        let slots = try connection.rows("SELECT rule, key FROM slot") { (rule: $0.text(0), key: $0.text(1)) }
        let found = slots.filter { Self.isAbout($0.key, traces, sources) }
        for slot in found {
            try connection.run("DELETE FROM slot WHERE rule = ?1 AND key = ?2", .text(slot.rule), .text(slot.key))
        }
        return found.count
    }

    private func forgetMemories(
        of sources: Set<String>,
        _ edit: (String, Value, Set<String>) -> (Value, removed: Int)
    ) throws(StateError) -> Int {
        var count = 0
        for (key, memory) in try policyMemory() {
            let (left, removed) = edit(key, memory, sources)
            guard removed > 0 else { continue }
            count += removed
            if left.isNull {
                try connection.run("DELETE FROM policy WHERE rule = ?1", .text(key))
            } else {
                try connection.run("UPDATE policy SET memory = ?2 WHERE rule = ?1", .text(key), .value(left))
            }
        }
        return count
    }

    /// - Returns: how many are gone, and how many of others name the student and stay.
    private func forgetRecords(of traces: StudentTraces, sources: Set<String>) throws(StateError) -> (Int, Int) {
        var mentions = 0
        let rows = try connection.rows("SELECT source, key, fields FROM record") { row -> (String, String)? in
            if sources.contains(row.text(0)) || traces.isKey(row.text(1)) { return (row.text(0), row.text(1)) }
            if traces.isNamed(in: row.text(2)) { mentions += 1 }
            return nil
        }
        let found = rows.compactMap(\.self)
        for (source, key) in found {
            try connection.run("DELETE FROM record WHERE source = ?1 AND key = ?2", .text(source), .text(key))
        }
        return (found.count, mentions)
    }

    /// Answers that are kept for a bug report may name anybody, and so may what was wrong with rule files.
    private func clearEvidence(of traces: StudentTraces) throws(StateError) {
        let reports = try connection.rows("SELECT value FROM meta WHERE key = 'reload'") { $0.text(0) }
        if reports.contains(where: traces.isNamed) { try connection.run("DELETE FROM meta WHERE key = 'reload'") }
        for table in ["source", "sink", "rule"] {
            let rows = try connection.rows("SELECT name, health FROM \(table)") { row throws(StateError) in
                (name: row.text(0), text: row.text(1), health: Rows.health(of: try row.value(1)))
            }
            for row in rows where traces.isNamed(in: row.text) {
                var health = row.health
                health.evidence = nil
                if traces.isNamed(in: health.error) { health.error = "(forgotten)" }
                try connection.run(
                    "UPDATE \(table) SET health = ?2 WHERE name = ?1",
                    .text(row.name),
                    .value(Rows.value(of: health))
                )
            }
        }
    }
}
