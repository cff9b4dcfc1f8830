import BotCore
import Values

/// Reads the rows of a source for an answer's sake, and knows those again that the answer holds just so.
///
/// Most of what a source answers is as it was. To see in the stored bytes that an entry would be written just so costs a small part of
/// building it anew; and what is shared is found equal without being looked through.
struct RecordReading {
    private(set) var found = StoredRecords()
    private let answer: [Record]
    /// Where in the answer a key stands first.
    private let places: [String: Int]
    /// Of which entries of the answer a row has been seen.
    private var isTaken: [Bool]
    /// The keys of rows that the answer does not have.
    private var others: Set<String> = []

    init(_ answer: [Record]) {
        self.answer = answer
        places = Dictionary(answer.indices.map { (answer[$0].key, $0) }) { first, _ in first }
        isTaken = Array(repeating: false, count: answer.count)
    }

    /// The keys of the answer of which no row has been seen, each once.
    var missingKeys: [String] {
        answer.indices.compactMap { place in
            let key = answer[place].key
            return isTaken[place] || places[key] != place ? nil : key
        }
    }

    /// Of rows whose keys differ in the bytes of one letter alone, which SQLite takes for two and Swift for one, the first counts.
    mutating func take(_ row: Statement) throws(StateError) {
        let key = row.text(0)
        let place = places[key]
        if let place {
            if isTaken[place] { return }
            isTaken[place] = true
        } else if !others.insert(key).inserted {
            return
        }
        if !row.flag(7) {
            found.gone[key] = row.int(6)
        } else if let place, Self.stores(row, answer[place]) {
            found.present.append(StoredRecord(answer[place], revision: row.int(6)))
        } else {
            found.present.append(try Self.record(row))
        }
    }

    /// The columns, in the order of `SQLiteStore.recordColumns`.
    static func record(_ row: Statement) throws(StateError) -> StoredRecord {
        let record = Record(
            key: row.text(0),
            type: row.text(1),
            date: row.date(2),
            fields: try row.value(3).map ?? [:],
            likeness: row.optionalText(4),
            worldKey: row.optionalText(5)
        )
        return StoredRecord(record, revision: row.int(6))
    }

    /// Whether the row is what this record would be written as.
    private static func stores(_ row: Statement, _ record: Record) -> Bool {
        row.date(2) == record.date && row.holds(record.type, in: 1) && row.holds(record.likeness, in: 4)
            && row.holds(record.worldKey, in: 5) && row.holds(.map(record.fields), in: 3)
    }
}
