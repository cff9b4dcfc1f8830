public import BotCore

extension SQLiteStore {
    /// Writes the database anew, so that nothing that was deleted is left in its pages or in the log beside it.
    ///
    /// `VACUUM` makes a file of the present rows alone (https://www.sqlite.org/lang_vacuum.html); truncating the log afterwards takes away
    /// the pages that lay in it (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
    /// - Throws: `failed` while another process reads; `diskFull` where the new file has no room.
    public func compact() throws(StateError) {
        try emptyLog()
        try connection.execute("VACUUM")
        try emptyLog()
    }

    private func emptyLog() throws(StateError) {
        let isBusy = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") { $0.flag(0) }
        if isBusy.contains(true) {
            throw .failed("another command reads the state, so that its log could not be emptied; run this again")
        }
    }
}
