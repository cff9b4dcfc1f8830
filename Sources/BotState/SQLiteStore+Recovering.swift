public import BotCore
public import Values

extension SQLiteStore {
    /// So many places in a row that cannot be read end the search: a page holds fewer messages.
    private static let patience = 2000

    /// Takes over what a damaged database still has of undelivered messages, under the ids they had; what is known already stays as it
    /// is. What was being sent may have arrived, and is marked as a possible repeat.
    /// - Returns: how many were taken over.
    public func recoverMessages(fromFile path: String, at now: Timestamp) throws(StateError) -> Int {
        let damaged = try Connection(path: path)
        defer { damaged.close() }
        var recovered = 0
        for row in Self.readable(in: damaged) {
            let students = Self.subjects(of: row.place, in: damaged)
            let place = try connection.transaction { () throws(StateError) -> Int64? in
                let taken = try insert(
                    row.payload.payload,
                    isRepeat: row.payload.payload.isRepeat || row.state == .sending,
                    isHealth: row.payload.isHealth,
                    row.state == .sending ? .queued : row.state,
                    at: now
                )
                if let taken { try note(students, asSubjectsOf: taken) }
                return taken
            }
            if place != nil { recovered += 1 }
        }
        return recovered
    }

    /// A message as the damaged database has it; the place is its place there.
    private typealias Readable = (place: Int64, payload: ClaimedPayload, state: DeliveryState)

    /// Whose data is in a message. Nobody's where this cannot be read: an earlier version did not note it.
    private static func subjects(of place: Int64, in damaged: Connection) -> Set<Student> {
        var found: Set<Student> = []
        // What comes before a page that cannot be read counts, too.
        _ = try? damaged.rows("SELECT student_id, student_name FROM subject WHERE payload = ?1", .int(place)) { row in
            _ = found.insert(Student(id: row.text(0), name: row.text(1)))
        }
        return found
    }

    /// Undelivered messages of a database some of whose pages cannot be read, in their order.
    private static func readable(in damaged: Connection) -> [Readable] {
        var found: [Readable] = []
        var place: Int64 = 0
        var failures = 0
        while failures < patience {
            do throws(StateError) {
                let next = try damaged.rows(
                    "SELECT \(payloadColumns) FROM payload NOT INDEXED WHERE place > ?1 ORDER BY place LIMIT 1",
                    .int(place)
                ) { row throws(StateError) in
                    (place: row.int(18), state: DeliveryState(rawValue: row.text(15)), payload: try? claimed(row))
                }
                guard let row = next.first else { return found }
                failures = 0
                place = row.place
                if let payload = row.payload, let state = row.state, [.queued, .sending, .held, .dead].contains(state) {
                    found.append((row.place, payload, state))
                }
            } catch {
                failures += 1
                place += 1
            }
        }
        return found
    }
}
