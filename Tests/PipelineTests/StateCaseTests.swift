import BotCore
import BotEngine
import BotTestKit
import Testing
import Values

/// What must not be lost or told twice, from the answer of a list to what sinks are handed; every run is a restart.
@Suite struct StateCaseTests {
    /// Monday, 30 November 2026, 06:00 in Rome.
    private static let monday = Timestamp(seconds: 1_796_014_800)
    private static let marks = (1...3).map { "G\($0)" }

    private static func rule(_ id: String, to sinks: String, _ more: String...) -> String {
        let lines = [
            "  - id: \(id)", "    when: {event: item.added}", "    message: {title: \"{{ item.title }}\"}",
            "    send: [\(sinks)]",
        ]
        return (lines + more.map { "    " + $0 }).joined(separator: "\n")
    }

    @Test func `STATE-01 what one sink could not take is kept for it alone until it can`() async throws {
        let mail = RecordingSink([.refused(.transient("timeout on connect", retryAfter: .minutes(5)))])
        let bot = try ListBot(
            rules: Self.rule("new", to: "mail, chat"),
            sinks: ["mail": mail, "chat": RecordingSink()]
        )
        defer { bot.remove() }
        bot.show(Self.marks)
        try await bot.once(at: Self.monday)
        bot.show(Self.marks + ["G4"])
        #expect(try await bot.once(at: Self.monday + .minutes(60)).waiting == 1)
        #expect(bot.told("chat") == ["G4"] && bot.told("mail") == [])
        for hour in 2...3 { #expect(try await bot.once(at: Self.monday + .hours(Int64(hour))).waiting == 0) }
        #expect(bot.told("chat") == ["G4"] && bot.told("mail") == ["G4"])
        #expect(Set(mail.tried.map(\.id)).count == 1)
    }

    @Test func `STATE-02 a message that is refused for its content ends alone, and the others are not sent again`()
        async throws
    {
        let mail = RecordingSink([.taken, .refused(.permanent("552 5.7.0 blocked")), .taken])
        let bot = try ListBot(
            rules: Self.rule("new", to: "mail"),
            sinks: ["mail": mail, "admin": RecordingSink()]
        )
        defer { bot.remove() }
        bot.show([])
        try await bot.once(at: Self.monday)
        bot.show(Self.marks)
        #expect(try await bot.once(at: Self.monday + .hours(1)).deliveries.dead == 1)
        for day in 1...10 { try await bot.once(at: Self.monday + .days(Int64(day))) }
        #expect(mail.tried.map(\.text) == Self.marks && bot.told("mail") == ["G1", "G3"])
        let dead = try await bot.deliveries(in: [.dead])
        #expect(dead.map(\.payload.text) == ["G2"] && dead.first?.attempts.map(\.answer) == ["552 5.7.0 blocked"])
        #expect(bot.told("admin").count == 1)
    }

    @Test func `STATE-09 a list with more items than any history is told once, however long it stays`() async throws {
        let bot = try ListBot(rules: Self.rule("new", to: "chat"), sinks: ["chat": RecordingSink()])
        defer { bot.remove() }
        let items = (1...600).map { "item \($0)" }
        bot.show(items)
        // More than a year: events and deliveries are forgotten after 30 days, what is gone after one year.
        for month in 0..<14 { try await bot.once(at: Self.monday + .days(Int64(month) * 31)) }
        #expect(bot.told("chat") == [])
        bot.show(items + ["item 601"])
        for month in 14..<20 { try await bot.once(at: Self.monday + .days(Int64(month) * 31)) }
        #expect(bot.told("chat") == ["item 601"])
    }

    @Test func `STATE-12 two rules with different conditions on one source do not disturb each other`() async throws {
        let rules = [("mat", "M"), ("eng", "E")].map {
            Self.rule("g-\($0.0)", to: $0.0, "if: item.title.startsWith(\"\($0.1)\")")
        }
        let bot = try ListBot(
            rules: rules.joined(separator: "\n"),
            sinks: ["mat": RecordingSink(), "eng": RecordingSink()]
        )
        defer { bot.remove() }
        bot.show(["M1", "E1"])
        for hour in 0..<10 { try await bot.once(at: Self.monday + .hours(Int64(hour))) }
        #expect(bot.told("mat") == [] && bot.told("eng") == [])
        bot.show(["M1", "E1", "M2", "E2"])
        for hour in 10..<20 { try await bot.once(at: Self.monday + .hours(Int64(hour))) }
        #expect(bot.told("mat") == ["M2"] && bot.told("eng") == ["E2"])
    }

    @Test func `STATE-12 two rules of one id are refused with both places`() throws {
        let bot = try ListBot(
            rules: Self.rule("g", to: "chat") + "\n" + Self.rule("g", to: "chat"),
            sinks: ["chat": RecordingSink()]
        )
        defer { bot.remove() }
        let text = try bot.complaints()
        #expect(text.contains("rules.yaml:3") && text.contains("rules.yaml:7"), "\(text)")
    }

    @Test func `STATE-13 a digest holds all that came since the last one, over restarts and a failing sink`()
        async throws
    {
        let mail = RecordingSink([.refused(.transient("421", retryAfter: .minutes(10)))])
        let bot = try ListBot(
            rules: Self.rule("daily", to: "mail", "digest: {at: \"18:00\"}"),
            sinks: ["mail": mail]
        )
        defer { bot.remove() }
        let rome = try #require(Zone("Europe/Rome"))
        let day = try #require(CalendarDate("2026-11-30"))
        let at = { (time: String) throws -> Timestamp in rome.instant(of: day, at: try #require(WallTime(time))) }
        bot.show([])
        try await bot.once(at: try at("08:00"))
        bot.show(["G1"])
        try await bot.once(at: try at("09:00"))
        bot.show(["G1", "G2"])
        try await bot.once(at: try at("12:00"))
        try await bot.once(at: try at("13:00"))
        bot.show(["G1", "G2", "G3"])
        try await bot.once(at: try at("18:00") - .seconds(1))
        #expect(mail.tried.isEmpty)
        #expect(try await bot.once(at: try at("18:00")).waiting == 1)
        #expect(mail.tried.count == 1 && mail.arrived.isEmpty)
        #expect(try await bot.once(at: try at("18:10")).waiting == 0)
        #expect(mail.arrived.count == 1)
        let text = mail.arrived.map { "\($0.text)\n\($0.content.plainText)" }.joined()
        for mark in Self.marks { #expect(text.contains(mark), "\(text)") }
        try await bot.once(at: try at("18:00") + .days(1))
        #expect(mail.arrived.count == 1)
    }

    @Test func `a clock that jumps ten years ahead and back loses nothing and tells nothing twice`() async throws {
        let bot = try ListBot(
            rules: Self.rule("new", to: "chat") + "\n"
                + Self.rule("daily", to: "mail", "digest: {at: \"18:00\"}"),
            sinks: ["chat": RecordingSink(), "mail": RecordingSink()]
        )
        defer { bot.remove() }
        var shown = ["G0"]
        bot.show(shown)
        try await bot.once(at: Self.monday)
        // Hours after the start; the fourth and the eighth lie outside of their row.
        let hours: [Int64] = [1, 2, 3, 87_600, 4, 5, 6, -720, 7, 8]
        for (index, hour) in hours.enumerated() {
            shown.append("G\(index + 1)")
            bot.show(shown)
            try await bot.once(at: Self.monday + .hours(hour))
        }
        for hour in 9..<60 { try await bot.once(at: Self.monday + .hours(Int64(hour))) }
        #expect(bot.told("chat").sorted() == shown.dropFirst().sorted())
        let told = (bot.sinks["mail"]?.arrived ?? []).map { "\($0.text)\n\($0.content.plainText)\n" }.joined()
        let words = told.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        // What waited for the evening when the clock jumped years ahead is stale, as after years without a bot; so is what was
        // collected a month before. What was collected in ten years comes this evening.
        for mark in shown[4...] where mark != "G8" { #expect(words.count { $0 == mark } == 1, "\(mark) in \(told)") }
        #expect(
            Set(words).isSubset(of: words.filter { word in words.count { $0 == word } == 1 || !word.hasPrefix("G") })
        )
    }
}
