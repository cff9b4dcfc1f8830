import BotCore
import CSQLite
import Glibc
import Values

/// What goes into a column.
enum SQLValue {
    case null
    case int(Int64)
    case text(String)
    case bytes([UInt8])

    static func int(_ value: Int) -> SQLValue { .int(Int64(value)) }
    static func flag(_ value: Bool) -> SQLValue { .int(value ? 1 as Int64 : 0) }
    static func time(_ value: Timestamp) -> SQLValue { .int(value.milliseconds) }
    static func time(_ value: Timestamp?) -> SQLValue { value.map { .time($0) } ?? .null }
    static func date(_ value: CalendarDate?) -> SQLValue { value.map { .int($0.dayNumber) } ?? .null }
    static func text(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
    static func value(_ value: Value) -> SQLValue { .text(StoredValue.text(of: value)) }
}

/// A prepared statement and, while it runs, its current row. Columns count from 0.
final class Statement {
    /// Owns this statement, and outlives it.
    private unowned let connection: Connection
    private let statement: OpaquePointer
    /// How many rows it has given, ever.
    private(set) var rowsGiven = 0

    init(_ sql: String, on connection: Connection) throws(StateError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw Connection.error(code, on: connection.handle) }
        self.connection = connection
        statement = prepared
    }

    deinit { sqlite3_finalize(statement) }

    /// One of SQLite's counters of the statement.
    func count(of status: Int32) -> Int { Int(sqlite3_stmt_status(statement, status, 0)) }

    func reset() {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    func bind(_ values: [SQLValue]) throws(StateError) {
        for (place, value) in values.enumerated() {
            let code = bind(value, at: Int32(place + 1))
            if code != SQLITE_OK { throw Connection.error(code, on: connection.handle) }
        }
    }

    private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, place)
        case .int(let number): sqlite3_bind_int64(statement, place, number)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // An empty buffer may have no address, which SQLite would take for NULL.
                    $0.isEmpty
                        ? pokyh_bind_text(statement, place, "", 0)
                        : pokyh_bind_text(statement, place, $0.baseAddress, Int32($0.count))
                }
            }
        case .bytes(let bytes): pokyh_bind_blob(statement, place, bytes, Int32(bytes.count))
        }
    }

    /// Whether there is a row.
    func step() throws(StateError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
            rowsGiven += 1
            return true
        case SQLITE_DONE: return false
        case let code:
            let error = Connection.error(code, on: connection.handle)
            sqlite3_reset(statement)
            throw error
        }
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func flag(_ column: Int32) -> Bool { int(column) != 0 }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the column holds just this text, or NULL for nil.
    func holds(_ expected: String?, in column: Int32) -> Bool {
        guard var expected else { return isNull(column) }
        guard let start = sqlite3_column_text(statement, column) else { return false }
        let count = Int(sqlite3_column_bytes(statement, column))
        return expected.withUTF8 { bytes in
            guard let first = bytes.baseAddress, bytes.count == count else { return count == bytes.count }
            return memcmp(first, start, count) == 0
        }
    }

    /// Whether the column holds what this value is written as; see `StoredValueMatching`.
    func holds(_ expected: Value, in column: Int32) -> Bool {
        let start = sqlite3_column_text(statement, column)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return StoredValueMatching.isWritten(expected, as: bytes)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: int(column)) }
    func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }
    func date(_ column: Int32) -> CalendarDate? { isNull(column) ? nil : CalendarDate(dayNumber: int(column)) }

    func value(_ column: Int32) throws(StateError) -> Value {
        let start = sqlite3_column_text(statement, column)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return try StoredValue.value(of: bytes)
    }
}
