import BotCore
import Testing
import Values
import WebUntisProvider

@testable import BotRules

/// Queries that all sources of one student answer together.
@Suite struct JointQueryTests {
    private func source(_ name: String, _ plugin: ProviderPlugin, student: String? = nil) -> SourceEntry {
        let settings = Settings(name: name, values: student.map { ["student": .string($0)] } ?? [:])
        var entry = TestSchool.source(name, plugin.schema(settings), account: "rossi", school: TestSchool.school)
        entry.settings = settings
        return entry
    }

    private func load(_ query: String, _ sources: [SourceEntry]) -> RuleSet {
        var installation = TestSchool.installation()
        installation.sources = sources
        let text = """
            version: 1
            rules:
              - id: overview
                when: {at: "07:00"}
                query: {o: \(query)}
                message: {title: "{{ o.unread }}"}
                send: [terminal]
            """
        return RuleFiles.load([TestSchool.file(text)], in: installation, previous: nil)
    }

    private func needs(_ set: RuleSet) -> [String]? {
        let context = RuleContext(now: TestSchool.now)
        return set.book.slots(after: TestSchool.now, through: TestSchool.now + .days(1), in: context).first?.needs
    }

    @Test func `all sources of the student are refreshed before it is asked, those of others are not`() {
        let sources = [
            source("t-anna", WebUntisPlugins.timetable, student: "Anna"),
            source("g-anna", WebUntisPlugins.grades, student: "Anna"),
            source("t-luca", WebUntisPlugins.timetable, student: "Luca"),
            source("e-luca", WebUntisPlugins.exams, student: "Luca"), source("inbox", WebUntisPlugins.messages),
        ]
        #expect(needs(load("{query: overview, source: g-anna}", sources)) == ["t-anna", "g-anna", "inbox"])
        #expect(needs(load("{query: overview, source: t-luca}", sources)) == ["t-luca", "inbox"])
        let complaints = load("overview", sources).complaints.map(\.text).joined()
        #expect(complaints.contains("several sources answer 'overview'"))
        #expect(complaints.contains("source: t-anna"))
        let wrong = load("{query: overview, source: e-luca}", sources).complaints.map(\.text).joined()
        #expect(wrong.contains("'e-luca' does not answer 'overview'"))
    }

    @Test func `a student that is named by nobody has one overview, without what is switched off`() {
        var off = source("g", WebUntisPlugins.grades)
        off.isEnabled = false
        #expect(needs(load("overview", [source("t", WebUntisPlugins.timetable), off])) == ["t"])
        let unknown = load("overview", [source("e", WebUntisPlugins.exams)]).complaints.map(\.text).joined()
        #expect(unknown.contains("overview"))
    }
}

/// Names that look the same and are composed differently.
@Suite struct ComposedNameTests {
    private static let decomposed = "Mu\u{308}ller"

    @Test(arguments: [
        "match: {lesson.teacher: \"\(decomposed)\"}", "match: {lesson.teachers: [\"\(decomposed)\"]}",
        "if: 'lesson.teacher == \"\(decomposed)\"'", "if: '\"\(decomposed)\" in lesson.teachers'",
    ])
    func `DIFF-14 a name typed in another composition matches the school's`(condition: String) throws {
        let set = TestSchool.load(
            """
            version: 1
            rules:
              - id: mueller
                when: {event: lesson.cancelled}
                \(condition)
                message: {title: "{{ lesson.teacher }}"}
                send: [terminal]
            """
        )
        #expect(set.complaints.isEmpty)
        var record = TestSchool.lessonRecord("MAT", "2026-12-01T07:50")
        for (name, told) in [("M\u{FC}ller", 1), ("Muller", 0)] {
            record.fields["teacher"] = .string(name)
            record.fields["teachers"] = [.string(name)]
            let event = TestSchool.event("lesson.cancelled", record)
            #expect(set.book.decide(on: [event], in: RuleContext(now: TestSchool.now)).messages.count == told)
        }
    }
}
