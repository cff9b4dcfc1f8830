import BotCore
import Foundation
import Values

/// Makes records of the entries of a list.
struct ItemReader: Sendable {
    let settings: ItemSettings

    /// What became of a list.
    struct Reading {
        var records: [Record] = []
        /// Keys of entries that cannot be read; what is stored of them stays.
        var unreadableKeys: Set<String> = []
        var unreadable = 0
    }

    /// Reads a whole list. Entries of one key that say different things are unreadable, all of them: nothing tells which one is true.
    func read(_ entries: [Value], zone: Zone) -> Reading {
        var reading = Reading()
        var places: [String: Int] = [:]
        places.reserveCapacity(entries.count)
        reading.records.reserveCapacity(entries.count)
        for entry in entries {
            guard let key = key(of: entry) else {
                reading.unreadable += 1
                continue
            }
            guard let fields = fields(of: entry, key: key, zone) else {
                reading.unreadable += 1
                reading.unreadableKeys.insert(key)
                continue
            }
            let record = Record(key: key, type: ItemSchema.record, fields: fields)
            if let place = places.updateValue(reading.records.count, forKey: key) {
                places[key] = place
                reading.unreadable += 1
                if reading.records[place] != record { reading.unreadableKeys.insert(key) }
            } else {
                reading.records.append(record)
            }
        }
        if !reading.unreadableKeys.isEmpty {
            reading.records.removeAll { reading.unreadableKeys.contains($0.key) }
        }
        return reading
    }

    private func key(of entry: Value) -> String? {
        switch settings.key.value(in: entry) {
        case .string(let text):
            let key = text.tidy
            return key.isEmpty ? nil : key
        case .int(let number): return String(number)
        case .uint(let number): return String(number)
        default: return nil
        }
    }

    /// Nil where a declared member is of another type than it was declared with.
    private func fields(of entry: Value, key: String, _ zone: Zone) -> ValueMap? {
        let title = Value.string(title(of: entry) ?? key)
        guard let declared = settings.fields else {
            return [ItemSchema.key: .string(key), ItemSchema.title: title, ItemSchema.values: .map(scalars(of: entry))]
        }
        var fields: ValueMap = [ItemSchema.key: .string(key), ItemSchema.title: title]
        for field in declared {
            let value = field.path.value(in: entry)
            if value.isNull {
                if field.type == .text || field.type == .date { fields[field.name] = "" }
            } else if let read = field.type.read(value, zone) {
                fields[field.name] = read
            } else {
                return nil
            }
        }
        return fields
    }

    private func title(of entry: Value) -> String? {
        for path in settings.titles {
            if let title = Self.title(path.value(in: entry)) { return title }
        }
        return nil
    }

    private static func title(_ value: Value) -> String? {
        let text = ItemType.text.read(value, .utc)?.string ?? ""
        return text.isEmpty ? nil : text
    }

    /// Every text, number and flag of an entry; missing and null are the same.
    private func scalars(of entry: Value) -> ValueMap {
        guard let map = entry.map else { return [:] }
        if settings.ignored.isEmpty, map.pairs.allSatisfy({ Self.countsAsItIs($0.value) }) { return map }
        return map.compactMapValues { pair in
            if !settings.ignored.isEmpty, settings.ignored.contains(pair.key.plainText) { return nil }
            return switch pair.value {
            case .string(let text): .string(text.tidy)
            // 5 and 5.0 are the same number in JSON.
            case .double(let number): Int64(exactly: number).map { .int($0) } ?? pair.value
            case .bool, .int, .uint: pair.value
            default: nil
            }
        }
    }
}

extension ItemReader {
    /// Whether a member is a scalar that needs no tidying. Of many lists all are, and their entries are not copied.
    private static func countsAsItIs(_ value: Value) -> Bool {
        switch value {
        case .string(let text): text.isTidyLine
        case .bool, .int, .uint: true
        case .double(let number): Int64(exactly: number) == nil
        default: false
        }
    }
}

extension ItemType {
    /// The value in the form that the type's field has; nil for anything else.
    func read(_ value: Value, _ zone: Zone) -> Value? {
        switch self {
        case .text:
            switch value {
            case .string(let text): .string(text.tidy)
            case .bool, .int, .uint, .double: .string(value.plainText)
            default: nil
            }
        case .number: (value.number ?? Self.number(value)).map { .double($0) }
        case .integer: (value.integer ?? value.string.flatMap { Int64($0.tidy) }).map { .int($0) }
        case .flag: value.bool.map { .bool($0) }
        case .timestamp: Self.instant(value, zone).map { .timestamp($0) }
        case .date: Self.date(value, zone).map { .string($0.description) }
        }
    }

    /// A number that was written as text, as prices often are.
    private static func number(_ value: Value) -> Double? {
        guard let text = value.string?.tidy, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else {
            return nil
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// RFC 3339; a wall-clock reading `2026-11-30T16:00` in the source's zone; or seconds or milliseconds since 1970. What is above
    /// 100,000,000,000 counts milliseconds: as seconds it would lie beyond the year 5000.
    private static func instant(_ value: Value, _ zone: Zone) -> Timestamp? {
        if let number = value.number {
            let milliseconds = abs(number) < 1e11 ? number * 1000 : number
            // To the year 9999, the last that RFC 3339 can write.
            guard (0..<253_402_300_800_000).contains(milliseconds) else { return nil }
            return Timestamp(milliseconds: Int64(milliseconds))
        }
        guard let text = value.string?.tidy else { return nil }
        if let instant = Timestamp(rfc3339: text) { return instant }
        guard let date = CalendarDate(text.prefix(10)) else { return nil }
        if text.utf8.count == 10 { return zone.instant(of: date, at: .midnight) }
        guard "T ".contains(text.dropFirst(10).prefix(1)), let time = WallTime(text.dropFirst(11).prefix { $0 != "." })
        else {
            return nil
        }
        return zone.instant(of: date, at: time)
    }

    /// `2026-11-30`, or the day of an instant in the source's zone.
    private static func date(_ value: Value, _ zone: Zone) -> CalendarDate? {
        value.string.flatMap { CalendarDate($0.tidy) } ?? instant(value, zone).map { zone.date(at: $0) }
    }
}

extension String {
    /// In NFC, with single blanks within a line and none at its ends: two spellings of one text are equal wherever they are compared.
    var tidy: String {
        if isTidyLine { return self }
        let lines = precomposedStringWithCanonicalMapping.split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { line in
                line.split { $0.isWhitespace }.joined(separator: " ")
            }
        return lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
    }
}
