import BotCore
import CEL
import Values

/// The names that a rule's conditions and texts may use, with their types. Rules on the same kinds share one.
final class RuleScope: Sendable {
    /// Tells scopes of one book apart: what is bound for one serves every rule that has it.
    let number: Int
    let environment: CELEnvironment
    /// The same for texts, where `old` and the records of other kinds are optional as a whole.
    let textVariables: [FieldShape]
    /// The names of the records, one for each type that the rule's kinds have.
    let records: [String]

    init(number: Int, environment: CELEnvironment, textVariables: [FieldShape], records: [String]) {
        self.number = number
        self.environment = environment
        self.textVariables = textVariables
        self.records = records
    }

    /// The declared shape of a record of this scope.
    func record(_ name: String) -> RecordShape? {
        guard records.contains(name), let field = textVariables.last(where: { $0.name == name }),
            case .record(let shape) = field.shape
        else { return nil }
        return shape
    }

    /// Binds an event for conditions. What is not there is an empty map, so that `has(old.room)` is a plain no.
    func activation(for event: Event, at now: Timestamp) -> CELActivation {
        var variables = event.variables
        if event.old == nil { variables["old"] = .map(ValueMap()) }
        for name in records where name != event.record.type { variables[name] = .map(ValueMap()) }
        variables["now"] = .timestamp(now)
        return CELActivation(variables, in: environment)
    }
}

/// The scopes of one book, each made for the first rule that needs it. All readers of one set of files share the table.
final class ScopeTable {
    private struct Key: Hashable {
        let subject: String?
        let records: [String]
        let fields: [[FieldShape]]
        let students: [String]
        let zone: Zone
    }

    private let vocabulary: Vocabulary
    private var known: [Key: RuleScope] = [:]
    private var count = 0

    init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

    /// The scope of rules on events.
    ///
    /// - Parameter owners: the sources of these events.
    func eventScope(_ declared: [Vocabulary.Declared], of owners: Set<String>, zone: Zone) -> RuleScope {
        var names: [String] = []
        var shapes: [String: [RecordShape]] = [:]
        for entry in declared {
            guard let last = shapes[entry.record.name]?.last else {
                names.append(entry.record.name)
                shapes[entry.record.name] = [entry.record]
                continue
            }
            // Sources of one provider mostly declare the same.
            if last.fields != entry.record.fields { shapes[entry.record.name]?.append(entry.record) }
        }
        let isOne = names.count == 1
        let kind = declared.first.map { "event '\($0.event.kind)'" }
        let records = names.map { ShapeMerging.merged(shapes[$0] ?? [], named: $0) }
        let students = vocabulary.studentNames(of: owners) ?? []
        let key = Key(
            subject: isOne ? kind : nil,
            records: names,
            fields: records.map(\.fields),
            students: students,
            zone: zone
        )
        if let scope = known[key] { return scope }
        let scope = makeScope(key, records, isOne: isOne)
        known[key] = scope
        return scope
    }

    /// The scope of events with these records: with several, each may be missing as a whole.
    private func makeScope(_ key: Key, _ records: [RecordShape], isOne: Bool) -> RuleScope {
        let bound = isOne ? records : records.map { ShapeMerging.merged([$0], named: $0.name, allOptional: true) }
        let old = ShapeMerging.merged(records, named: "old", allOptional: true)
        let common = common(students: key.students, fields: records.flatMap(\.fields).map(\.name))
        let variables = common + bound.map { FieldShape($0.name, .record($0)) }
        let text =
            common + records.map { FieldShape($0.name, .record($0), optional: !isOne) }
            + [
                FieldShape(
                    "old",
                    .record(ShapeMerging.merged(records, named: "old", allOptional: !isOne)),
                    optional: true
                )
            ]
        return makeScope(
            variables + [FieldShape("old", .record(old))],
            text: text,
            records: key.records,
            subject: key.subject,
            key.zone
        )
    }

    /// The scope of a scheduled rule: the answers to its queries, and the record whose time it waits for.
    func scheduleScope(record: RecordShape?, queries: [FieldShape], zone: Zone) -> RuleScope {
        var variables = [FieldShape("now", .timestamp, "the moment at which the rule is asked")] + queries
        if let record {
            variables += [source, account, Self.student(oneOf: []), FieldShape(record.name, .record(record))]
        }
        return makeScope(
            variables,
            text: variables,
            records: record.map { [$0.name] } ?? [],
            subject: record.map { "'time_of' a \($0.name)" },
            zone
        )
    }

    private func makeScope(
        _ variables: [FieldShape],
        text: [FieldShape],
        records: [String],
        subject: String?,
        _ zone: Zone
    ) -> RuleScope {
        count += 1
        let environment = CELEnvironment(
            variables: variables.map { CELVariable($0) },
            functions: HostFunctions.all(zone: zone),
            subject: subject
        )
        // Of two variables of one name the later counts: a record named `source` hides the source's name.
        let visible = text.enumerated().filter { place, field in
            !text[(place + 1)...].contains { $0.name == field.name }
        }
        return RuleScope(
            number: count,
            environment: environment,
            textVariables: visible.map(\.element),
            records: records
        )
    }

    private var source: FieldShape {
        FieldShape("source", .string, oneOf: vocabulary.sourceNames, "the source's name in the bot file")
    }
    private var account: FieldShape {
        FieldShape("account", .string, oneOf: vocabulary.accountNames, "the account's name in the bot file")
    }

    /// - Parameter names: all that the student can be called; empty where that is not known.
    private static func student(oneOf names: [String]) -> FieldShape {
        let fields = [
            FieldShape("id", .string, "the school's id"), FieldShape("name", .string, oneOf: names, "the name"),
        ]
        return FieldShape(
            "student",
            .record(RecordShape("student", "Whom it is about.", fields: fields)),
            "whom it is about"
        )
    }

    /// - Parameter fields: the names of what can change.
    private static func change(of fields: [String]) -> RecordShape {
        RecordShape(
            "change",
            "A field that has another value than before.",
            fields: [
                FieldShape("field", .string, oneOf: fields, "its name"), FieldShape("old", .any, "what it was"),
                FieldShape("new", .any, "what it is"),
            ]
        )
    }

    private var event: RecordShape {
        RecordShape(
            "event",
            "What happened.",
            fields: [
                FieldShape("kind", .string, oneOf: vocabulary.kindNames, "`lesson.cancelled`"),
                FieldShape("id", .string, "its id"), FieldShape("at", .timestamp, "when it was seen"),
            ]
        )
    }

    private func common(students: [String], fields: [String]) -> [FieldShape] {
        [
            FieldShape("event", .record(event), "what happened"), source, account, Self.student(oneOf: students),
            FieldShape("changes", .list(.record(Self.change(of: fields))), "the fields that have changed"),
            FieldShape("now", .timestamp, "the moment at which the rule is asked"),
        ]
    }
}
