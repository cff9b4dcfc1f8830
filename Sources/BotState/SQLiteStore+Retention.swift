public import BotCore
public import Values

/// What is forgotten in time.
extension SQLiteStore {
    /// What the world knows of a thing is kept for a year after it last changed, and that a record is gone as long: by then no account
    /// tells of it any more, and what returns may count from one again.
    static let oddsKept = TimeSpan.days(365)

    public func prune(before cut: Timestamp, keeping names: NamesInUse) throws(StateError) {
        try connection.transaction { () throws(StateError) in
            try connection.run("DELETE FROM event WHERE at < ?1", .time(cut))
            try connection.run("DELETE FROM note WHERE at < ?1", .time(cut))
            try connection.run("DELETE FROM slot WHERE at < ?1", .time(cut))
            try connection.run("DELETE FROM payload WHERE state NOT IN ('queued', 'sending') AND at < ?1", .time(cut))
            let odds = cut - Self.oddsKept
            try connection.run("DELETE FROM world WHERE touched_at < ?1", .time(odds))
            try connection.run("DELETE FROM record WHERE is_present = 0 AND gone_at < ?1", .time(odds))
            try forgetSources(before: cut, besides: names.sources)
            try forgetSinks(before: cut, besides: names.sinks)
            for rule in try others("SELECT name FROM rule", besides: names.rules) {
                try connection.run("DELETE FROM rule WHERE name = ?1", .text(rule))
            }
        }
    }

    private func forgetSources(before cut: Timestamp, besides names: Set<String>) throws(StateError) {
        let query = "SELECT name FROM source WHERE coalesce(attempted_at, 0) < ?1"
        for source in try others(query, .time(cut), besides: names) {
            try connection.run("DELETE FROM record WHERE source = ?1", .text(source))
            try connection.run("DELETE FROM source WHERE name = ?1", .text(source))
        }
    }

    private func forgetSinks(before cut: Timestamp, besides names: Set<String>) throws(StateError) {
        for sink in try others("SELECT DISTINCT sink FROM payload WHERE at < ?1", .time(cut), besides: names) {
            try connection.run("DELETE FROM payload WHERE sink = ?1 AND at < ?2", .text(sink), .time(cut))
        }
        let unused = "SELECT name FROM sink WHERE NOT EXISTS (SELECT 1 FROM payload WHERE payload.sink = sink.name)"
        for sink in try others(unused, besides: names) {
            try connection.run("DELETE FROM sink WHERE name = ?1", .text(sink))
        }
        // Whom nothing was for in all that time is nobody to remember.
        try connection.run(
            """
            DELETE FROM recipient WHERE NOT EXISTS (
                SELECT 1 FROM payload WHERE payload.sink = recipient.sink AND payload.recipient = address
            )
            """
        )
    }

    /// The names that a query gives, but for those in use.
    private func others(_ query: String, _ value: SQLValue..., besides names: Set<String>) throws(StateError)
        -> [String]
    {
        let statement = try connection.statement(query)
        try statement.bind(value)
        defer { statement.reset() }
        var others: [String] = []
        while try statement.step() {
            let name = statement.text(0)
            if !names.contains(name) { others.append(name) }
        }
        return others
    }
}
