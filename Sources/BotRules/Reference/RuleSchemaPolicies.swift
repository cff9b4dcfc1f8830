import BotCore
import Values

/// Policies, texts and audiences in the schema of rule files.
extension RuleSchema {
    // MARK: Policies

    static let policies: [(String, Value)] = [
        ("group", SchemaPieces.reference("group", "Events with the same key are told in one message.")),
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

    var message: ValueMap {
        let languages = RuleReader.locales.map {
            ($0, SchemaPieces.reference("text", "The message in this language."))
        }
        let priority = SchemaPieces.choice(
            Priority.allCases.map(\.rawValue),
            "`high` passes quiet hours, limits and digests.",
            standard: Priority.normal.rawValue
        )
        let plan: [(String, Value)] = [
            ("many", SchemaPieces.reference("texts", "For several events in one message: `group.events`.")),
            ("priority", priority), ("link", SchemaPieces.text("An address that the message points to; Liquid.")),
        ]
        var map = SchemaPieces.object(
            "A message: texts, or texts for each language.",
            Self.textProperties + languages + plan
        )
        map["anyOf"] = Self.textOrLanguages
        return map
    }

    var send: Value {
        SchemaPieces.oneOrMany(
            ["anyOf": [sinkOrFamily, SchemaPieces.reference("recipients")]],
            "Whom it tells: sinks, or `family` for the sinks of the family whose student it is about."
        )
    }

    private var sinkOrFamily: Value {
        names(vocabulary.installation.sinks.map(\.name) + ["family"], "A sink of the bot file, or `family`.")
    }

    var recipients: ValueMap {
        SchemaPieces.object(
            "A sink with recipients of the rule's own.",
            [
                (
                    "sink",
                    names(
                        vocabulary.installation.sinks.filter(\.plugin.takesRecipients).map(\.name),
                        "A sink that takes recipients."
                    )
                ),
                ("to", SchemaPieces.reference("names", "The recipients: mail addresses, chats.")),
            ],
            required: ["sink"]
        )
    }
}
