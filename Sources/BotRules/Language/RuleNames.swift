import BotCore
import CEL
import Values

/// What the texts of a rule may name: the names of its scope, its `vars`, and `group` where several events are told together.
enum RuleNames {
    /// For a message about one event or moment.
    static func single(_ scope: RuleScope, _ variables: [RuleVariable]) -> [FieldShape] {
        scope.textVariables + varsField(variables)
    }

    /// For a message about several events.
    static func group(_ scope: RuleScope, _ variables: [RuleVariable]) -> [FieldShape] {
        let entry = RecordShape(
            "group_event",
            "One of the events that are told together.",
            fields: single(scope, variables).filter { $0.name != "now" }
        )
        let group = RecordShape(
            "group",
            "The events that are told together.",
            fields: [
                FieldShape("key", .any, "the value of `by`; empty where there is none"),
                FieldShape("events", .list(.record(entry)), "the events, oldest first"),
            ]
        )
        let now = scope.textVariables.filter { $0.name == "now" }
        return now + [FieldShape("group", .record(group), "the events that are told together")]
    }

    private static func varsField(_ variables: [RuleVariable]) -> [FieldShape] {
        guard !variables.isEmpty else { return [] }
        let fields = variables.map { FieldShape($0.name, Shape($0.program.resultType)) }
        return [FieldShape("vars", .record(RecordShape("vars", "The rule's own values.", fields: fields)))]
    }
}

extension Rule {
    var singleNames: [FieldShape] { RuleNames.single(scope, variables) }
    var groupNames: [FieldShape] { RuleNames.group(scope, variables) }
}
