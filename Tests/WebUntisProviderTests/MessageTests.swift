import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

@Suite struct MessageTests {
    @Test func `one new message is told; reading another elsewhere is not`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.messages)
        try await school.answer("v1/messages", "untis_messages_inbox")
        #expect(try await source.poll().isEmpty)
        #expect(try source.query("messages.unread")["count"] == 1)
        try await school.answer("v1/messages", "untis_messages_inbox_after")
        let told = try await source.poll()
        #expect(told.map(\.record.key) == ["70012"])
        let fields = try #require(told.first).record.fields
        #expect(
            fields["subject"] == "" && fields["sender"] == "Mustermann Karl"
                && fields["preview"] == "Bitte Helm mitbringen"
        )
        let sent = try #require(Timestamp(rfc3339: "2026-11-30T07:12:37Z"))
        #expect(fields["unread"] == true && fields["sent"] == .timestamp(sent))
        #expect(try await source.poll().isEmpty)
        #expect(await school.log.allSatisfy { $0.method == "GET" || !$0.rpc.isEmpty })
        #expect(await school.log.allSatisfy { !$0.path.hasSuffix("70010") })
    }

    @Test func `other wrappers and names are read, and a message without a time is kept`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.messages)
        try await school.answer("v1/messages", "untis_messages_wrapped")
        _ = try await source.poll()
        let fields = try #require(source.lastSnapshot?.records?.first).fields
        #expect(fields["sender"] == "Sekretariat Test" && fields["date"] == "2026-11-29" && fields["unread"] == true)
        await school.answer("v1/messages", ["data": [["id": 1, "isMessageRead": "true"]]])
        _ = try await source.poll()
        #expect(source.lastSnapshot?.records?.first?.fields["unread"] == false)
    }

    @Test func `DIFF-01 an inbox that is suddenly empty is not believed, and its messages are not told again`()
        async throws
    {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.messages)
        try await school.answer("v1/messages", "untis_messages_inbox")
        _ = try await source.poll()
        try await school.answer("v1/messages", "untis_messages_empty")
        #expect(try await source.poll().isEmpty)
        try await school.answer("v1/messages", "untis_messages_inbox")
        #expect(try await source.poll().isEmpty)
        await school.answer("v1/messages", ["hello": 1])
        await #expect(throws: PluginError.self) { try await source.poll() }
    }

    private func message(_ id: Int) -> Value {
        let day = CalendarDate(dayNumber: 20_787 - Int64(1000 - id) / 10)
        return [
            "id": .int(Int64(id)), "subject": .string("Nr. \(id)"), "sentDateTime": .string("\(day)T08:00:00"),
            "isMessageRead": false,
        ]
    }

    @Test(arguments: [20, 100])
    func `PROV-14 forty-seven new messages over three pages are told once each, oldest first`(page: Int) async throws {
        let school = try ScriptedSchool()
        func show(_ newest: Int) async {
            let all = (800...newest).reversed().map(message)
            await school.answer("v1/messages") { request in
                let start = Int(request.query["start"] ?? "") ?? 0
                return .json(["incomingMessages": .list(Array(all.dropFirst(start).prefix(page)))])
            }
        }
        var source = try Household(school).source(WebUntisPlugins.messages)
        await show(953)
        #expect(try await source.poll(at: Fixtures.monday - .days(4)).isEmpty)
        await show(1000)
        #expect(try await source.poll().map(\.record.key) == (954...1000).map(String.init))
        #expect(try await source.poll().isEmpty)
    }

    @Test func `a message that asks for a confirmation is told, though it comes in a list of its own`() async throws {
        let school = try ScriptedSchool()
        let old: Value = ["id": 1, "subject": "alt", "sentDateTime": "2026-11-28T08:00:00"]
        var source = try Household(school).source(WebUntisPlugins.messages)
        await school.answer("v1/messages", ["incomingMessages": [old], "readConfirmationMessages": []])
        _ = try await source.poll()
        let new: Value = ["id": 2, "subject": "Einverständnis", "sentDateTime": "2026-11-29T08:00:00"]
        await school.answer("v1/messages", ["incomingMessages": [old], "readConfirmationMessages": [new]])
        #expect(try await source.poll().map(\.record.key) == ["2"])
        // It may stand in both lists, and is one message.
        await school.answer("v1/messages", ["incomingMessages": [new, old], "readConfirmationMessages": [new]])
        #expect(try await source.poll().isEmpty)
    }

    @Test func `messages of days on which the bot did not run are told when it runs again`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.messages)
        let old: Value = ["id": 1, "subject": "alt", "sentDateTime": "2026-11-28T08:00:00"]
        await school.answer("v1/messages", ["incomingMessages": [old]])
        _ = try await source.poll()
        let missed: Value = ["id": 2, "subject": "verpasst", "sentDateTime": "2026-12-03T08:00:00"]
        await school.answer("v1/messages", ["incomingMessages": [missed, old]])
        #expect(try await source.poll(at: Fixtures.monday + .days(10)).map(\.record.key) == ["2"])
    }

    @Test func `old messages that turn up behind deleted ones are not news`() async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.messages)
        let recent: Value = ["id": 9, "subject": "neu", "sentDateTime": "2026-11-29T08:00:00"]
        let old: Value = ["id": 1, "subject": "alt", "sentDateTime": "2026-11-20T08:00:00"]
        await school.answer("v1/messages", ["incomingMessages": [recent]])
        _ = try await source.poll()
        await school.answer("v1/messages", ["incomingMessages": [recent, old]])
        #expect(try await source.poll().isEmpty)
    }

    @Test func `a message that comes after a clock was set right is told, although the clock was a month ahead`()
        async throws
    {
        let school = try ScriptedSchool()
        var source = try Household(school).source(WebUntisPlugins.messages)
        let first: Value = ["id": 1, "subject": "alt", "sentDateTime": "2026-11-29T08:00:00"]
        await school.answer("v1/messages", ["incomingMessages": [first]])
        _ = try await source.poll(at: Fixtures.monday + .days(30))
        let second: Value = ["id": 2, "subject": "neu", "sentDateTime": "2026-11-30T06:00:00"]
        await school.answer("v1/messages", ["incomingMessages": [second, first]])
        #expect(try await source.poll().map(\.record.key) == ["2"])
    }

    @Test func `a server that repeats its first page is left alone`() async throws {
        let school = try ScriptedSchool()
        let all = (901...1000).reversed().map(message)
        await school.answer("v1/messages") { _ in .json(["incomingMessages": .list(all)]) }
        var source = try Household(school).source(WebUntisPlugins.messages)
        _ = try await source.poll()
        #expect(await school.count("v1/messages") == 2)
        #expect(source.lastSnapshot?.records?.count == 100)
    }
}
