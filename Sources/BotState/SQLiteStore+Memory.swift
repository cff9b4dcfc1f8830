public import BotCore
public import Values

extension SQLiteStore {
    private static let recordColumns = "key, type, date, fields, likeness, world_key, revision, is_present"
    private static let stateColumns = """
        name, is_learnt, era, memo, learnt_dates, window_first, window_last, student_id, student_name, account, calendar,
        taken_at, attempted_at, empty_since, health
        """

    public func sources() throws(StateError) -> [String: SourceState] {
        let rows = try connection.rows("SELECT \(Self.stateColumns) FROM source") { row throws(StateError) in
            (row.text(0), try Self.state(row))
        }
        return Dictionary(rows) { first, _ in first }
    }

    private static func state(_ row: Statement) throws(StateError) -> SourceState {
        var state = SourceState()
        state.isLearnt = row.flag(1)
        state.era = row.text(2)
        state.memo = try row.value(3)
        state.learntDates = Rows.dates(of: row.text(4))
        if let first = row.date(5), let last = row.date(6) { state.window = DateWindow(first, through: last) }
        state.student = Student(id: row.text(7), name: row.text(8))
        state.account = row.text(9)
        state.calendar = Rows.calendar(of: try row.value(10))
        state.takenAt = row.optionalTime(11)
        state.attemptedAt = row.optionalTime(12)
        state.emptySince = row.optionalTime(13)
        state.health = Rows.health(of: try row.value(14))
        return state
    }

    public func keys(of source: String) throws(StateError) -> Set<String> {
        Set(
            try connection.rows("SELECT key FROM record WHERE source = ?1 AND is_present = 1", .text(source)) {
                $0.text(0)
            }
        )
    }

    public func records(for questions: [RecordQuestion]) throws(StateError) -> [StoredRecords] {
        // In one transaction: each by itself takes and gives back the locks of the file.
        try connection.reading { () throws(StateError) in
            var answers: [StoredRecords] = []
            for question in questions { answers.append(try records(for: question)) }
            return answers
        }
    }

    private func records(for question: RecordQuestion) throws(StateError) -> StoredRecords {
        let source = SQLValue.text(question.source)
        let select = "SELECT \(Self.recordColumns) FROM record WHERE source = ?1"
        var reading = RecordReading(question.answer)
        let take = { (row: Statement) throws(StateError) in try reading.take(row) }
        guard let first = question.first else {
            _ = try connection.rows(select, source, make: take)
            return reading.found
        }
        _ = try connection.rows(select + " AND date >= ?2", source, .date(first), make: take)
        _ = try connection.rows(select + " AND date IS NULL", source, make: take)
        for key in reading.missingKeys {
            _ = try connection.rows(select + " AND key = ?2", source, .text(key), make: take)
        }
        return reading.found
    }

    public func view(of source: String) throws(StateError) -> SourceView? {
        try connection.reading { () throws(StateError) in
            let states = try connection.rows(
                "SELECT \(Self.stateColumns) FROM source WHERE name = ?1",
                .text(source),
                make: { row throws(StateError) in try Self.state(row) }
            )
            guard let state = states.first, state.isLearnt, let takenAt = state.takenAt else { return nil }
            let columns = Self.recordColumns
            // A whole list has no window: then every date lies within it.
            let records = try connection.rows(
                """
                SELECT \(columns) FROM record
                WHERE source = ?1 AND is_present = 1 AND (date IS NULL OR ?2 IS NULL OR date BETWEEN ?2 AND ?3)
                """,
                .text(source),
                .date(state.window?.first),
                .date(state.window?.last),
                make: { row throws(StateError) in try RecordReading.record(row).record }
            )
            return SourceView(
                records: records,
                takenAt: takenAt,
                student: state.student,
                account: state.account,
                calendar: state.calendar
            )
        }
    }

    public func worlds(_ keys: [String]) throws(StateError) -> [String: WorldState] {
        var worlds: [String: WorldState] = [:]
        for key in keys {
            let rows = try connection.rows(
                "SELECT revision, is_present, facts, kinds FROM world WHERE key = ?1",
                .text(key)
            ) { row throws(StateError) in
                WorldState(
                    revision: row.int(0),
                    isPresent: row.flag(1),
                    facts: Rows.texts(of: try row.value(2)),
                    kinds: Rows.numbers(of: try row.value(3))
                )
            }
            worlds[key] = rows.first
        }
        return worlds
    }

    public func policyMemory() throws(StateError) -> [String: Value] {
        let rows = try connection.rows("SELECT rule, memory FROM policy") { row throws(StateError) in
            (row.text(0), try row.value(1))
        }
        return Dictionary(rows) { first, _ in first }
    }
}
