import Values

/// What an expression gives while a template is rendered: a value, or one of the things only Liquid has.
enum Datum: Sendable {
    case value(Value)
    /// Both ends belong to it; empty where the last is below the first.
    case range(Int64, Int64)
    case empty
    case blank
    /// What `capture` took while markup is rendered: template text with placeholders for the values in it.
    case captured(String)
    /// The `forloop` of the loop at this place of the renderer's stack.
    case forLoop(Int)
    /// The `tablerowloop` of the loop at this place.
    case tableLoop(Int)
    /// Looked up and not found. Unlike `null`, which is a value that says "nothing".
    case missing

    static let null = Datum.value(.null)
    static func text(_ text: String) -> Datum { .value(.string(text)) }
    static func list(_ list: [Value]) -> Datum { .value(.list(list)) }

    /// Everything but null, false and what is missing.
    var isTruthy: Bool {
        switch self {
        case .value(.null), .value(.bool(false)), .missing: false
        default: true
        }
    }

    /// Null or missing.
    var isNothing: Bool {
        switch self {
        case .value(.null), .missing: true
        default: false
        }
    }

    /// Nothing, false, or without content: what `default` replaces.
    var isEmpty: Bool {
        switch self {
        case .value(let value): value.hasNoContent
        case .empty, .blank: true
        default: false
        }
    }

    /// As a value that lists can hold; a range becomes its numbers only through `FilterWorkspace.elements`.
    var plainValue: Value {
        switch self {
        case .value(let value): value
        case .captured(let text): .string(text)
        case .range(let first, let last): .string("\(first)..\(last)")
        default: .null
        }
    }
}

extension Value {
    /// `""`, `[]`, `{}`.
    var hasNoContent: Bool {
        switch self {
        case .string(let text): text.isEmpty
        case .list(let list): list.isEmpty
        case .map(let map): map.isEmpty
        default: false
        }
    }

    /// Nothing, false, without content, or only white space.
    var isBlank: Bool {
        switch self {
        case .null, .bool(false): true
        case .string(let text): text.utf8.allSatisfy(\.isLiquidSpace)
        default: hasNoContent
        }
    }

    /// What `{{ }}` prints: lists as their elements side by side, maps as JSON, instants in a zone (RFC 3339).
    func liquidText(in zone: Zone) -> String {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): String(number)
        case .list(let list): list.map { $0.liquidText(in: zone) }.joined()
        case .timestamp(let instant): instant.text(offset: zone.offset(at: instant))
        default: plainText
        }
    }
}

extension UInt8 {
    /// Space, tab, line feed, vertical tab, form feed, carriage return.
    var isLiquidSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

extension String {
    /// `a lesson`, `an int`.
    var withArticle: String { (first.map { "aeio".contains($0) } == true ? "an " : "a ") + self }
}
