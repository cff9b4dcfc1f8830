import BotCore
import Values

/// What a source of whole lists remembers from poll to poll.
///
/// A dead login can look like an empty list, and no list of a school loses all its entries in an hour. An empty answer that contradicts
/// what is known is held back twice; the third in a row counts.
struct ListMemo: Sendable {
    private static let heldEmptyAnswers: Int64 = 2

    let era: String
    /// The day of the last answer that counted.
    private(set) var day: CalendarDate?
    private var emptyAnswers: Int64

    init(_ memo: Value, era: String) {
        self.era = era
        day = memo["day"].day
        emptyAnswers = memo["era"].string == era ? memo["empty"].integer ?? 0 : Self.heldEmptyAnswers
    }

    /// Whether an answer must not count yet.
    mutating func holds(_ snapshot: Snapshot, _ request: FetchRequest) -> Bool {
        let isDoubtful = snapshot.records?.isEmpty == true && snapshot.unreadable == 0 && !request.knownKeys.isEmpty
        guard isDoubtful, emptyAnswers < Self.heldEmptyAnswers else {
            emptyAnswers = 0
            day = request.today
            return false
        }
        emptyAnswers += 1
        return true
    }

    var value: Value {
        ["era": .string(era), "empty": .int(emptyAnswers), "day": day.map { .string($0.description) } ?? .null]
    }
}

extension WebUntisAccount {
    /// The snapshot of a list: its records, or nothing new while an empty answer is held back.
    func listSnapshot(
        _ snapshot: Snapshot,
        _ request: FetchRequest
    ) -> Snapshot {
        var snapshot = snapshot
        var memo = ListMemo(request.memo, era: snapshot.era)
        if memo.holds(snapshot, request) {
            distrustSession()
            snapshot.records = nil
        }
        snapshot.memo = memo.value
        return snapshot
    }
}
