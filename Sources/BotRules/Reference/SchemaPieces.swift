import BotCore
import Values

/// The pieces that schemas are made of (JSON Schema draft-07).
enum SchemaPieces {
    static let draft = "http://json-schema.org/draft-07/schema#"

    static func object(_ documentation: String, _ properties: [(String, Value)], required: [String] = []) -> ValueMap {
        var map: ValueMap = [
            "type": "object", "description": .string(documentation),
            "properties": .map(ValueMap(properties.map { (.string($0.0), $0.1) })), "additionalProperties": false,
        ]
        if !required.isEmpty { map["required"] = .list(required.map { .string($0) }) }
        return map
    }

    /// Entries with names of their own, all of one form.
    static func entries(_ documentation: String, _ entry: Value, names: String = entryName) -> Value {
        [
            "type": "object", "description": .string(documentation), "propertyNames": ["pattern": .string(names)],
            "additionalProperties": entry,
        ]
    }

    /// Letters, digits, `-`, `_` and `.`: names stand in rule files, on command lines and in logs.
    static let entryName = "^[^\\s/:#,'\"{}\\[\\]()<>|*&!%@`]+$"

    static func reference(_ name: String, _ documentation: String? = nil, standard: Value? = nil) -> Value {
        let reference: Value = ["$ref": .string("#/definitions/\(name)")]
        guard let documentation else { return reference }
        // In draft-07 everything beside `$ref` is ignored.
        var map: ValueMap = ["allOf": [reference], "description": .string(documentation)]
        if let standard { map["default"] = standard }
        return .map(map)
    }

    /// A text. What it looks like does not matter to the readers of the files, so numbers and truths are texts, too.
    static func text(_ documentation: String, standard: Value? = nil) -> Value {
        var map: ValueMap = ["type": ["string", "number", "boolean"], "description": .string(documentation)]
        if let standard { map["default"] = standard }
        return .map(map)
    }

    static func text(_ documentation: String, pattern: String) -> Value {
        ["type": "string", "description": .string(documentation), "pattern": .string(pattern)]
    }

    static func flag(_ documentation: String, standard: Bool) -> Value {
        ["type": "boolean", "description": .string(documentation), "default": .bool(standard)]
    }

    static func integer(_ documentation: String, in bounds: ClosedRange<Int64>, standard: Value? = nil) -> Value {
        var map: ValueMap = ["type": "integer", "description": .string(documentation)]
        if bounds.lowerBound > .min { map["minimum"] = .int(bounds.lowerBound) }
        if bounds.upperBound < .max { map["maximum"] = .int(bounds.upperBound) }
        if let standard { map["default"] = standard }
        return .map(map)
    }

    static func choice(_ words: [String], _ documentation: String, standard: String? = nil) -> Value {
        var map: ValueMap = ["enum": .list(words.map { .string($0) }), "description": .string(documentation)]
        if let standard { map["default"] = .string(standard) }
        return .map(map)
    }

    /// Names that are known. An enumeration needs at least one value: where there is none to choose from, nothing can be right.
    static func names(_ names: [String], _ documentation: String) -> Value {
        guard !names.isEmpty else { return ["not": [:], "description": .string("\(documentation) There is none.")] }
        // A name that looks like a number is one to editors.
        let numbers = names.compactMap { name in Int64(name).map { Value.int($0) } }
        return ["enum": .list(names.map { .string($0) } + numbers), "description": .string(documentation)]
    }

    static func list(_ item: Value, _ documentation: String) -> Value {
        ["type": "array", "items": item, "description": .string(documentation)]
    }

    static func oneOrMany(_ item: Value, _ documentation: String, standard: Value? = nil, mayBeEmpty: Bool = false)
        -> Value
    {
        var many: ValueMap = ["type": "array", "items": item]
        if !mayBeEmpty { many["minItems"] = 1 }
        var map: ValueMap = ["anyOf": [item, .map(many)], "description": .string(documentation)]
        if let standard { map["default"] = standard }
        return .map(map)
    }

    static func map(_ value: Value, _ documentation: String) -> Value {
        ["type": "object", "additionalProperties": value, "description": .string(documentation)]
    }

    // MARK: What both kinds of files have

    private static let span = "(\\d+(\\.\\d+)?(ms|s|m|h|d))+"
    static let duration = text("A length of time: 250ms, 10s, 30m, 48h, 14d, 1h30m.", pattern: "^\(span)$")
    static let positiveDuration = text(
        "A length of time that is not nothing: 10s, 30m, 48h, 14d, 1h30m.",
        pattern: "^(?=.*[1-9])\(span)$"
    )
    private static let clock = "([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?"
    static let time = text("A time of day: \"07:45\".", pattern: "^\(clock)$")
    static let period = "^(default|\(clock)-\(clock))$"
    static let days: Value = {
        let day = "(mon|tue|wed|thu|fri|sat|sun)"
        return oneOrMany(
            text("A day or a span of days.", pattern: "^\(day)(-\(day))?$"),
            "Days of the week: mon, [mon-fri, sun]; every day unless said otherwise."
        )
    }()
    /// Whether a zone exists is for the reader to say; that it has the form of a name of the database, or is UTC, is seen here.
    static let zone = text(
        "A name of the IANA time zone database: Europe/Rome.",
        pattern: "^(UTC|GMT|[A-Za-z_]+(/[A-Za-z0-9_+-]+)+)$"
    )
    static let locale = choice(RuleReader.locales, "A language.")
    static let texts = oneOrMany(text("A text."), "Texts, one or a list.")
}
