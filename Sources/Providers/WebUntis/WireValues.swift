import Digests
import Foundation
import HTMLText
import Values

/// What WebUntis writes in several ways, read in one.
///
/// Every text is normalised here and nowhere else: NFC, no-break spaces as spaces, no blanks at the ends, so that two spellings of one
/// thing are equal in comparisons, keys and rules.
extension Value {
    /// A name or label on one line: text or number; "" for anything else.
    var label: String {
        switch self {
        case .string(let text):
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ").precomposedStringWithCanonicalMapping
        case .int, .uint, .double: plainText
        default: ""
        }
    }

    /// A text of several lines, HTML or not, as plain text.
    var prose: String {
        string.map { HTMLText.plainText($0).precomposedStringWithCanonicalMapping } ?? ""
    }

    /// The same on one line.
    var line: String { prose.split(separator: "\n").joined(separator: " ") }

    /// A whole number that may be written as text.
    var wholeNumber: Int64? { integer ?? string.flatMap { Int64($0.trimmed) } }

    /// The id of an entry; where it has none, a digest of what it says, by which it can be found again.
    func name(orContent content: [String]) -> String {
        self["id"].wholeNumber.flatMap { $0 > 0 ? String($0) : nil } ?? "content-" + ContentID.make(content)
    }

    /// A truth that may be written as 0, 1 or text.
    var truth: Bool? {
        if let bool { return bool }
        switch label.lowercased() {
        case "true", "1": return true
        case "false", "0": return false
        default: return nil
        }
    }

    /// A day: 20261130 as number or text, `2026-11-30`, or either with a time behind it.
    var day: CalendarDate? {
        let text = label
        if let date = CalendarDate(text.prefix(10)) { return date }
        guard text.utf8.count == 8, let number = Int(text), number > 0 else { return nil }
        return CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// A time of day: hour times 100 plus minute (750 is 07:50, 5 is 00:05), `07:50`, or `T07:50`; nil for 1260 and 2400.
    var clockTime: WallTime? {
        if let number = wholeNumber {
            guard number >= 0, number < 2400 else { return nil }
            return WallTime(hour: Int(number / 100), minute: Int(number % 100))
        }
        let text = label.hasPrefix("T") ? label.dropFirst() : label[...]
        return WallTime(text.prefix(5))
    }

    /// The wall-clock reading of `2026-11-30T07:50`; seconds count, fractions and a `Z` do not, as all times of WebUntis are the
    /// school's local time whatever they end with. A day alone is its midnight.
    var localTime: (date: CalendarDate, time: WallTime)? {
        let text = label
        guard let date = CalendarDate(text.prefix(10)) else { return nil }
        let rest = text.dropFirst(10)
        if rest.isEmpty { return (date, .midnight) }
        guard rest.first == "T" || rest.first == " " else { return nil }
        let clock = rest.dropFirst()
        guard let time = WallTime(clock.prefix(8)) ?? WallTime(clock.prefix(5)) else { return nil }
        return (date, time)
    }

    /// The names of a person, subject or class that is written as text, as object with a name, or as a list of either.
    var names: [String] {
        if let list { return list.flatMap(\.names) }
        if map != nil {
            let name = ["displayName", "shortName", "name", "longName"].lazy.map { self[$0].label }.first {
                !$0.isEmpty
            }
            return name.map { [$0] } ?? []
        }
        return label.isEmpty ? [] : [label]
    }
}

extension [String] {
    /// Without doubles, in alphabetical order: lists whose order says nothing are compared as sets.
    var asSet: [String] { Set(self).sorted() }

    /// Without doubles and empty texts, in their own order.
    var distinct: [String] {
        var seen: Set<String> = []
        return filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    var value: Value { .list(map { .string($0) }) }
}

extension CalendarDate {
    /// 20261130, as the older interfaces want it.
    var compact: String { description.filter { $0 != "-" } }
}

extension String {
    /// In lower case and without accents, for comparing names that people type.
    var plainLetters: String { folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil) }
}
