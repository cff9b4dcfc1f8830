import Values

/// The events that tell of the bot's own health. They go through the rules like all others; `admin:` is a rule on them.
public enum HealthSchema {
    public static let sourceFailing = "source.failing"
    public static let sourceRecovered = "source.recovered"
    public static let sourceUnauthorized = "source.unauthorized"
    public static let sourceUnavailable = "source.unavailable"
    public static let sourceMemoryLost = "source.memory_lost"
    public static let sinkFailing = "sink.failing"
    public static let sinkRecovered = "sink.recovered"
    public static let sinkDeadLetter = "sink.dead_letter"
    public static let ruleFailing = "rule.failing"
    public static let ruleUnmatched = "rule.unmatched"

    /// What rules may read of such an event; one declaration for the checker and the reference page.
    public static let schema = SourceSchema(
        records: [
            RecordShape("source", "A source of the bot file.", fields: fields + [account]),
            RecordShape("sink", "A sink of the bot file.", fields: fields + [failedRule]),
            RecordShape("rule", "A rule.", fields: fields + [failedEvent, runs]),
        ],
        events: sourceEvents + sinkEvents + ruleEvents
    )

    private static let fields = [
        FieldShape("name", .string, "Its name in the bot file or rule file."),
        FieldShape("error", .string, "What happened and how to mend it, free of secrets; empty when it works again."),
        FieldShape("failures", .int, "How often it has failed in a row."),
        FieldShape("since", .timestamp, "The first of these failures."),
        FieldShape("duration", .duration, "How long it has been failing, or failed before it recovered."),
    ]
    private static let account = FieldShape("account", .string, "The account it uses; empty if none.")
    private static let failedRule = FieldShape(
        "rule",
        .string,
        "The rule whose message could not be delivered; empty for others."
    )

    private static let failedEvent = FieldShape(
        "event",
        .string,
        "The event or time at which its condition or text failed; empty where its file has errors, and for others."
    )

    private static let runs = FieldShape(
        "runs",
        .bool,
        "Whether it runs: false where its file has errors and no version of it without errors is known."
    )

    private static let sourceEvents = [
        EventDeclaration(
            sourceFailing,
            of: "source",
            "It has failed three times in a row; told once.",
            opposite: sourceRecovered
        ),
        EventDeclaration(sourceRecovered, of: "source", "It works again after a failure that was told."),
        EventDeclaration(
            sourceUnauthorized,
            of: "source",
            "Its login was refused. The account rests until its credentials change: wrong passwords lock accounts.",
            expiry: .never
        ),
        EventDeclaration(
            sourceUnavailable,
            of: "source",
            "The school does not grant it to this account. It is asked again once a day."
        ),
        EventDeclaration(
            sourceMemoryLost,
            of: "source",
            "The memory was damaged and begins anew: changes since the last poll may have been missed.",
            expiry: .never
        ),
    ]
    private static let sinkEvents = [
        EventDeclaration(
            sinkFailing,
            of: "sink",
            "It has failed three times in a row, or its login was refused and it rests; told once, through others.",
            opposite: sinkRecovered
        ),
        EventDeclaration(sinkRecovered, of: "sink", "It delivers again after a failure that was told."),
        EventDeclaration(
            sinkDeadLetter,
            of: "sink",
            "A message cannot be delivered and is given up; `outbox retry` sends it again.",
            expiry: .never
        ),
    ]
    private static let ruleEvents = [
        EventDeclaration(
            ruleFailing,
            of: "rule",
            "It has errors in its file, told once, or its condition or text failed, told once a day at most."
        ),
        EventDeclaration(
            ruleUnmatched,
            of: "rule",
            "For four weeks it has had nothing to say of the events it hears of; told once a week at most."
        ),
    ]
}
