import BotCore
import Foundation
import Glibc
import Testing
import Values

@testable import pokyh_bot

/// `outbox drop`, as people run it, and what it means.
@Suite(.serialized) struct OutboxDropTests {
    private func town(_ answers: Int) throws -> (CommandTown, id: String) {
        let town = try CommandTown()
        town.hookAnswers(answers)
        try town.run("once")
        try town.happen("grade anna MAT 8.5")
        try town.run("once")
        let line = try town.run("outbox", "list").output
        return (town, String(line.prefix { $0 != " " }))
    }

    @Test func `what is dropped goes with --yes alone, is never sent, and stands in history with the reason`() throws {
        let (town, id) = try town(500)
        let asked = try town.run("outbox", "drop", id)
        #expect(asked.status == 1 && asked.output.contains("\(id) queued through hook"))
        #expect(asked.errors.contains("nothing was dropped; with --yes these 1 are"))
        #expect(try town.run("outbox", "list").output.contains(id))

        let done = try town.run("outbox", "drop", id, "--yes", "--reason", "the chat is gone")
        #expect(done.status == 0 && done.output.contains("dropped: 1"))
        town.hookAnswers(200)
        let sent = town.received.count
        #expect(try town.run("once").status == 0)
        #expect(town.received.count == sent)
        #expect(try town.run("history").output.contains("\(id) dropped by told through hook: "))
        #expect(try town.run("history").output.contains("(Dropped by hand: the chat is gone)"))
        #expect(try town.run("outbox", "retry", id).status == 1)
    }

    @Test func `what is queued again for a sink that rests waits, and the admin is told what helps`() throws {
        let (town, id) = try town(400)
        town.hookAnswers(401)
        try town.happen("grade anna DEU 7")
        #expect(try town.run("once").status == 1)
        let queued = try town.run("outbox", "retry", id)
        #expect(queued.status == 1 && queued.output.contains("queued again: 1"))
        #expect(
            queued.errors.contains(
                "they wait while the sink 'hook' rests; 'pokyh-bot retry hook' lets it be tried again"
            )
        )
        town.hookAnswers(200)
        #expect(try town.run("retry", "hook").status == 0)
        #expect(try town.run("once").status == 0)
        #expect(try town.run("outbox", "list").output.contains("nothing waits and nothing was given up"))
    }

    @Test func `a sink that waits after failures is tried at once when somebody asks for it`() throws {
        let (town, _) = try town(503)
        for mark in ["DEU 7", "ENG 8"] {
            try town.happen("grade anna \(mark)")
            try town.run("once")
        }
        town.hookAnswers(200)
        #expect(try town.run("retry", "hook").status == 0)
        #expect(try town.run("retry", "hook").status == 1)
    }

    @Test func `all that one sink has not delivered goes in one go, also beside a running bot`() throws {
        let (town, id) = try town(400)
        #expect(try town.run("status").status == 1)
        let bot = try town.start("run")
        #expect(bot.line(with: "started") != nil)
        let done = try town.run("outbox", "drop", "--sink", "hook", "--yes")
        #expect(done.status == 0 && done.output.contains(id))
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
        let none = try town.run("outbox", "drop", "--sink", "hook", "--yes")
        #expect(none.status == 1 && none.errors.contains("nothing waits, is held or was given up for the sink 'hook'"))
    }

    @Test func `an unknown id is said to be one, and what makes no sense is a usage error`() throws {
        let (town, _) = try town(500)
        let unknown = try town.run("outbox", "drop", "nonsense\u{1B}[2J", "--yes")
        #expect(unknown.status == 1 && unknown.errors.contains("nothing with the id 'nonsense"))
        for words in [
            ["outbox", "drop"], ["outbox", "drop", "a", "--sink", "hook"], ["outbox", "list", "--sink", "hook"],
        ] {
            #expect(try ProgramRun(words + ["--config", town.config]).status == 64)
        }
    }

    @Test func `with a part go the other parts of the message that are still to come`() {
        func delivery(_ id: String, _ message: String, to recipient: String) -> Delivery {
            let payload = Payload(
                id: id,
                message: message,
                rule: "r",
                sink: "mail",
                recipient: recipient,
                createdAt: Timestamp(seconds: 0),
                text: "",
                content: .null
            )
            return Delivery(payload: payload, state: .queued, at: Timestamp(seconds: 0), attempts: [])
        }
        let latestFirst = [
            delivery("d", "two", to: "a"), delivery("c", "one", to: "b"), delivery("b", "one", to: "a"),
            delivery("a", "one", to: "a"),
        ]
        let selection = OutboxSelection(.ids(["b", "x"]), among: latestFirst)
        #expect(selection.chosen.map(\.payload.id) == ["a", "b"])
        #expect(selection.unknown == ["x"])
    }
}
