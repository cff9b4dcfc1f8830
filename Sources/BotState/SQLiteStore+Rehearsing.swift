public import BotCore

extension SQLiteStore {
    /// The memory of a folder, copied to where nothing that is written lasts: for a run that must leave no trace. Nothing in the folder
    /// changes, and an engine may work on it meanwhile. Without a state there a new one begins.
    public static func openCopy(ofFolder path: String) async throws(StateError) -> SQLiteStore {
        let folder = StateFolder(path: path)
        if folder.isMissing { return SQLiteStore(try beginInMemory(), lock: nil) }
        try folder.requireDatabase()
        let connection = try Connection(copyOf: folder.database)
        try connection.execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        try Schema.migrate(connection)
        return SQLiteStore(connection, lock: nil)
    }

    private static func beginInMemory() throws(StateError) -> Connection {
        let connection = try Connection(path: ":memory:")
        try connection.execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        try begin(connection, loss: nil)
        return connection
    }
}
