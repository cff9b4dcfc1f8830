public import BotCore
public import Values

/// Settings of plugins as people write and read them: in schemas, on reference pages, in the list of plugins.
public enum SettingWords {
    /// A value as a bot file writes it: `1h` for a length of time in the largest unit that fits it whole.
    public static func value(_ value: Value) -> String {
        guard case .duration(let span) = value, span > .zero, span.nanoseconds == 0 else { return value.plainText }
        let units: [(name: String, length: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60)]
        let unit = units.first { span.seconds % $0.length == 0 } ?? ("s", 1)
        return "\(span.seconds / unit.length)\(unit.name)"
    }

    /// What may be written for a setting: `length of time`, `json | slack`.
    public static func kind(_ kind: SettingDeclaration.Kind) -> String {
        switch kind {
        case .text: "text"
        case .flag: "true or false"
        case .integer(let range):
            range.upperBound == .max
                ? "whole number from \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        case .number: "number"
        case .duration: "length of time"
        case .choice(let words): words.joined(separator: " | ")
        case .secret: "{secret: NAME}"
        case .url: "https address or {secret: NAME}"
        case .mailAddress: "mail address"
        case .list(let element): "one or several: \(Self.kind(element))"
        case .map(let element): "map of \(Self.kind(element))"
        case .any: "anything"
        }
    }

    /// The schema of a setting.
    static func schema(of setting: SettingDeclaration) -> Value {
        var map = schema(of: setting.kind).map ?? ValueMap()
        map["description"] = .string(setting.documentation)
        if let standard = setting.standard { map["default"] = json(standard) }
        return .map(map)
    }

    private static func json(_ value: Value) -> Value {
        if case .duration = value { return .string(Self.value(value)) }
        return value
    }

    private static func schema(of kind: SettingDeclaration.Kind) -> Value {
        switch kind {
        case .text: ["type": ["string", "number", "boolean"]]
        case .flag: ["type": "boolean"]
        case .integer(let range): SchemaPieces.integer("", in: range)
        case .number: ["type": "number"]
        case .duration: ["allOf": [SchemaPieces.reference("duration")]]
        case .choice(let words): ["enum": .list(words.map { .string($0) })]
        case .secret: ["allOf": [SchemaPieces.reference("secret")]]
        case .url:
            [
                "anyOf": [
                    ["type": "string", "pattern": "^[hH][tT][tT][pP][sS]?://[^\\s@/]"],
                    SchemaPieces.reference("secret"),
                ]
            ]
        case .mailAddress: ["type": "string", "pattern": "^[^\\s<>]+@[^\\s<>]+$"]
        case .list(let element): SchemaPieces.oneOrMany(schema(of: element), "", mayBeEmpty: true)
        case .map(let element): ["type": "object", "additionalProperties": schema(of: element)]
        case .any: [:]
        }
    }

    // MARK: Keys that the bot itself reads of every entry

    /// The keys of every source.
    static func sourceKeys(of plugin: ProviderPlugin) -> [(String, Value)] {
        let usual = Value.string(value(.duration(plugin.interval)))
        let shortest = value(.duration(plugin.shortestInterval))
        return [
            (
                "every",
                [
                    "anyOf": [SchemaPieces.reference("duration"), SchemaPieces.reference("periods")], "default": usual,
                    "description": .string(
                        "How often it is polled, at most every \(shortest); or by time of day: {default: 60m, \"05:30-08:00\": 15m}."
                    ),
                ]
            ),
            ("enabled", SchemaPieces.flag("`false`: not polled, though rules may name it.", standard: true)),
        ]
    }

    /// The keys of every sink.
    static let sinkKeys: [(String, Value)] = [
        ("locale", SchemaPieces.reference("locale", "The language of its readers; else the family's, else the bot's.")),
        ("parallel", SchemaPieces.integer("How many deliveries at once.", in: 1...64, standard: 1)),
        (
            "uncertain",
            SchemaPieces.choice(
                ["resend", "hold", "drop"],
                "What is done when nobody knows whether a message arrived. A sink whose far end recognises a repeat sends it again in any case.",
                standard: "resend"
            )
        ),
    ]
}
