import Values

/// The pieces that schemas are made of.
extension RuleSchema {
    static func object(_ documentation: String, _ properties: [(String, Value)], required: [String] = []) -> ValueMap {
        var map: ValueMap = [
            "type": "object", "description": .string(documentation),
            "properties": .map(ValueMap(properties.map { (.string($0.0), $0.1) })), "additionalProperties": false,
        ]
        if !required.isEmpty { map["required"] = .list(required.map { .string($0) }) }
        return map
    }

    static func reference(_ name: String, _ documentation: String? = nil) -> Value {
        let reference: Value = ["$ref": .string("#/definitions/\(name)")]
        guard let documentation else { return reference }
        // In draft-07 everything beside `$ref` is ignored.
        return ["allOf": [reference], "description": .string(documentation)]
    }

    static func text(_ documentation: String, pattern: String? = nil) -> Value {
        var map: ValueMap = ["type": "string", "description": .string(documentation)]
        if let pattern { map["pattern"] = .string(pattern) }
        return .map(map)
    }

    static func flag(_ documentation: String) -> Value { ["type": "boolean", "description": .string(documentation)] }

    /// An enumeration needs at least one value: where there is none to choose from, nothing can be right.
    static func names(_ names: [String]) -> Value {
        names.isEmpty ? false : ["enum": .list(names.map { .string($0) })]
    }

    static func choice(_ words: [String], _ documentation: String) -> Value {
        ["enum": .list(words.map { .string($0) }), "description": .string(documentation)]
    }

    static func list(_ item: Value, _ documentation: String) -> Value {
        ["type": "array", "items": item, "description": .string(documentation)]
    }

    static func oneOrMany(_ item: Value, _ documentation: String) -> Value {
        ["anyOf": [item, ["type": "array", "items": item, "minItems": 1]], "description": .string(documentation)]
    }

    static func map(_ value: Value, _ documentation: String) -> Value {
        ["type": "object", "additionalProperties": value, "description": .string(documentation)]
    }

    static let duration = text(
        "A length of time: 250ms, 10s, 30m, 48h, 14d, 1h30m.",
        pattern: "^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$"
    )
    static let time = text("A time of day: \"07:45\".", pattern: "^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$")
    static let days: Value = {
        let day = "(mon|tue|wed|thu|fri|sat|sun)"
        return oneOrMany(
            text("A day or a span of days.", pattern: "^\(day)(-\(day))?$"),
            "Days of the week: mon, [mon-fri]."
        )
    }()
}
