import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// A cancellation that is taken back before, while and after it is delivered.
@Suite struct CorrectionStoryTests {
    func house(_ sink: any Sink) -> House {
        let answers = ["planned", "cancelled", "planned"].map { ScriptedProvider.Answer.list([lesson("1", $0)]) }
        return House(
            sources: [source("timetable", ScriptedProvider(answers), every: .days(30))],
            sinks: [SinkSetup(name: "chat", sink: sink)],
            rules: CorrectingRules()
        )
    }

    @Test func `what has arrived is corrected`() async throws {
        let chat = RecordingSink()
        let house = house(chat)
        let engine = try await house.started()
        for _ in 0..<3 { try await house.poll(engine) }
        #expect(chat.arrived.map(\.text) == ["cancelled", "correction"])
    }

    @Test func `a sink that was down meanwhile sends neither the cancellation nor its correction`() async throws {
        let chat = RecordingSink()
        let isDown = Switch(true)
        let house = house(SwitchedSink(chat, isDown))
        let engine = try await house.started()
        for _ in 0..<3 {
            try await house.poll(engine)
            try await house.run(engine, for: .hours(3))
        }
        isDown.set(false)
        try await house.run(engine, for: .days(1))
        #expect(chat.arrived.isEmpty)
        #expect(try await house.store.counts() == [.dropped: 1])
    }

    @Test func `those alone are told of the correction whom the cancellation has reached`() async throws {
        let chat = RecordingSink(
            [.taken, .refused(.transient("busy", retryAfter: .hours(2))), .refused(.permanent("blocked"))],
            recipients: ["anna", "luca", "mia"]
        )
        let house = house(chat)
        let engine = try await house.started()
        for _ in 0..<3 { try await house.poll(engine) }
        try await house.run(engine, for: .days(1))
        #expect(chat.arrived.map { "\($0.recipient): \($0.text)" } == ["anna: cancelled", "anna: correction"])
    }

    @Test func `what may have arrived is corrected after it has been sent again`() async throws {
        let chat = RecordingSink([.arrivedWithoutAnswer])
        let house = house(chat)
        let engine = try await house.started()
        for _ in 0..<3 { try await house.poll(engine) }
        try await house.run(engine, for: .days(1))
        #expect(chat.tried.map(\.text) == ["cancelled", "cancelled", "correction"])
    }
}

/// Tells what is cancelled, and takes it back when it is not.
private struct CorrectingRules: Rules {
    func decide(on events: [Event], in context: RuleContext) -> Decision {
        var decision = Decision()
        for event in events where !isHealth(event) {
            if event.record.fields["text"] == "cancelled" {
                decision.messages.append(message("first", "cancelled"))
            } else {
                decision.withdrawn = ["first"]
                decision.messages.append(message("second", "correction", corrects: "first"))
            }
        }
        return decision
    }

    private func message(_ id: String, _ title: String, corrects: String? = nil) -> Message {
        let text = TemplatedText(template: title)
        return Message(id: id, rule: "a", sink: "chat", title: text, body: text, orderKey: "1", corrects: corrects)
    }

    func slots(after start: Timestamp, through end: Timestamp, in context: RuleContext) -> [Slot] { [] }
    func nextSlot(after instant: Timestamp, in context: RuleContext) -> Timestamp? { nil }
    func fire(_ slot: Slot, in context: RuleContext) -> Decision { Decision() }
    var readSources: Set<String> { [] }
    var ids: Set<String> { ["a"] }
}
