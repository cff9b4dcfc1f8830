import BotCore
import BotRules
import Testing
import Values

/// Names in rules that no configuration knows.
@Suite struct KnownNamesTests {
    static func rule(_ when: String, _ more: String = "") -> String {
        """
        version: 1
        rules:
          - id: r
            when: \(when)
        \(more)    message: {title: Hallo}
            send: [terminal]
        """
    }

    /// The installation with a student named for the grades.
    static var installation: Installation {
        var installation = TestSchool.installation()
        installation.sources = installation.sources.map { source in
            guard source.name == "anna-grades" else { return source }
            var source = source
            source.settings = Settings(name: source.name, values: ["student": "Anna"])
            return source
        }
        return installation
    }

    static func complaints(_ text: String) -> (text: String, hasErrors: Bool) {
        let set = RuleFiles.load([TestSchool.file(text)], in: installation)
        return (set.complaints.map(\.text).joined(), set.hasErrors)
    }

    @Test(arguments: [
        ("{event: grade.added, student: Ana}", ""), ("{event: grade.added}", "    match: {student: Ana}\n"),
    ])
    func `a student whom none of the sources is about is a mistake`(when: String, more: String) {
        let (text, hasErrors) = Self.complaints(Self.rule(when, more))
        #expect(hasErrors)
        #expect(text.contains("no source here is about a student 'Ana'\n"), "\(text)")
        #expect(text.contains("did you mean 'Anna'?\n  students here: Anna\n"), "\(text)")
    }

    @Test func `a condition on a student whom none of the sources is about is a mistake`() {
        let (text, _) = Self.complaints(Self.rule("{event: grade.added}", "    if: student.name == 'Ana'\n"))
        #expect(text.contains("'student.name' is never 'Ana'\n"), "\(text)")
    }

    @Test(arguments: [
        "{event: lesson.cancelled, student: Luka}", "{time_of: {field: lesson.start}, student: [Anna, Luka]}",
    ])
    func `a student whom the bot file does not know is warned of, since the school may`(when: String) {
        let (text, hasErrors) = Self.complaints(Self.rule(when))
        #expect(!hasErrors)
        #expect(text.contains("warning: no source and no family of the bot file names a student 'Luka'\n"), "\(text)")
        #expect(text.contains("did you mean 'Luca'?"))
    }

    @Test(arguments: [
        ("{event: grade.added, student: Anna}", ""),
        ("{event: grade.added, student: '4711'}", ""),
        ("{event: [grade.added, lesson.moved]}", "    if: student.name == 'Emil'\n"),
    ])
    func `students that are known, or may be, are fine`(when: String, more: String) {
        #expect(Self.complaints(Self.rule(when, more)).text == "")
    }

    /// A rule on such a source's student never fires by the name that a family or another source uses.
    @Test(arguments: [
        ("{event: lesson.cancelled, student: Anna}", "", "4:46", "Anna"),
        ("{event: [lesson.cancelled, grade.added], student: [Anna]}", "", "4:62", "Anna"),
        ("{time_of: {field: lesson.start}, student: Luca}", "", "4:53", "Luca"),
        ("{event: lesson.cancelled}", "    match: {student: Anna}\n", "5:22", "Anna"),
    ])
    func `a source that does not say whom a rule means by a name is warned of`(
        when: String,
        more: String,
        place: String,
        name: String
    ) {
        let (text, hasErrors) = Self.complaints(Self.rule(when, more))
        #expect(!hasErrors)
        let what = "warning: timetable-3a: no 'student:' says that its student is called '\(name)'"
        #expect(text.contains(what), "\(text)")
        #expect(text.contains("add 'student: \(name)' to the source"), "\(text)")
        #expect(text.contains("rules/test.yaml:\(place)"), "\(text)")
    }

    @Test func `a source of another student need not name it, where one of the same kind does`() {
        var installation = Self.installation
        var other = TestSchool.source("luca-grades", TestSchool.grades, account: "luca", school: TestSchool.school)
        other.settings = Settings(name: other.name, values: ValueMap())
        installation.sources.append(other)
        let text = Self.rule("{event: grade.added, student: Anna}")
        #expect(RuleFiles.load([TestSchool.file(text)], in: installation).complaints.isEmpty)
    }

    @Test func `a name as schools write it may be the school's own`() {
        var installation = TestSchool.installation()
        installation.families = [Family(name: "rossi", students: ["Muster Anna"], sinks: ["mail-rossi"])]
        let text = Self.rule("{event: lesson.cancelled, student: Muster Anna}")
        #expect(RuleFiles.load([TestSchool.file(text)], in: installation).complaints.isEmpty)
    }

    @Test func `a class that is spelled in another way is warned of`() {
        var installation = Self.installation
        let plugin = AccountPlugin(kind: "test", "", needsSchool: false, settings: []) { _, _, _ in NoAccount() }
        let settings = Settings(name: "pokyh", values: ["class_name": "3A-INF"])
        installation.accounts = [AccountEntry(name: "pokyh", plugin: plugin, settings: settings)]
        func complaints(_ name: String) -> String {
            let text = Self.rule("{event: lesson.cancelled}", "    match: {lesson.classes: \(name)}\n")
            return RuleFiles.load([TestSchool.file(text)], in: installation).complaints.map(\.text).joined()
        }
        #expect(complaints("3a inf").contains("warning: the bot file writes this class in another way"))
        #expect(complaints("3a inf").contains("did you mean '3A-INF'?"))
        #expect(complaints("3B-INF") == "")
        #expect(complaints("3A-INF") == "")
    }

    // MARK: Families

    /// What is said of a rule that tells families, where the sources have these values of `student:` and one family has these students.
    static func familyComplaints(_ when: String, named: [String: String], students: [String]) -> String {
        var installation = TestSchool.installation()
        installation.families = [Family(name: "rossi", students: students, sinks: ["mail-rossi"], locale: "it")]
        installation.sources = installation.sources.map { source in
            var source = source
            if let name = named[source.name] {
                source.settings = Settings(name: source.name, values: ["student": .string(name)])
            }
            return source
        }
        let text = rule(when).replacing("[terminal]", with: "[family]")
        let set = RuleFiles.load([TestSchool.file(text)], in: installation)
        #expect(!set.hasErrors)
        return set.complaints.map(\.text).joined()
    }

    @Test func `a source that does not say by what name families know its student is warned of`() {
        let text = Self.familyComplaints(
            "{event: [lesson.cancelled, grade.added]}",
            named: ["anna-grades": "Anna"],
            students: ["Anna"]
        )
        #expect(text.contains("warning: timetable-3a: no 'student:' says by what name the families know the student"))
        #expect(text.contains("with the name under 'families:': Anna"), "\(text)")
    }

    @Test func `a student whom no family names is warned of, with the nearest name`() {
        let text = Self.familyComplaints("{event: grade.added}", named: ["anna-grades": "Anna"], students: ["anna"])
        #expect(text.contains("warning: no family has a student of these sources: Anna\n"), "\(text)")
        #expect(text.contains("did you mean 'anna'?"), "\(text)")
    }

    @Test(arguments: [
        (["anna-grades": "Anna", "timetable-3a": "Anna"], ["Anna"]),
        (["anna-grades": "Anna"], ["Anna", "Muster Luca"]),
        (["anna-grades": "Anna"], ["4711"]), ([:], ["Muster Anna"]),
    ])
    func `families that know the students, or may, are fine`(named: [String: String], students: [String]) {
        let when = "{event: [lesson.cancelled, grade.added]}"
        #expect(Self.familyComplaints(when, named: named, students: students) == "")
    }

    @Test func `the words for several events in the place of those for one are pointed to their place`() {
        let text = Self.rule("{event: grade.added}", "    digest: {at: \"18:00\"}\n")
            .replacing("{title: Hallo}", with: "{title: \"{{ group.events.size }} neue\"}")
        #expect(Self.complaints(text).text.contains("the words for several stand under 'many:' of the message"))
    }

    private struct NoAccount: Account {
        func close(at now: Timestamp) async {}
        func forgetRefusal() async {}
    }
}
