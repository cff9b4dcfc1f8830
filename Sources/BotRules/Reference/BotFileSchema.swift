public import BotCore
public import Values

/// The JSON Schema (draft-07) of the bot file, for editors: every key, and every setting of every plugin as it declares it.
public struct BotFileSchema: Sendable {
    private let catalogue: PluginCatalogue
    private let installation: Installation?

    /// - Parameter installation: whose names of schools, accounts and sinks may be referred to; nil for any name.
    public init(of catalogue: PluginCatalogue, _ installation: Installation? = nil) {
        self.catalogue = catalogue
        self.installation = installation
    }

    /// The schema as a document; `prettyJSON` is what `pokyh-bot schema bot` prints.
    public var document: Value {
        var root = SchemaPieces.object("The bot file of pokyh-bot.", sections, required: ["version", "timezone"])
        root["$schema"] = .string(SchemaPieces.draft)
        root["title"] = "pokyh-bot bot file"
        root["definitions"] = .map(ValueMap(definitions.map { (.string($0.0), $0.1) }))
        return .map(root)
    }

    private var sections: [(String, Value)] { settings + entries }

    /// Sections that say one thing each.
    private var settings: [(String, Value)] {
        [
            ("version", ["const": 1, "description": "Always 1."]),
            (
                "timezone",
                SchemaPieces.reference("zone", "The bot's zone, for rules and schools that name none of their own.")
            ),
            (
                "locale",
                SchemaPieces.reference(
                    "locale",
                    "The language of messages, unless a rule, a family or a sink has its own.",
                    standard: "de"
                )
            ),
            ("state", SchemaPieces.reference("state", "Where the bot keeps its memory.")),
            (
                "rules",
                SchemaPieces.oneOrMany(
                    SchemaPieces.text("A path."),
                    "A folder of rule files, a file, or a list of them; relative to this file."
                )
            ),
            (
                "ca_file",
                SchemaPieces.text("A file of certificates to trust besides the system's; relative to this file.")
            ),
        ]
    }

    /// Sections of entries with names, and those that name entries.
    private var entries: [(String, Value)] {
        [
            ("schools", SchemaPieces.entries("Schools, by names of yours.", SchemaPieces.reference("school"))),
            (
                "accounts",
                SchemaPieces.entries(
                    "How to log in, by names of yours; logs speak of them.",
                    SchemaPieces.reference("account")
                )
            ),
            ("sources", SchemaPieces.entries("What is polled, by names of yours.", SchemaPieces.reference("source"))),
            ("families", SchemaPieces.entries("Who belongs to which students.", SchemaPieces.reference("family"))),
            ("sinks", SchemaPieces.entries("Where messages go, by names of yours.", SchemaPieces.reference("sink"))),
            (
                "hosts",
                SchemaPieces.entries(
                    "Politeness by host name; \"*\" for all others.",
                    SchemaPieces.reference("host"),
                    names: "^(\\*|[^\\s/:*]+)$"
                )
            ),
            (
                "admin",
                SchemaPieces.oneOrMany(
                    names(installation?.sinks.map(\.name), "A sink."),
                    "The sinks that hear of the bot's own troubles."
                )
            ),
        ]
    }

    private var definitions: [(String, Value)] {
        let files: [(String, Value)] = [
            ("state", .map(Self.state)), ("school", .map(Self.school)), ("grade_scale", .map(Self.gradeScale)),
            ("account", account), ("source", source), ("family", .map(family)), ("sink", sink),
            ("host", .map(Self.host)), ("secret", .map(Self.secret)),
            ("periods", Self.periods),
        ]
        return files + [
            ("duration", SchemaPieces.duration), ("time", SchemaPieces.time), ("zone", SchemaPieces.zone),
            ("locale", SchemaPieces.locale),
        ]
    }

    private func names(_ names: [String]?, _ documentation: String) -> Value {
        names.map { SchemaPieces.names($0, documentation) } ?? SchemaPieces.text(documentation)
    }

    // MARK: Entries of the bot's own

    private static let state = SchemaPieces.object(
        "The memory.",
        [
            (
                "path",
                SchemaPieces.text("Its folder; relative to this file. Only the bot may read it.", standard: "./state")
            )
        ]
    )

    private static let school = SchemaPieces.object(
        "A school.",
        [
            ("server", SchemaPieces.text("The host you see in the browser when you are logged in to WebUntis.")),
            ("school", SchemaPieces.text("The school's login name: behind ?school= in the browser.")),
            ("timezone", SchemaPieces.reference("zone", "The school's zone; else the bot's.")),
            (
                "grade_scale",
                SchemaPieces.reference(
                    "grade_scale",
                    "How the school marks; {min: 1, max: 10, pass: 6} unless said otherwise."
                )
            ),
        ],
        required: ["server", "school"]
    )

    private static let gradeScale: ValueMap = {
        let number: (String) -> Value = { ["type": "number", "description": .string($0)] }
        var map = SchemaPieces.object(
            "{min: 1, max: 10, pass: 6}, or {best: 1, worst: 6, pass: 4} where 1 is the best mark.",
            [
                ("min", number("The worst mark.")), ("max", number("The best mark.")),
                ("best", number("The best mark, where marks get better downwards.")),
                ("worst", number("The worst mark, where marks get better downwards.")),
                ("pass", number("The least mark that passes.")),
            ],
            required: ["pass"]
        )
        map["allOf"] = [
            ["anyOf": [["required": ["min"]], ["required": ["worst"]]]],
            ["anyOf": [["required": ["max"]], ["required": ["best"]]]],
        ]
        return map
    }()

    private var family: ValueMap {
        SchemaPieces.object(
            "A family: `send: [family]` in a rule reaches its sinks.",
            [
                (
                    "students",
                    SchemaPieces.oneOrMany(SchemaPieces.text("A name or id."), "The students, by name or id.")
                ),
                (
                    "send",
                    SchemaPieces.oneOrMany(
                        names(installation?.sinks.map(\.name), "A sink."),
                        "The sinks of the family."
                    )
                ),
                ("locale", SchemaPieces.reference("locale", "The language the family reads.")),
            ],
            required: ["students", "send"]
        )
    }

    private static let host = SchemaPieces.object(
        "Politeness towards a host.",
        [
            (
                "connections",
                SchemaPieces.integer(
                    "How many connections at once.",
                    in: 1...64,
                    standard: .int(Int64(HostEntry().connections))
                )
            ),
            (
                "gap",
                SchemaPieces.reference(
                    "duration",
                    "The least time between two requests.",
                    standard: .string(SettingWords.value(.duration(HostEntry().gap)))
                )
            ),
        ]
    )

    private static let secret = SchemaPieces.object(
        "A secret by its name: looked up in the environment, the service manager's credentials, secrets/NAME, Secrets.swift.",
        [("secret", SchemaPieces.text("Its name.", pattern: "^[A-Za-z0-9_-]+$"))],
        required: ["secret"]
    )

    private static let periods: Value = [
        "type": "object", "description": "How often, by time of day: {default: 60m, \"05:30-08:00\": 15m}.",
        "propertyNames": ["pattern": .string(SchemaPieces.period)],
        "additionalProperties": SchemaPieces.reference("duration"),
    ]

    // MARK: Entries of plugins

    private var account: Value {
        variants(
            "How to log in somewhere.",
            key: "kind",
            keyDocumentation: "The kind of account.",
            catalogue.accounts.map { plugin in
                let school = ("school", names(installation?.schools.map(\.name), "An entry of `schools`."))
                return Variant(
                    name: plugin.kind,
                    documentation: plugin.documentation,
                    common: plugin.needsSchool ? [school] : [],
                    required: plugin.needsSchool ? ["school"] : [],
                    settings: plugin.settings
                )
            }
        )
    }

    private var source: Value {
        variants(
            "What is polled.",
            key: "provider",
            keyDocumentation: "What is asked.",
            catalogue.providers.map { plugin in
                let account = plugin.accountKind.map { kind in
                    let fitting = installation?.accounts.filter { $0.plugin.kind == kind }.map(\.name)
                    return ("account", names(fitting, "An account of kind \(kind)."))
                }
                let isRequired = plugin.accountKind != nil && !plugin.accountIsOptional
                return Variant(
                    name: plugin.name,
                    documentation: plugin.documentation,
                    common: [account].compactMap(\.self) + SettingWords.sourceKeys(of: plugin),
                    required: isRequired ? ["account"] : [],
                    settings: plugin.settings
                )
            }
        )
    }

    private var sink: Value {
        variants(
            "Where messages go.",
            key: "kind",
            keyDocumentation: "The kind of sink.",
            catalogue.sinks.map { plugin in
                Variant(
                    name: plugin.kind,
                    documentation: plugin.documentation,
                    common: SettingWords.sinkKeys,
                    required: [],
                    settings: plugin.settings
                )
            }
        )
    }

    private struct Variant {
        let name: String
        let documentation: String
        let common: [(String, Value)]
        let required: [String]
        let settings: [SettingDeclaration]
    }

    /// An object whose other keys depend on the value of one.
    private func variants(_ documentation: String, key: String, keyDocumentation: String, _ all: [Variant]) -> Value {
        let choice: Value = [
            "enum": .list(all.map { .string($0.name) }), "description": .string(keyDocumentation),
            "enumDescriptions": .list(all.map { .string($0.documentation) }),
        ]
        let cases = all.map { variant -> Value in
            let settings = variant.settings.map { ($0.key, SettingWords.schema(of: $0)) }
            let required = variant.settings.filter { $0.isRequired && $0.standard == nil }.map(\.key)
            return [
                "if": [
                    "properties": .map([key: ["const": .string(variant.name)]]), "required": [.string(key)],
                ],
                "then": .map(
                    SchemaPieces.object(
                        variant.documentation,
                        [(key, choice)] + variant.common + settings,
                        required: variant.required + required
                    )
                ),
            ]
        }
        return [
            "type": "object", "description": .string(documentation), "required": [.string(key)],
            "properties": .map([key: choice]), "allOf": .list(cases),
        ]
    }
}
