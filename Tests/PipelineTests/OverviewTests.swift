import BotCore
import BotEngine
import BotTestKit
import Testing
import Values

/// What a student is told at a glance, from whatever the bot file polls and the school grants.
@Suite struct OverviewTests {
    private static let parts = ["timetable", "grades", "messages"]

    private func bot(_ kinds: [String] = parts, students: [(letter: String, name: String)] = [("a", "")]) throws
        -> TownBot
    {
        let children = students.enumerated().filter { !$0.element.name.isEmpty }.map {
            (id: Int64(11 + $0.offset), name: "Muster \($0.element.name)")
        }
        let sources = students.flatMap { student in
            kinds.map { kind in
                let named = student.name.isEmpty || kind == "messages" ? "" : ", student: \(student.name)"
                return "\(kind)-\(student.letter): {provider: webuntis.\(kind), account: anna, every: 30m\(named)}"
            }
        }
        let rules = students.map { student in
            """
              - id: overview-\(student.letter)
                when: {at: "07:15"}
                query: {o: {query: overview, source: \(kinds[0])-\(student.letter)}}
                message:
                  title: "{{ o.next_lesson.subject | default: '-' }} {{ o.today | size }} {{ o.average }} {{ o.grades | size }} {{ o.unread }} [{{ o.missing | join: ' ' }}]"
                send: [chat-\(student.letter)]
            """
        }
        return try TownBot(
            Town(["anna": Town.Person(id: 11, children: children)]),
            accounts: ["anna"],
            sources: sources,
            sinks: students.map { "chat-\($0.letter)" },
            rules: "version: 1\nrules:\n" + rules.joined(separator: "\n") + "\n"
        )
    }

    private func fill(_ town: Town) {
        let today = [(1, "07:50-08:40", "MAT"), (2, "08:40-09:30", "DEU")].map { id, time, subject in
            Town.Lesson(id, time, subject).with { $0.date = "2026-11-30" }
        }
        town.show([today[0].cancelled, today[1]], to: 11)
        town.show([Town.Lesson(3, "08:40-09:30", "ITA").with { $0.date = "2026-11-30" }], to: 12)
        town.grade([(501, "8"), (502, "5")], of: 11)
        town.grade([(601, "4")], of: 12)
        town.messages(
            (1...3).map { id -> Value in
                [
                    "id": .int(id), "subject": "Elternabend", "sentDateTime": "2026-11-29T08:00:00",
                    "isMessageRead": .bool(id == 3),
                ]
            }
        )
    }

    @Test func `an overview tells the next lesson, today, the average and the unread messages`() async throws {
        let bot = try bot()
        fill(bot.town)
        try await bot.run(for: .hours(2))
        #expect(bot.told("chat-a") == ["DEU 2 6,5 2 2 []"])
    }

    @Test(arguments: [
        ("grading/list", "DEU 2 0 2 [grades]"), ("v1/messages", "DEU 2 6,5 2 0 [messages]"),
        ("timetable/entries", "- 0 6,5 2 2 [timetable]"),
    ])
    func `what the school does not grant is missing from it, and the rest is told`(place: String, line: String)
        async throws
    {
        let bot = try bot()
        fill(bot.town)
        bot.town.deny(place)
        try await bot.run(for: .hours(2))
        #expect(bot.told("chat-a") == [line])
    }

    @Test func `what the bot file does not poll is missing from it`() async throws {
        let bot = try bot(["timetable"])
        fill(bot.town)
        try await bot.run(for: .hours(2))
        #expect(bot.told("chat-a") == ["DEU 2 0 0 [grades messages]"])
    }

    @Test func `nothing is told while no source has ever answered`() async throws {
        let bot = try bot()
        bot.town.fail("anna", with: Town.outage)
        try await bot.run(for: .hours(2))
        #expect(bot.told("chat-a").isEmpty)
    }

    @Test func `siblings have overviews of their own and their guardian's one inbox`() async throws {
        let bot = try bot(students: [("a", "Anna"), ("b", "Luca")])
        fill(bot.town)
        try await bot.run(for: .hours(2))
        #expect(bot.told("chat-a") == ["DEU 2 6,5 2 2 []"])
        #expect(bot.told("chat-b") == ["ITA 1 4 1 2 []"])
    }
}
