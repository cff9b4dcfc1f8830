import BotCore
import Values

/// Tests in the schema of rule files.
extension RuleSchema {
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

    /// `{mail-rossi: [fails, delivers]}`.
    private var sinkAnswers: Value {
        let answer = SchemaPieces.choice(SinkAnswer.allCases.map(\.rawValue), "How it answers.")
        let names = vocabulary.installation.sinks.map(\.name)
        return [
            "type": "object",
            "description": "How sinks answer the tries, in order; the last answer stays. Others deliver.",
            "propertyNames": isGeneric ? [:] : ["enum": .list(names.map { .string($0) })],
            "additionalProperties": SchemaPieces.oneOrMany(answer, "How it answers."),
        ]
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
                ("student", SchemaPieces.text("The student it is about.")),
                (
                    "holidays",
                    SchemaPieces.oneOrMany(
                        ["anyOf": [Self.date, .map(Self.holiday)]],
                        "The school's free days.",
                        mayBeEmpty: true
                    )
                ),
            ],
            required: ["source"]
        )
    }

    private static func described(_ value: Value, _ documentation: String) -> ValueMap {
        var map = value.map ?? ValueMap()
        map["description"] = .string(documentation)
        return map
    }

    private static let date = SchemaPieces.text("A day: 2026-12-24.", pattern: "^\\d{4}-\\d\\d-\\d\\d$")
    private static let holiday = SchemaPieces.object(
        "Days from the first to the last.",
        [("from", date), ("to", date)],
        required: ["from", "to"]
    )

    var expectation: ValueMap {
        SchemaPieces.object(
            "A message that is to come.",
            [
                ("rule", SchemaPieces.text("The rule's id.")), ("sink", sinkNames),
                ("count", SchemaPieces.integer("How many of them.", in: 0...10_000)),
                ("title", SchemaPieces.text("The whole title.")),
                (
                    "state",
                    SchemaPieces.choice(
                        RehearsedState.allCases.map(\.rawValue),
                        "What became of it.",
                        standard: RehearsedState.delivered.rawValue
                    )
                ),
                ("tries", SchemaPieces.integer("How often it was tried.", in: 0...10_000)),
                ("contains", SchemaPieces.reference("names", "What title or text contain.")),
                ("excludes", SchemaPieces.reference("names", "What neither contains.")),
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
            return [
                "not": [:], "description": .string("\(field.documentation): a \(shape.name); ask in 'if' instead."),
            ]
        }
        guard !field.values.isEmpty else { return oneOrMany(value, field.documentation) }
        // The empty text is always a value: what is not there.
        return oneOrMany(names(field.values.filter { !$0.isEmpty } + [""], "A value."), field.documentation)
    }

    /// What a test may say of a field.
    static func told(_ field: FieldShape) -> Value {
        var map = scalar(field.shape)?.map ?? ValueMap()
        map["description"] = .string(field.documentation)
        return .map(map)
    }

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
