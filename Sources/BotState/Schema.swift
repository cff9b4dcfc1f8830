import BotCore

/// The form of the database and how older forms become it.
///
/// Instants are milliseconds since 1970 (UTC), days are days since 1970-01-01, values are `StoredValue` texts.
enum Schema {
    /// One step for each version, in order; `PRAGMA user_version` counts those that are done.
    static let migrations = [first, queuedByHand, goneRecords, recipients, subjects, availability]

    static var version: Int { migrations.count }

    /// Brings a database to this version, in one transaction.
    static func migrate(_ connection: Connection) throws(StateError) {
        try connection.transaction { () throws(StateError) in
            let found = try version(of: connection)
            guard found <= version else { throw .newer(found: found, known: version) }
            for step in migrations[found...] { try connection.execute(step) }
            if found < version { try connection.execute("PRAGMA user_version = \(version)") }
        }
    }

    static func version(of connection: Connection) throws(StateError) -> Int {
        let rows = try connection.rows("PRAGMA user_version") { Int($0.int(0)) }
        guard let found = rows.first, found >= 0 else { throw .corrupt("it has no version") }
        return found
    }

    /// When a payload was last queued by hand.
    private static let queuedByHand = "ALTER TABLE payload ADD COLUMN requeued_at INTEGER"

    /// Since when a record is gone. Of those that are gone already it is not known: it counts from the last poll.
    private static let goneRecords = """
        ALTER TABLE record ADD COLUMN gone_at INTEGER;
        UPDATE record SET gone_at = (SELECT coalesce(attempted_at, 0) FROM source WHERE name = record.source)
        WHERE is_present = 0;
        CREATE INDEX record_gone ON record (gone_at) WHERE is_present = 0;
        """

    /// Recipients that cannot be sent to like the others of their sink.
    private static let recipients = """
        CREATE TABLE recipient (
            sink TEXT NOT NULL, address TEXT NOT NULL, not_before INTEGER, gone_fingerprint TEXT,
            PRIMARY KEY (sink, address)
        ) STRICT, WITHOUT ROWID;
        """

    /// Whose data is in messages that tell of no event.
    private static let subjects = """
        CREATE TABLE subject (
            payload INTEGER NOT NULL REFERENCES payload ON DELETE CASCADE,
            student_id TEXT NOT NULL, student_name TEXT NOT NULL, PRIMARY KEY (payload, student_id, student_name)
        ) STRICT, WITHOUT ROWID;
        """

    /// Since when a sink could be tried.
    private static let availability = "ALTER TABLE sink ADD COLUMN available_since INTEGER"

    private static let first = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE source (
            name TEXT PRIMARY KEY, is_learnt INTEGER NOT NULL, era TEXT NOT NULL, memo TEXT NOT NULL,
            learnt_dates TEXT NOT NULL, window_first INTEGER, window_last INTEGER,
            student_id TEXT NOT NULL, student_name TEXT NOT NULL, account TEXT NOT NULL, calendar TEXT NOT NULL,
            taken_at INTEGER, attempted_at INTEGER, empty_since INTEGER, health TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE record (
            source TEXT NOT NULL, key TEXT NOT NULL, date INTEGER, revision INTEGER NOT NULL,
            is_present INTEGER NOT NULL, type TEXT NOT NULL, fields TEXT NOT NULL, likeness TEXT, world_key TEXT,
            PRIMARY KEY (source, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX record_by_date ON record (source, date);

        CREATE TABLE world (
            key TEXT PRIMARY KEY, revision INTEGER NOT NULL, is_present INTEGER NOT NULL, facts TEXT NOT NULL,
            kinds TEXT NOT NULL, touched_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX world_by_time ON world (touched_at);

        CREATE TABLE policy (rule TEXT PRIMARY KEY, memory TEXT NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE event (
            id TEXT NOT NULL UNIQUE, world_id TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
            source TEXT NOT NULL, account TEXT NOT NULL, student_id TEXT NOT NULL, student_name TEXT NOT NULL,
            record TEXT NOT NULL, old TEXT, changes TEXT NOT NULL, revision INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX event_by_time ON event (at);

        CREATE TABLE note (
            rule TEXT NOT NULL, about TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX note_by_subject ON note (about);
        CREATE INDEX note_by_time ON note (at);

        CREATE TABLE payload (
            place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL,
            rule TEXT NOT NULL, sink TEXT NOT NULL, recipient TEXT NOT NULL, part INTEGER NOT NULL,
            parts INTEGER NOT NULL, order_key TEXT NOT NULL, lane TEXT NOT NULL, created_at INTEGER NOT NULL,
            expires INTEGER, text TEXT NOT NULL, content TEXT NOT NULL, is_repeat INTEGER NOT NULL,
            is_health INTEGER NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL, attempts INTEGER NOT NULL,
            remote_id TEXT
        ) STRICT;
        CREATE INDEX payload_queued ON payload (sink, place) WHERE state = 'queued';
        CREATE INDEX payload_due ON payload (sink, at) WHERE state = 'queued';
        CREATE INDEX payload_lane ON payload (lane, place) WHERE state IN ('queued', 'sending');
        CREATE INDEX payload_expiry ON payload (expires) WHERE state = 'queued' AND expires IS NOT NULL;
        CREATE INDEX payload_state ON payload (state, at);
        CREATE INDEX payload_message ON payload (message);

        CREATE TABLE attempt (
            payload INTEGER NOT NULL REFERENCES payload ON DELETE CASCADE, number INTEGER NOT NULL,
            at INTEGER NOT NULL, outcome TEXT NOT NULL, answer TEXT NOT NULL,
            PRIMARY KEY (payload, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE slot (
            rule TEXT NOT NULL, key TEXT NOT NULL, due INTEGER NOT NULL, at INTEGER NOT NULL,
            PRIMARY KEY (rule, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE rest (
            account TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, since INTEGER NOT NULL, error TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sink (
            name TEXT PRIMARY KEY, memo TEXT NOT NULL, health TEXT NOT NULL, rest_fingerprint TEXT
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE rule (name TEXT PRIMARY KEY, health TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """
}
