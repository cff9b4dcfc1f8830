import BotCore
import BotRules
import Testing

@Suite struct ReadingTests {
    @Test func `a misspelt field is shown with its place, a caret and the cure`() {
        let text = """
            version: 1
            rules:
              - id: anna-new-grade
                when: {event: grade.added}
                if: grade.valu < 6.0 || grade.subject in ["MATH"]
                message: {title: "{{ grade.subject }}"}
                send: [mail-rossi]
            """
        let expected = """
            rules/test.yaml:5:9: error: event 'grade.added' has no field 'grade.valu'
               5 |     if: grade.valu < 6.0 || grade.subject in ["MATH"]
                 |         ^^^^^^^^^^
              did you mean 'grade.value'? Fields of 'grade': date, id, kind, subject, text, value
              rule 'anna-new-grade' is not active; all other rules are.

            """
        #expect(TestSchool.complaints(about: text) == expected)
    }

    @Test func `a misspelt name in a text is shown at its place in the block`() {
        let text = """
            version: 1
            rules:
              - id: cancelled
                when: {event: lesson.cancelled}
                message:
                  title: Ausfall
                  body: |
                    Heute:
                    {{ lesson.subjct }}
                send: terminal
            """
        let shown = TestSchool.complaints(about: text)
        #expect(shown.hasPrefix("rules/test.yaml:9:12: error: 'lesson' has no field 'subjct'"), "\(shown)")
        #expect(shown.contains("did you mean 'lesson.subject'?"))
    }

    @Test func `all mistakes of a file are told in one go, and the other rules run`() {
        let text = """
            version: 1
            rules:
              - id: one
                when: {event: lesson.canceled, source: timetable-3b}
                message: {title: Ausfall}
                send: [telegram-3b]
              - id: two
                when: {event: lesson.cancelled}
                message: {title: Ausfall}
                send: [telegram-3a]
              - id: three
                when: {at: "25:00"}
                mesage: {title: Hallo}
                send: [telegram-3a]
            """
        let set = TestSchool.load(text)
        #expect(set.inactive == ["one", "three"])
        #expect(set.ruleCount == 3)
        #expect(set.book.summary.map(\.id) == ["two"])
        let shown = set.complaints.map(\.text).joined()
        for part in [
            "no source of the bot file has an event 'lesson.canceled'", "did you mean 'lesson.cancelled'?",
            "there is no source 'timetable-3b'", "there is no sink 'telegram-3b'", "did you mean 'telegram-3a'?",
            "there is no time '25:00'", "unknown key 'mesage'", "did you mean 'message'?",
            "rule 'one' is not active; all rules without errors are.",
        ] {
            #expect(shown.contains(part), "\(part) in\n\(shown)")
        }
    }

    @Test(arguments: [
        ("when: {event: lesson.cancelled, at: \"07:00\"}", "only one of event, at can stand here"),
        ("when: {}", "nothing sets this rule going"),
        ("when: {event: lesson.cancelled, days: [mon]}", "'days' has no meaning beside 'event'"),
        ("when: {at: \"07:00\", days: [mo]}", "'mo' is no day of the week"),
        ("when: {at: \"07:00\", timezone: Europe/Rom}", "there is no time zone 'Europe/Rom'"),
        ("when: {time_of: {field: lesson.subject}}", "'lesson.subject' is a string, not a time"),
        ("when: {time_of: {field: lesson.begin}}", "'lesson' has no field 'begin'"),
        ("when: {every: 10s}", "a rule fires once a minute at most"),
        ("when: {event: lesson.cancelled}\n    event: x", "'event' does not stand here"),
        ("when: {event: lesson.cancelled}\n    match: {lesson.klasse: [3A]}", "has no field 'lesson.klasse'"),
        ("when: {event: lesson.cancelled}\n    match: {subject: MAT}", "write lesson.subject"),
        ("when: {event: lesson.cancelled}\n    match: {lesson.merged: two}", "this must be a whole number, not 'two'"),
        ("when: {event: lesson.cancelled}\n    if: lesson.info == \"x\"", "'lesson.info' may be missing"),
        ("when: {event: lesson.cancelled}\n    if: lesson.subject = \"MAT\"", "=="),
        ("when: {event: lesson.cancelled}\n    query: {menu: mensa.today}", "a rule on events asks no queries"),
        ("when: {at: \"07:00\"}\n    query: {menu: mensa.todai}", "did you mean 'mensa.today'?"),
        ("when: {event: lesson.cancelled}\n    id: other", "key 'id'"),
    ])
    func `what is wrong is told in the words of the file`(rule: String, words: String) {
        let text = """
            version: 1
            rules:
              - id: rule
                \(rule)
                message: {title: Hallo}
                send: [terminal]
            """
        let shown = TestSchool.complaints(about: text)
        #expect(shown.contains(words), "\(shown)")
        #expect(TestSchool.load(text).book.summary.isEmpty)
    }

    @Test func `an id used twice is told with both places, and the first rule runs`() {
        let rule = """
              - id: twice
                when: {event: lesson.cancelled}
                message: {title: Hallo}
                send: [terminal]

            """
        let first = TestSchool.file("version: 1\nrules:\n" + rule, "rules/a.yaml")
        let second = TestSchool.file("version: 1\nrules:\n" + rule, "rules/b.yaml")
        let set = RuleFiles.load([first, second], in: TestSchool.installation())
        #expect(
            set.complaints.map(\.text).joined().contains("rules/b.yaml:3:9: error: the rule id 'twice' is used twice")
        )
        #expect(set.complaints.map(\.text).joined().contains("its first use is at rules/a.yaml:3:9"))
        #expect(set.book.summary.map(\.file) == ["rules/a.yaml"])
    }

    @Test func `asking for now in a rule on events is warned of, and the rule runs`() {
        let text = """
            version: 1
            rules:
              - id: near
                when: {event: lesson.cancelled}
                if: lesson.start - now < days(2)
                message: {title: Hallo}
                send: [terminal]
            """
        let set = TestSchool.load(text)
        let shown = set.complaints.map(\.text).joined()
        #expect(shown.hasPrefix("rules/test.yaml:5:24: warning: 'now' is the moment"), "\(shown)")
        #expect(shown.contains("within: 48h"))
        #expect(set.inactive.isEmpty)
    }

    @Test func `asking for now by way of a value of the rule's own is warned of, too`() {
        let text = """
            version: 1
            rules:
              - id: near
                when: {event: lesson.cancelled}
                vars: {near: lesson.start - now < days(2), soon: vars.near}
                if: vars.soon
                message: {title: Hallo}
                send: [terminal]
            """
        let shown = TestSchool.complaints(about: text)
        #expect(shown.contains("rules/test.yaml:6:14: warning: 'vars.soon' is made of 'now', which is"), "\(shown)")
    }

    @Test func `a rule that is broken on reload goes on as it was`() {
        let good = """
            version: 1
            rules:
              - id: kept
                description: good
                when: {event: lesson.cancelled}
                message: {title: Hallo}
                send: [terminal]
            """
        let book = TestSchool.load(good).book
        let broken = good.split(separator: "\n").map { $0.contains("send") ? "    send: [nowhere]" : String($0) }
        let set = TestSchool.load(broken.joined(separator: "\n"), previous: book)
        #expect(set.inactive == ["kept"])
        #expect(set.book.summary.map(\.description) == ["good"])
        #expect(set.complaints.map(\.text).joined().contains("rule 'kept' goes on as it was"))
        let unreadable = TestSchool.load("version: 1\nrules: [", previous: book)
        #expect(unreadable.book.summary.map(\.id) == ["kept"])
    }

    @Test(arguments: ["", "# only a comment\n", "version: 1\n", "version: 1\nrules: []\n"])
    func `a file without rules is no mistake`(text: String) {
        #expect(!TestSchool.load(text).hasErrors)
    }

    @Test func `texts that look like something else stay texts`() {
        let text = """
            version: 1
            rules:
              - id: norway
                when: {event: lesson.cancelled}
                match: {lesson.classes: [NO, 010, 1e3], lesson.subject: ON}
                message: {title: yes}
                send: [terminal]
            """
        let set = TestSchool.load(text)
        #expect(set.complaints.isEmpty, "\(set.complaints.map(\.text).joined())")
        let record = TestSchool.lessonRecord("ON", "2026-12-01T07:50", classes: ["NO"])
        let decision = set.book.decide(
            on: [TestSchool.event("lesson.cancelled", record)],
            in: .init(now: TestSchool.now)
        )
        #expect(decision.messages.map(\.title.plain) == ["yes"])
    }
}
