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
    /// The parts that the list is put together from, each asked for by itself, and whether any has ever answered in this era.
    private(set) var parts: [String: Bool]

    init(_ memo: Value, era: String) {
        self.era = era
        day = memo["day"].day
        let isSameEra = memo["era"].string == era
        emptyAnswers = isSameEra ? memo["empty"].integer ?? 0 : Self.heldEmptyAnswers
        let known = isSameEra ? memo["parts"].map ?? [:] : [:]
        parts = Dictionary(known.map { ($0.key.plainText, $0.value == true) }) { first, _ in first }
    }

    /// The parts of a memo that have never answered: what they show when they do is learnt, not told.
    static func unseenParts(in memo: Value) -> Set<String> { parts(in: memo, haveAnswered: false) }

    /// The parts of a memo that have answered.
    static func seenParts(in memo: Value) -> Set<String> { parts(in: memo, haveAnswered: true) }

    private static func parts(in memo: Value, haveAnswered: Bool) -> Set<String> {
        Set((memo["parts"].map ?? [:]).filter { $0.value == .bool(haveAnswered) }.map(\.key.plainText))
    }

    /// A part that was refused today is seen if it had answered before. One that is not spoken of today is forgotten if it had
    /// answered; if not, it is kept, as what it holds has still to be learnt.
    mutating func note(answered: Set<String>, refused: Set<String>) {
        var noted = parts.filter { !$0.value }
        for part in refused { noted[part] = parts[part] ?? false }
        for part in answered { noted[part] = true }
        parts = noted
    }

    /// Whether an answer must not count yet.
    /// - Parameter lacksPart: whether a part that is known to have entries came without any, however full the others are.
    mutating func holds(_ snapshot: Snapshot, _ request: FetchRequest, lacksPart: Bool = false) -> Bool {
        let isDoubtful = snapshot.records?.isEmpty == true && snapshot.unreadable == 0 && !request.knownKeys.isEmpty
        guard isDoubtful || lacksPart, emptyAnswers < Self.heldEmptyAnswers else {
            emptyAnswers = 0
            day = request.today
            return false
        }
        emptyAnswers += 1
        return true
    }

    var value: Value {
        let parts = ValueMap(self.parts.sorted { $0.key < $1.key }.map { (.string($0.key), .bool($0.value)) })
        return [
            "era": .string(era), "empty": .int(emptyAnswers), "day": day.map { .string($0.description) } ?? .null,
            "parts": .map(parts),
        ]
    }
}

extension WebUntisAccount {
    /// The snapshot of a list: its records, or nothing new while an empty answer is held back.
    ///
    /// - Parameters:
    ///   - answered: the parts of the list that came, where each is asked for by itself.
    ///   - refused: the parts that did not.
    ///   - lacksPart: whether a part that is known to have entries came without any.
    func listSnapshot(
        _ snapshot: Snapshot,
        _ request: FetchRequest,
        answered: Set<String> = [],
        refused: Set<String> = [],
        lacksPart: Bool = false
    ) -> Snapshot {
        var snapshot = snapshot
        var memo = ListMemo(request.memo, era: snapshot.era)
        if memo.holds(snapshot, request, lacksPart: lacksPart) {
            distrustSession()
            snapshot.records = nil
        } else {
            memo.note(answered: answered, refused: refused)
        }
        snapshot.memo = memo.value
        return snapshot
    }
}

extension Record {
    /// The part of a list that it came with, of a source whose keys begin with the student and the part: `4711/61001`.
    var listPart: String { key.split(separator: "/").prefix(2).joined(separator: "/") }
}
