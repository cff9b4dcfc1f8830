import BotCore
import Values

/// Policies, texts and tests in the schema of rule files.
extension RuleSchema {
    // MARK: Policies

    static let policies: [(String, Value)] = [
        (
            "group",
            SchemaPieces.reference(
                "group",
                "Events, or moments of `time_of`, with the same key are told in one message."
            )
        ),
        ("digest", SchemaPieces.reference("digest", "Collected, and told once a day.")),
        ("quiet", SchemaPieces.reference("quiet", "Hours in which nobody is disturbed.")),
        (
            "limit",
            [
                "anyOf": [["const": "none", "description": "Without a limit."], SchemaPieces.reference("limit")],
                "description": "Never more than this for each sink and recipient; 30 an hour unless said otherwise.",
            ]
        ),
        (
            "expires",
            SchemaPieces.reference(
                "span",
                "Not delivered by then: dropped as stale, and recorded. Each event has a standard of its own."
            )
        ),
        ("follow", SchemaPieces.flag("Whether what was told and is no longer true is corrected.", standard: true)),
        (
            "correction",
            SchemaPieces.reference("texts", "The words of the correction; a standard text unless said otherwise.")
        ),
    ]

    static let group = SchemaPieces.object(
        "Events with the same key are told in one message.",
        [
            ("by", SchemaPieces.text("The key, in CEL: `lesson.date`.")),
            (
                "wait",
                SchemaPieces.reference(
                    "span",
                    "How long after the last event it is told.",
                    standard: .string(SettingWords.value(.duration(GroupPolicy.standardWait)))
                )
            ),
            ("max_wait", SchemaPieces.reference("span", "How long after the first at most; twice `wait`.")),
        ],
        required: ["by"]
    )

    static let digest = SchemaPieces.object(
        "Collected, and told at these times.",
        [
            ("at", SchemaPieces.oneOrMany(SchemaPieces.reference("time"), "Times of day.")),
            ("days", SchemaPieces.reference("days", "On which days of the week; every day unless said otherwise.")),
        ],
        required: ["at"]
    )

    static let quiet = SchemaPieces.object(
        "Hours in which nobody is disturbed.",
        [
            ("from", SchemaPieces.reference("time", "When they begin.")),
            ("to", SchemaPieces.reference("time", "When they end; the next day where it is earlier than `from`.")),
            (
                "then",
                SchemaPieces.choice(
                    QuietHours.Choice.allCases.map(\.rawValue),
                    "`hold` tells at `to` what is still true, `drop` not at all, `silent` without a sound where the sink can.",
                    standard: QuietHours.Choice.hold.rawValue
                )
            ),
        ],
        required: ["from", "to"]
    )

    static let limit = SchemaPieces.object(
        "At most so many messages in a span, for each sink and recipient.",
        [
            ("max", SchemaPieces.integer("How many.", in: 1...10_000)),
            ("per", SchemaPieces.reference("span", "In how long.")),
            (
                "then",
                SchemaPieces.choice(
                    LimitPolicy.Choice.allCases.map(\.rawValue),
                    "What becomes of the rest: one message at the end of `per`, or nothing.",
                    standard: LimitPolicy.Choice.digest.rawValue
                )
            ),
        ],
        required: ["max", "per"]
    )

    // MARK: Texts

    static let textProperties: [(String, Value)] = [
        ("title", SchemaPieces.text("One line; Liquid.")), ("body", SchemaPieces.text("CommonMark; Liquid.")),
        ("text", SchemaPieces.text("Instead of the body's rendering as plain text; Liquid.")),
        ("html", SchemaPieces.text("Instead of the body's rendering as HTML; Liquid.")),
    ]

    private static let hasText: Value = ["anyOf": [["required": ["title"]], ["required": ["body"]]]]

    /// A title or a body; or else languages, beside which no text may stand.
    static let textOrLanguages: Value = {
        let texts: [Value] = ["title", "body", "text", "html"].map { ["required": [.string($0)]] }
        let languages: [Value] = RuleReader.locales.map { ["required": [.string($0)]] }
        return [
            ["allOf": [hasText, ["not": ["anyOf": .list(languages)]]]],
            ["allOf": [["anyOf": .list(languages)], ["not": ["anyOf": .list(texts)]]]],
        ]
    }()

    static let leaf: ValueMap = {
        var map = SchemaPieces.object("A message in one language: a title, a body, or both.", textProperties)
        map["anyOf"] = [["required": ["title"]], ["required": ["body"]]]
        return map
    }()

    static let texts: ValueMap = {
        let languages = RuleReader.locales.map { ($0, SchemaPieces.reference("text", "In this language.")) }
        var map = SchemaPieces.object("Texts, or texts for each language.", textProperties + languages)
        map["anyOf"] = textOrLanguages
        return map
    }()

    // MARK: Tests

    private static let instant = SchemaPieces.text(
        "A local date and time: 2026-11-30T12:00.",
        pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$"
    )

    private var scene: [(String, Value)] {
        [
            ("events", SchemaPieces.list(SchemaPieces.reference("event"), "What happens.")),
            ("polls", SchemaPieces.list(SchemaPieces.reference("poll"), "What sources answer.")),
            ("sinks", sinkAnswers),
            (
                "expect",
                SchemaPieces.list(SchemaPieces.reference("expectation"), "All messages that are to come; none for [].")
            ),
            ("then", SchemaPieces.reference("stage", "What comes later.")),
        ]
    }

    private var sinkAnswers: Value {
        let answer = SchemaPieces.choice(SinkAnswer.allCases.map(\.rawValue), "What a try meets.")
        let answers = SchemaPieces.oneOrMany(answer, "The answers to the tries in order; the last one goes on.")
        let about = "How sinks answer from now on; all others deliver."
        if isGeneric { return SchemaPieces.map(answers, about) }
        return .map(SchemaPieces.object(about, vocabulary.installation.sinks.map { ($0.name, answers) }))
    }

    var test: ValueMap {
        let head = [
            ("name", SchemaPieces.text("What is tried.")), ("now", Self.instant),
        ]
        return SchemaPieces.object(
            "A test: what happens, and what is to be told of it.",
            head + scene,
            required: ["now"]
        )
    }

    var stage: ValueMap {
        SchemaPieces.object("A later moment of a test.", [("at", Self.instant)] + scene, required: ["at"])
    }

    var event: ValueMap {
        let records = vocabulary.recordNames.map { record -> (String, Value) in
            let shape = ShapeMerging.merged(vocabulary.sources(with: record).map(\.shape), named: record)
            var map = SchemaPieces.object(
                "The \(record) it is about; what is not said is empty.",
                shape.fields.map { ($0.name, SchemaPieces.told($0)) }
            )
            if isGeneric, SchemaPieces.hasFreeFields(record, in: vocabulary) { map["additionalProperties"] = true }
            return (record, .map(map))
        }
        // The record of a source's health has the name of the key beside it.
        let health = HealthSchema.schema.records.filter { $0.name != "source" }.map { shape -> (String, Value) in
            (shape.name, ["type": "object", "description": .string(shape.documentation)])
        }
        let head: [(String, Value)] = [
            ("event", SchemaPieces.reference("kind", "What happens.")),
            (
                "source",
                ["description": "The source that saw it; the first that the rules name unless said otherwise."]
            ),
            ("student", SchemaPieces.text("The student it is about.")),
            ("key", SchemaPieces.text("Tells records apart that nothing else does.")),
            ("old", ["type": "object", "description": "What the record was before."]),
        ]
        return SchemaPieces.object("Something that happens.", head + records + health, required: ["event"])
    }

    var poll: ValueMap {
        let records: Value = ["type": "array", "items": ["type": "object"]]
        return SchemaPieces.object(
            "What a source answered before, and what it answers now.",
            [
                ("source", sourceNames),
                ("before", .map(Self.described(records, "Its records before; what it learnt first."))),
                ("after", .map(Self.described(records, "Its records now."))),
            ],
            required: ["source"]
        )
    }

    private static func described(_ value: Value, _ documentation: String) -> ValueMap {
        var map = value.map ?? ValueMap()
        map["description"] = .string(documentation)
        return map
    }

    var expectation: ValueMap {
        SchemaPieces.object(
            "A message that is to come.",
            [
                ("rule", SchemaPieces.text("The rule's id.")), ("sink", sinkNames),
                ("count", SchemaPieces.integer("How many of them.", in: 0...10_000)),
                ("title", SchemaPieces.text("The whole title.")),
                ("contains", SchemaPieces.reference("names", "What title or text contain.")),
                ("excludes", SchemaPieces.reference("names", "What neither contains.")),
                (
                    "state",
                    SchemaPieces.choice(
                        RehearsedState.allCases.map(\.rawValue),
                        "What became of it.",
                        standard: RehearsedState.delivered.rawValue
                    )
                ),
                ("tries", SchemaPieces.integer("How often it was tried so far.", in: 0...10_000)),
            ]
        )
    }
}

// MARK: Fields

extension SchemaPieces {
    /// What `match` may compare a field with.
    static func matched(_ field: FieldShape) -> Value {
        var shape = field.shape
        if case .list(let element) = shape { shape = element }
        guard let value = scalar(shape) else {
            return ["not": [:], "description": .string("\(sentence(field)) A \(shape.name): ask in 'if' instead.")]
        }
        return oneOrMany(value, sentence(field))
    }

    /// What a test may say of a field.
    static func told(_ field: FieldShape) -> Value {
        var map = scalar(field.shape)?.map ?? ValueMap()
        map["description"] = .string(sentence(field))
        return .map(map)
    }

    private static func sentence(_ field: FieldShape) -> String { field.documentation }

    private static func scalar(_ shape: Shape) -> Value? {
        switch shape {
        case .int, .uint: ["type": "integer"]
        case .double: ["type": "number"]
        case .bool: ["type": "boolean"]
        case .string, .any: ["type": ["string", "number", "boolean"]]
        default: nil
        }
    }

    /// Records whose fields are a setting of their source: what they have is known only with the bot file.
    static func hasFreeFields(_ record: String, in vocabulary: Vocabulary) -> Bool {
        vocabulary.installation.sources.contains { source in
            source.plugin.settings.contains { $0.key == "fields" }
                && source.schema.records.contains { $0.name == record }
        }
    }

    static func freeFields(in vocabulary: Vocabulary) -> Value {
        let names = vocabulary.recordNames.filter { hasFreeFields($0, in: vocabulary) }
        return .map(
            ValueMap(
                names.map {
                    (.string("^\($0)\\."), oneOrMany(text("A value."), "A field that the source's settings name."))
                }
            )
        )
    }

    static func freeField(in vocabulary: Vocabulary) -> Value {
        let names = vocabulary.recordNames.filter { hasFreeFields($0, in: vocabulary) }
        return text("A field that the source's settings name.", pattern: "^(\(names.joined(separator: "|")))\\.")
    }
}
