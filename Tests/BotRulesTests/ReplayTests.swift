import BotCore
import BotRules
import Testing
import Values

@Suite struct ReplayTests {
    @Test func `recorded events through edited rules show what would be sent now`() {
        let old = TestSchool.load("version: 1\nrules:\n" + PolicyTests.rule("")).book
        let edited = PolicyTests.rule("match: {lesson.subject: [MAT, ENG]}\n    digest: {at: \"18:00\"}")
        let new = TestSchool.load("version: 1\nrules:\n" + edited).book
        var events = ["MAT", "ITA"].map { PolicyTests.cancelled($0, "2026-12-01T07:50") }
        events[1].at = events[1].at + .hours(1)
        let end = TestSchool.instant("2026-12-01T00:00")
        let before = RuleReplay.lines(of: events.reversed(), through: old, until: end)
        let after = RuleReplay.lines(of: events, through: new, until: end)
        #expect(before.map(\.title) == ["MAT", "ITA"])
        #expect(after.map(\.at) == [TestSchool.instant("2026-11-30T18:00")])
        let difference = RuleReplay.difference(before, after)
        #expect(difference.more.isEmpty)
        #expect(difference.less.map(\.title) == ["ITA"])
    }
}
