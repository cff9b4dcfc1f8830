public import BotCore
public import Values

/// The JSON Schema (draft-07) of rule files, for editors: what may be written where, with the names of one installation.
///
/// It knows less than the reader: conditions and texts are just texts to it. What it refuses, the reader refuses, too; but numbers and
/// truths in quotes, which the reader takes for what they say.
public struct RuleSchema: Sendable {
    let vocabulary: Vocabulary
    /// Whether the names of sources, sinks and schools are not known: then any text may stand there.
    let isGeneric: Bool

    public init(_ installation: Installation) {
        vocabulary = Vocabulary(installation)
        isGeneric = false
    }

    /// Of every installation with these plugins: all their events and fields, and any name of a source or sink.
    public init(of catalogue: PluginCatalogue) {
        var installation = Installation(zone: .utc)
        installation.sources = catalogue.providers.map { plugin in
            let settings = Settings(name: plugin.name, values: ValueMap())
            return SourceEntry(
                name: plugin.name,
                plugin: plugin,
                settings: settings,
                schema: plugin.schema(settings),
                zone: .utc,
                interval: plugin.interval
            )
        }
        vocabulary = Vocabulary(installation)
        isGeneric = true
    }

    /// The schema as a document; `prettyJSON` is what `pokyh-bot schema rules` prints.
    public var document: Value {
        var root = SchemaPieces.object(
            "A rule file of pokyh-bot.",
            [
                ("version", ["const": 1, "description": "Always 1."]),
                ("rules", SchemaPieces.list(SchemaPieces.reference("rule"), "The rules.")),
                (
                    "tests",
                    SchemaPieces.list(
                        SchemaPieces.reference("test"),
                        "What the rules are to do: `pokyh-bot test` plays it through."
                    )
                ),
            ],
            required: ["version"]
        )
        root["$schema"] = .string(SchemaPieces.draft)
        root["title"] = "pokyh-bot rules"
        root["definitions"] = .map(ValueMap(definitions.map { (.string($0.0), $0.1) }))
        return .map(root)
    }

    private var definitions: [(String, Value)] {
        [
            ("rule", .map(rule)), ("when", .map(when)), ("time_of", .map(timeOf)), ("query", .map(query)),
            ("match", .map(match)), ("group", .map(Self.group)), ("digest", .map(Self.digest)),
            ("quiet", .map(Self.quiet)), ("limit", .map(Self.limit)), ("message", .map(message)),
            ("text", .map(Self.leaf)), ("texts", .map(Self.texts)), ("recipients", .map(recipients)),
            ("test", .map(test)), ("stage", .map(stage)), ("event", .map(event)), ("poll", .map(poll)),
            ("expectation", .map(expectation)), ("names", SchemaPieces.texts), ("duration", SchemaPieces.duration),
            ("span", SchemaPieces.positiveDuration), ("time", SchemaPieces.time), ("days", SchemaPieces.days),
            ("kind", kinds()), ("kind_or_pattern", kinds(with: patterns)), ("time_field", timeField),
            (
                "query_name",
                SchemaPieces.names(isGeneric ? vocabulary.declaredQueryNames : vocabulary.queryNames, "A query.")
            ), ("zone", SchemaPieces.zone),
            ("locale", SchemaPieces.locale),
        ]
    }

    // MARK: Names

    /// Names of the bot file, where it is known.
    func names(_ names: [String], _ documentation: String) -> Value {
        isGeneric ? SchemaPieces.text(documentation) : SchemaPieces.names(names, documentation)
    }

    var sourceNames: Value { names(vocabulary.installation.sources.map(\.name), "A source of the bot file.") }
    var sinkNames: Value { names(vocabulary.installation.sinks.map(\.name), "A sink of the bot file.") }

    /// Event kinds with what each means, for editors that show it.
    func kinds(with patterns: [String] = []) -> Value {
        let meanings = vocabulary.kindNames.map { kind in
            vocabulary.declarations(of: kind, in: nil).first?.event.documentation ?? ""
        }
        let meaningsOfPatterns = patterns.map { "Every event whose name begins with \($0.dropLast())" }
        return [
            "enum": .list((vocabulary.kindNames + patterns).map { .string($0) }),
            "enumDescriptions": .list((meanings + meaningsOfPatterns).map { .string($0) }),
            "description": "A kind of event.",
        ]
    }

    // MARK: Rules

    private var rule: ValueMap {
        var map = SchemaPieces.object(
            "A rule.",
            choosingKeys + Self.policies + tellingKeys,
            required: ["id", "when", "message", "send"]
        )
        map["allOf"] = [
            Self.refusing(["query"], besides: ["event"], "The event's record is at hand: such a rule asks no queries."),
            Self.refusing(["match"], besides: ["at", "every"], "There is no record here to match: ask in 'if'."),
            Self.refusing(
                RuleReader.recordKeys.map(\.0),
                besides: ["at", "every"],
                "For rules on events and on 'time_of': this one fires at its own times."
            ),
        ]
        return map
    }

    /// What sets a rule going, and of what it tells.
    private var choosingKeys: [(String, Value)] {
        [
            (
                "id",
                SchemaPieces.text(
                    "Unique in the installation; keys the rule's memory.",
                    pattern: SchemaPieces.entryName
                )
            ),
            ("description", SchemaPieces.text("For people.")),
            ("when", SchemaPieces.reference("when", "What sets the rule going.")),
            (
                "query",
                SchemaPieces.entries(
                    "Questions to sources, by the name of the answer; for rules that fire at times.",
                    ["anyOf": [SchemaPieces.reference("query_name"), SchemaPieces.reference("query")]],
                    names: "^[A-Za-z_][A-Za-z0-9_]*$"
                )
            ),
            ("match", SchemaPieces.reference("match", "Fields and their values: all keys, any value of a list.")),
            (
                "vars",
                SchemaPieces.entries(
                    "Values in CEL, computed in order before `if`; read as `vars.name`.",
                    SchemaPieces.text("An expression in CEL."),
                    names: "^[A-Za-z_][A-Za-z0-9_]*$"
                )
            ),
            ("if", SchemaPieces.text("A condition in CEL: the rule tells only if it is true.")),
        ]
    }

    /// What a rule says, to whom, and in which language and zone.
    private var tellingKeys: [(String, Value)] {
        [
            ("message", SchemaPieces.reference("message", "What it says.")), ("send", send),
            ("timezone", SchemaPieces.reference("zone", "The rule's zone; else the school's, else the bot's.")),
            (
                "locale",
                SchemaPieces.reference("locale", "The language of everything it tells; else the recipient's.")
            ),
            ("enabled", SchemaPieces.flag("`false` turns it off.", standard: true)),
            ("dry_run", SchemaPieces.flag("`true` only records what would be sent.", standard: false)),
            ("was", SchemaPieces.text("The id that the rule had before, whose memory it goes on with.")),
        ]
    }

    /// Keys that mean nothing in a rule with one of these triggers.
    private static func refusing(_ keys: [String], besides triggers: [String], _ reason: String) -> Value {
        let refused = keys.map { ($0, Value.map(["not": [:], "description": .string(reason)])) }
        return [
            "if": [
                "required": ["when"],
                "properties": ["when": ["anyOf": .list(triggers.map { ["required": [.string($0)]] })]],
            ],
            "then": ["properties": .map(ValueMap(refused.map { (.string($0.0), $0.1) }))],
        ]
    }

    /// One object for all triggers, so that an editor can offer every key; which of them go together stands below.
    private var when: ValueMap {
        let properties = triggers
        var map = SchemaPieces.object("What sets the rule going: exactly one of event, at, time_of, every.", properties)
        map["oneOf"] = .list(RuleReader.triggerKeys.map { ["required": [.string($0.trigger)]] })
        map["dependencies"] = .map(
            ValueMap(
                properties.map(\.0).filter { key in !RuleReader.triggerKeys.contains { $0.trigger == key } }.map {
                    key in
                    let triggers = RuleReader.triggerKeys.filter { $0.beside.contains(key) }.map(\.trigger)
                    return (.string(key), ["anyOf": .list(triggers.map { ["required": [.string($0)]] })])
                }
            )
        )
        return map
    }

    /// The triggers, and what may stand beside them.
    private var triggers: [(String, Value)] {
        let dayKinds = WallClockSchedule.DayKind.allCases.map(\.rawValue)
        return [
            (
                "event",
                SchemaPieces.oneOrMany(SchemaPieces.reference("kind_or_pattern"), "On each event of these kinds.")
            ),
            ("source", SchemaPieces.oneOrMany(sourceNames, "Only from these sources.")),
            ("student", SchemaPieces.reference("names", "Only about these students; by name or id.")),
            ("within", SchemaPieces.reference("span", "Told once the record's time is that near, if still true.")),
            ("at", SchemaPieces.oneOrMany(SchemaPieces.reference("time"), "At times of day in the rule's zone.")),
            ("days", SchemaPieces.reference("days", "On which days of the week; every day unless said otherwise.")),
            ("only_on", SchemaPieces.choice(dayKinds, "Only on these days of the school's year; asked when it fires.")),
            (
                "school",
                names(
                    vocabulary.installation.schools.map(\.name),
                    "Whose year `only_on` means; needed where the bot file has several schools."
                )
            ),
            ("timezone", SchemaPieces.reference("zone", "The zone of the times; else the rule's.")),
            (
                "grace",
                SchemaPieces.reference(
                    "duration",
                    "How late it may still fire after an outage.",
                    standard: .string(SettingWords.value(.duration(WallClockSchedule.standardGrace)))
                )
            ),
            ("time_of", SchemaPieces.reference("time_of", "When a time inside a record comes.")),
            ("every", SchemaPieces.reference("span", "After elapsed time, at least a minute.")),
        ]
    }

    /// `lesson.*` for all kinds whose name begins so.
    private var patterns: [String] { Set(vocabulary.kindNames.map { "\($0.prefix { $0 != "." }).*" }).sorted() }

    private var timeField: Value {
        let fields = vocabulary.recordNames.flatMap { record in
            let shape = ShapeMerging.merged(vocabulary.sources(with: record).map(\.shape), named: record)
            return shape.fields.filter { $0.shape == .timestamp }.map { "\(record).\($0.name)" }
        }
        let names = SchemaPieces.names(fields, "A time of a record.")
        return isGeneric ? ["anyOf": [names, SchemaPieces.freeField(in: vocabulary)]] : names
    }

    private var timeOf: ValueMap {
        SchemaPieces.object(
            "A time inside a record. It moves when the record's time does.",
            [
                ("field", SchemaPieces.reference("time_field", "Which time: `lesson.start`.")),
                ("before", SchemaPieces.reference("duration", "How long before it.", standard: "0s")),
            ],
            required: ["field"]
        )
    }

    private var query: ValueMap {
        SchemaPieces.object(
            "A query of one of several sources that answer it.",
            [("query", SchemaPieces.reference("query_name", "The query.")), ("source", sourceNames)],
            required: ["query"]
        )
    }

    private var match: ValueMap {
        let students = SchemaPieces.oneOrMany(SchemaPieces.text("A name."), "The student's name.")
        let common: [(String, Value)] = [
            ("student", students), ("student.name", students),
            ("student.id", SchemaPieces.oneOrMany(SchemaPieces.text("An id."), "The student's id at the school.")),
            ("source", SchemaPieces.oneOrMany(names(vocabulary.sourceNames, "A source."), "A source of the bot file.")),
            (
                "account",
                SchemaPieces.oneOrMany(names(vocabulary.accountNames, "An account."), "An account of the bot file.")
            ),
        ]
        let fields = matchable.flatMap { shape in
            shape.fields.map { ("\(shape.name).\($0.name)", SchemaPieces.matched($0)) }
        }
        var map = SchemaPieces.object("Fields and their values: all keys, any value of a list.", common + fields)
        if isGeneric { map["patternProperties"] = SchemaPieces.freeFields(in: vocabulary) }
        return map
    }

    /// The records that events are about, those of the bot's own health among them.
    private var matchable: [RecordShape] {
        let records = vocabulary.recordNames.map { record in
            ShapeMerging.merged(vocabulary.sources(with: record).map(\.shape), named: record)
        }
        return records + HealthSchema.schema.records.filter { !vocabulary.recordNames.contains($0.name) }
    }
}
