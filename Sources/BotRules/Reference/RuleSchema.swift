import BotCore
public import Values

/// The JSON Schema (draft-07) of rule files, for editors: what may be written where, with the names of one installation.
///
/// It knows less than the reader: conditions and texts are just texts to it. What it refuses, the reader refuses, too.
public struct RuleSchema: Sendable {
    private let vocabulary: Vocabulary

    public init(_ installation: Installation) { vocabulary = Vocabulary(installation) }

    /// The schema as a document; `prettyJSON` is what `pokyh-bot schema` prints.
    public var document: Value {
        var root = Self.object(
            "A rule file of pokyh-bot.",
            [
                ("version", ["const": 1, "description": "Always 1."]),
                ("rules", Self.list(Self.reference("rule"), "The rules.")),
                (
                    "tests",
                    Self.list(Self.reference("test"), "What the rules are to do: `pokyh-bot test` plays it through.")
                ),
            ],
            required: ["version"]
        )
        root["$schema"] = "http://json-schema.org/draft-07/schema#"
        root["title"] = "pokyh-bot rules"
        root["definitions"] = .map(ValueMap(definitions.map { (.string($0.0), $0.1) }))
        return .map(root)
    }

    private var definitions: [(String, Value)] {
        [
            ("rule", .map(rule)), ("when", when), ("message", .map(message)), ("text", .map(Self.leaf)),
            ("texts", .map(Self.texts)),
            ("send", send), ("test", .map(test)), ("stage", .map(stage)), ("duration", Self.duration),
            ("time", Self.time), ("days", Self.days), ("locale", Self.choice(RuleReader.locales, "A language.")),
            ("names", Self.oneOrMany(["type": "string"], "Texts, one or a list.")),
        ]
    }

    // MARK: Rules

    private var rule: ValueMap {
        let policies: [(String, Value)] = [
            ("group", .map(group)), ("digest", .map(digest)), ("quiet", .map(quiet)), ("limit", limit),
            ("expires", Self.reference("duration", "Not delivered by then: dropped as stale, and recorded.")),
            (
                "follow",
                Self.flag("Whether what was told and is no longer true is corrected; true unless said otherwise.")
            ),
            ("correction", Self.reference("texts", "The words of the correction.")),
        ]
        let head: [(String, Value)] = [
            (
                "id",
                Self.text("Unique in the installation; keys the rule's memory.", pattern: "^[^\\s/:#,'\"{}\\[\\]]+$")
            ),
            ("was", Self.text("The id that the rule had before, whose memory it goes on with.")),
            ("description", Self.text("For people.")),
            ("enabled", Self.flag("Off with `false`.")),
            ("dry_run", Self.flag("Only records what would be sent.")),
            ("timezone", Self.text("A name of the IANA database; else the school's or the bot's.")),
            ("locale", Self.reference("locale", "The language of everything it tells; else the recipient's.")),
            ("when", Self.reference("when", "What sets the rule going.")),
            ("query", .map(queries)),
            ("match", .map(match)),
            ("vars", Self.map(Self.text("CEL."), "Values computed in order before `if`; read as `vars.name`.")),
            ("if", Self.text("A condition in CEL.")),
        ]
        let tail: [(String, Value)] = [
            ("message", Self.reference("message", "What it says.")), ("send", Self.reference("send", "Whom it tells.")),
        ]
        return Self.object("A rule.", head + policies + tail, required: ["id", "when", "message", "send"])
    }

    private var when: Value { ["oneOf": .list([onEvents, atTimes, atRecordTime, every].map { .map($0) })] }

    private var sources: Value {
        Self.oneOrMany(Self.names(vocabulary.installation.sources.map(\.name)), "Sources of the bot file.")
    }

    private static let students = reference("names", "Names or ids of students.")
    private static let zone = text("A name of the IANA database.")

    private var onEvents: ValueMap {
        let prefixes = Set(vocabulary.kindNames.map { "\($0.prefix { $0 != "." }).*" }).sorted()
        let kinds = Self.oneOrMany(Self.names(vocabulary.kindNames + prefixes), "Kinds of events.")
        return Self.object(
            "On each event of these kinds.",
            [
                ("event", kinds), ("source", sources), ("student", Self.students), ("timezone", Self.zone),
                ("within", Self.reference("duration", "Told once the record's time is that near, if still true.")),
            ],
            required: ["event"]
        )
    }

    private var atTimes: ValueMap {
        let dayKinds = WallClockSchedule.DayKind.allCases.map(\.rawValue)
        return Self.object(
            "At times of day.",
            [
                ("at", Self.oneOrMany(Self.reference("time"), "Times of day in the rule's zone.")),
                ("days", Self.reference("days")),
                ("only_on", Self.choice(dayKinds, "Which days of the school's year.")),
                ("school", Self.names(vocabulary.installation.schools.map(\.name))), ("timezone", Self.zone),
                ("grace", Self.reference("duration", "How late it may still fire; 30m unless said otherwise.")),
            ],
            required: ["at"]
        )
    }

    private var atRecordTime: ValueMap {
        let timeOf = Self.object(
            "The field, and how long before its time.",
            [("field", Self.names(timeFields)), ("before", Self.reference("duration"))],
            required: ["field"]
        )
        return Self.object(
            "When a time inside a record comes.",
            [("time_of", .map(timeOf)), ("source", sources), ("student", Self.students), ("timezone", Self.zone)],
            required: ["time_of"]
        )
    }

    private var every: ValueMap {
        Self.object(
            "After elapsed time.",
            [("every", Self.reference("duration", "At least a minute.")), ("timezone", Self.zone)],
            required: ["every"]
        )
    }

    private var timeFields: [String] {
        vocabulary.recordNames.flatMap { record in
            let shape = ShapeMerging.merged(vocabulary.sources(with: record).map(\.shape), named: record)
            return shape.fields.filter { $0.shape == .timestamp }.map { "\(record).\($0.name)" }
        }
    }

    private var queries: ValueMap {
        let name = Self.names(vocabulary.queryNames)
        let long = Self.object(
            "A query of one of several sources.",
            [("query", name), ("source", Self.names(vocabulary.installation.sources.map(\.name)))],
            required: ["query"]
        )
        return [
            "type": "object", "description": "Questions to sources, by the name of the answer.",
            "additionalProperties": ["oneOf": [name, .map(long)]],
        ]
    }

    private var match: ValueMap {
        let scalar: Value = ["type": ["string", "number", "boolean"]]
        let fields = vocabulary.recordNames.flatMap { record in
            ShapeMerging.merged(vocabulary.sources(with: record).map(\.shape), named: record).fields
                .map { ("\(record).\($0.name)", Self.oneOrMany(scalar, $0.documentation)) }
        }
        let common = ["student", "student.name", "student.id", "source", "account"].map {
            ($0, Self.oneOrMany(scalar, "Whom or where it is about."))
        }
        // Health records and those of `http.json` may have further ones: the reader checks those.
        var map = Self.object("Fields and their values: all keys, any value of a list.", fields + common)
        map["additionalProperties"] = Self.oneOrMany(scalar, "A field of the record.")
        return map
    }

    // MARK: Policies

    private var group: ValueMap {
        Self.object(
            "What has the same key is told in one message.",
            [
                ("by", Self.text("The key, in CEL.")),
                ("wait", Self.reference("duration", "After the last event; 5m.")),
                ("max_wait", Self.reference("duration", "After the first event; twice `wait`.")),
            ],
            required: ["by"]
        )
    }

    private var digest: ValueMap {
        Self.object(
            "Collected, and told at these times.",
            [("at", Self.oneOrMany(Self.reference("time"), "Times of day.")), ("days", Self.reference("days"))],
            required: ["at"]
        )
    }

    private var quiet: ValueMap {
        let then = Self.choice(QuietHours.Choice.allCases.map(\.rawValue), "What becomes of news in these hours; hold.")
        return Self.object(
            "Hours in which nobody is disturbed.",
            [("from", Self.reference("time")), ("to", Self.reference("time")), ("then", then)],
            required: ["from", "to"]
        )
    }

    private var limit: Value {
        let then = Self.choice(LimitPolicy.Choice.allCases.map(\.rawValue), "What becomes of the rest; digest.")
        let full = Self.object(
            "At most so many messages in a span, for each sink and recipient.",
            [("max", ["type": "integer", "minimum": 1]), ("per", Self.reference("duration")), ("then", then)],
            required: ["max", "per"]
        )
        return ["oneOf": [["const": "none", "description": "Without a limit."], .map(full)]]
    }

    // MARK: Messages

    private var message: ValueMap {
        let languages = RuleReader.locales.map { ($0, Self.reference("text", "The message in this language.")) }
        let priority = Self.choice(Priority.allCases.map(\.rawValue), "`high` passes quiet hours, limits and digests.")
        let plan: [(String, Value)] = [
            ("many", Self.reference("texts", "For several events in one message: `group.events`.")),
            ("priority", priority), ("link", Self.text("An address that the message points to; Liquid.")),
        ]
        return Self.object("A message, or one for each language.", Self.textProperties + languages + plan)
    }

    private static let textProperties: [(String, Value)] = [
        ("title", text("One line; Liquid.")), ("body", text("CommonMark; Liquid.")),
        ("text", text("Instead of the body's rendering as plain text; Liquid.")),
        ("html", text("Instead of the body's rendering as HTML; Liquid.")),
    ]

    private static var leaf: ValueMap { object("A message in one language.", textProperties) }

    private static var texts: ValueMap {
        let languages = RuleReader.locales.map { ($0, reference("text", "In this language.")) }
        return object("Texts, or texts for each language.", textProperties + languages)
    }

    private var send: Value {
        let sinks = vocabulary.installation.sinks
        let name = Self.names(sinks.map(\.name) + ["family"])
        let long = Self.object(
            "A sink with recipients of the rule's own.",
            [
                ("sink", Self.names(sinks.filter(\.plugin.takesRecipients).map(\.name))),
                ("to", Self.reference("names")),
            ],
            required: ["sink"]
        )
        return Self.oneOrMany(["oneOf": [name, .map(long)]], "Sinks, or `family`.")
    }

    // MARK: Tests

    private var scene: [(String, Value)] {
        let expectation = Self.object(
            "A message that is to come.",
            [
                ("rule", Self.text("The rule's id.")), ("sink", Self.names(vocabulary.installation.sinks.map(\.name))),
                ("count", ["type": "integer", "minimum": 0]), ("title", Self.text("The whole title.")),
                ("contains", Self.reference("names")), ("excludes", Self.reference("names")),
            ]
        )
        let event: Value = [
            "type": "object", "required": ["event"], "description": "Something that happens.",
            "properties": ["event": Self.names(vocabulary.kindNames)],
        ]
        let poll: Value = [
            "type": "object", "required": ["source"], "description": "What a source answered before and answers now.",
            "properties": ["source": Self.names(vocabulary.installation.sources.map(\.name))],
        ]
        return [
            ("events", Self.list(event, "What happens.")), ("polls", Self.list(poll, "Answers of sources.")),
            ("expect", Self.list(.map(expectation), "All messages that are to come; none for [].")),
            ("then", Self.reference("stage", "What comes later.")),
        ]
    }

    private static let instant = text(
        "A local date and time.",
        pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d)?$"
    )

    private var test: ValueMap {
        let head = [("name", Self.text("What is tried.")), ("now", Self.instant)]
        return Self.object("A test.", head + scene, required: ["now"])
    }

    private var stage: ValueMap {
        Self.object("A later moment of a test.", [("at", Self.instant)] + scene, required: ["at"])
    }
}
