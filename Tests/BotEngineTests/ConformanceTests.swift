import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// The suites themselves: what conforms passes, what does not is named.
@Suite struct ConformanceTests {
    private let schema = SourceSchema(
        records: [RecordShape("lesson", fields: [FieldShape("text", .string)])],
        events: ["added", "changed", "removed"].map { EventDeclaration("lesson.\($0)", of: "lesson", "") }
    )
    private let request = FetchRequest(now: start, zone: .utc)

    @Test func `a provider and a sink that conform have no complaints`() async {
        let provider = ScriptedProvider([.list([lesson("1"), lesson("2")])])
        #expect(await ProviderConformance.failures(provider, schema: schema, request: request) == [])
        let sink = RecordingSink(parts: 2)
        let recipients = ["anna", "luca"]
        #expect(
            SinkConformance.failures(sink, name: "chat", takesRecipients: true, recipients: recipients, at: start) == []
        )
    }

    @Test func `a provider that breaks the contract is told where`() async {
        let bad = Record(key: "1", type: "lesson", fields: ["text": 5, "extra": "x"])
        let provider = ScriptedProvider([.list([bad, bad])]) { difference, _ in
            difference.changes.compactMap { $0.new }.map { Occurrence(kind: "lesson.odd", record: $0, revision: 1) }
        }
        let failures = await ProviderConformance.failures(provider, schema: schema, request: request).joined(
            separator: "\n"
        )
        for promise in [
            "keys are unique", "'text' is a int, not a string", "'extra' is not declared", "'lesson.odd' is declared",
            "new keys alone",
        ] {
            #expect(failures.contains(promise))
        }
    }

    @Test func `the declaration of health fits the events that are made`() {
        let shapes = HealthSchema.schema.records
        for declaration in HealthSchema.schema.events {
            let notice = HealthNotice(
                kind: declaration.kind,
                name: "x",
                error: "e",
                failures: 1,
                since: start,
                duration: .zero,
                revision: 1
            )
            let record = notice.event(at: start).record
            #expect(record.type == declaration.record)
            #expect(shapes.first { $0.name == record.type }?.complaints(about: record.fields) == [])
        }
    }
}
