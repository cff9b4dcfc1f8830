public import BotCore
public import Values

extension SQLiteStore {
    /// Makes sources begin anew: their next good answer is taken as known, and nothing of it is told.
    ///
    /// What they know of records stays, so that revisions go on counting. The memo goes: with it the far end might send no answer at all.
    /// - Returns: those of the names that the memory knows.
    public func baseline(_ names: [String]) throws(StateError) -> [String] {
        try connection.transaction { () throws(StateError) in
            var known: [String] = []
            for name in names {
                let found = try connection.rows(
                    """
                    UPDATE source SET is_learnt = 0, memo = 'null', learnt_dates = '', empty_since = NULL WHERE name = ?1
                    RETURNING name
                    """,
                    .text(name)
                ) { $0.text(0) }
                known += found
            }
            return known
        }
    }

    /// Forgets that a record is there: if the next answer has it, it is told like a new one. The memo goes: with it the far end might say
    /// that nothing has changed.
    /// - Returns: false where the source has no such record.
    public func forgetRecord(_ key: String, of source: String, at now: Timestamp) throws(StateError) -> Bool {
        try connection.transaction { () throws(StateError) in
            let worlds = try connection.rows(
                "SELECT world_key FROM record WHERE source = ?1 AND key = ?2 AND is_present = 1",
                .text(source),
                .text(key)
            ) { $0.optionalText(0) }
            guard let world = worlds.first else { return false }
            // Its number stays and grows, so that what is told of it has an id of its own.
            try connection.run(
                """
                UPDATE record SET is_present = 0, revision = revision + 1, fields = 'null', likeness = NULL, world_key = NULL,
                    gone_at = ?3
                WHERE source = ?1 AND key = ?2
                """,
                .text(source),
                .text(key),
                .time(now)
            )
            try connection.run("UPDATE source SET memo = 'null' WHERE name = ?1", .text(source))
            if let world {
                let place = "\u{1F}\(world)"
                try connection.run("DELETE FROM world WHERE substr(key, -length(?1)) = ?1", .text(place))
            }
            return true
        }
    }
}
