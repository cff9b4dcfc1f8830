import BotCore
import BotRules
import Testing
import Values

@Suite struct EventRuleTests {
    static func book(_ rule: String, admin: [String] = []) -> RuleBook {
        let set = TestSchool.load("version: 1\nrules:\n" + (rule.isEmpty ? "  []" : rule), admin: admin)
        #expect(!set.hasErrors, "\(set.complaints.map(\.text).joined())")
        return set.book
    }

    static func told(_ book: RuleBook, _ events: [Event]) -> Decision {
        book.decide(on: events, in: RuleContext(now: TestSchool.now))
    }

    @Test func `a rule tells the events of its kinds and no others`() {
        let book = Self.book(
            """
              - id: r
                when: {event: [lesson.cancelled, lesson.moved]}
                message: {title: "{{ lesson.subject }} {{ event.kind }}"}
                send: [terminal, class-hook]
            """
        )
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50")
        let decision = Self.told(
            book,
            [
                TestSchool.event("lesson.cancelled", lesson), TestSchool.event("lesson.room_changed", lesson),
                TestSchool.event("lesson.moved", lesson),
            ]
        )
        #expect(
            decision.messages.map { "\($0.sink): \($0.title.plain)" } == [
                "terminal: MAT lesson.cancelled", "terminal: MAT lesson.moved", "class-hook: MAT lesson.cancelled",
                "class-hook: MAT lesson.moved",
            ]
        )
        #expect(decision.messages[0].expires == TestSchool.instant("2026-12-01T08:40"))
        #expect(decision.messages[0].orderKey == "timetable-3a/MAT/2026-12-01T07:50")
        #expect(Set(decision.messages.map(\.id)).count == 4)
    }

    @Test(arguments: [
        ("{lesson.classes: [3A, 3B]}", true), ("{lesson.classes: 4A}", false), ("{lesson.subject: [ITA, MAT]}", true),
        ("{lesson.subject: MAT, lesson.room: T205}", false), ("{lesson.merged: 1}", true), ("{student: Anna}", true),
        ("{student.id: \"12\"}", false), ("{source: timetable-3a}", true), ("{lesson.info: x}", false),
    ])
    func `match compares fields, all keys and any value`(match: String, isTold: Bool) {
        let book = Self.book(
            """
              - id: r
                when: {event: lesson.cancelled}
                match: \(match)
                message: {title: Hallo}
                send: [terminal]
            """
        )
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", classes: ["3A", "2C"])
        let decision = Self.told(book, [TestSchool.event("lesson.cancelled", lesson)])
        #expect(decision.messages.count == (isTold ? 1 : 0))
    }

    @Test(arguments: [
        ("grade.value < 6", "told"), ("grade.value > 6", "conditionFalse"), ("vars.low", "told"),
        ("date(event.at) == '2026-11-30'", "told"), ("local(event.at).hour == 12", "told"),
        ("has(old.value)", "conditionFalse"), ("student.name == 'Anna' && source == 'anna-grades'", "told"),
        ("int(grade.text) == 1", "failed"), ("changes.size() == 0", "told"),
    ])
    func `a condition decides, and its failure is neither yes nor no`(condition: String, outcome: String) {
        let book = Self.book(
            """
              - id: r
                when: {event: grade.added}
                vars: {low: grade.value < 6.0}
                if: \(condition)
                message: {title: "{{ grade.value }} {{ vars.low }}"}
                send: [terminal]
            """
        )
        let event = TestSchool.event("grade.added", TestSchool.gradeRecord("MAT", 5.5), source: "anna-grades")
        let decision = Self.told(book, [event])
        #expect(decision.notes.map(\.outcome.rawValue) == [outcome], "\(decision.notes)")
        #expect(decision.messages.map(\.title.plain) == (outcome == "told" ? ["5.5 true"] : []))
    }

    @Test func `the family of the student is told in its language`() {
        let book = Self.book(
            """
              - id: r
                when: {event: grade.added, student: [Anna, Luca, "12"]}
                message:
                  de: {title: "Neue Note", body: "**{{ grade.subject }}**"}
                  it: {title: "Nuovo voto", body: "**{{ grade.subject }}**"}
                send: [family, mail-admin]
            """
        )
        func tell(_ name: String) -> [String] {
            let event = TestSchool.event(
                "grade.added",
                TestSchool.gradeRecord("MAT", 5),
                source: "anna-grades",
                student: Student(id: name == "Mia" ? "12" : "1", name: name)
            )
            return Self.told(book, [event]).messages.map { "\($0.sink) \($0.locale) \($0.title.plain)" }
        }
        // The admin reads English; there is no English text, so it is the bot's own language.
        #expect(tell("Anna") == ["mail-rossi it Nuovo voto", "mail-admin en Neue Note"])
        #expect(tell("Mia") == ["mail-admin en Neue Note"])
        #expect(tell("Paul") == [])
    }

    @Test func `a value never becomes markup, and a title is one line`() {
        let book = Self.book(
            """
              - id: r
                when: {event: grade.added}
                message: {title: "a  {{ grade.subject }}\\n b", body: "*{{ grade.subject }}*", html: "<b>{{ grade.subject }}</b>"}
                send: [terminal]
            """
        )
        let event = TestSchool.event("grade.added", TestSchool.gradeRecord("<i>\n*x*", 5), source: "anna-grades")
        let message = Self.told(book, [event]).messages.first
        #expect(message?.title.plain == "a <i> *x* b")
        #expect(message?.body.template.contains("<i>") == false)
        #expect(message?.body.values == ["<i>\n*x*"])
        #expect(message?.htmlOverride == "<b>&lt;i&gt;\n*x*</b>")
    }

    @Test func `what a record should have and lacks is a gap, not a lost message`() {
        let book = Self.book(
            """
              - id: r
                when: {event: grade.added}
                message: {title: "{{ grade.subject }}: {{ grade.value }}"}
                send: [terminal]
            """
        )
        var record = TestSchool.gradeRecord("MAT", 5)
        record.fields["subject"] = nil
        let decision = Self.told(book, [TestSchool.event("grade.added", record, source: "anna-grades")])
        #expect(decision.messages.map(\.title.plain) == ["–: 5.0"])
        #expect(decision.notes.map(\.outcome) == [.told, .failed])
    }

    @Test(arguments: [(20, 20), (21, 1), (300, 1)])
    func `more than 20 events of one rule at once are one message`(count: Int, messages: Int) {
        let book = Self.book(
            """
              - id: r
                when: {event: lesson.cancelled}
                message: {title: "{{ lesson.subject }} fällt aus"}
                send: [terminal]
            """
        )
        let events = (1...count).map { number in
            TestSchool.event("lesson.cancelled", TestSchool.lessonRecord("S\(number)", "2026-12-01T07:50"))
        }
        let decision = Self.told(book, events)
        #expect(decision.messages.count == messages)
        if messages == 1 {
            #expect(decision.messages[0].title.plain == "\(count) Meldungen")
            #expect(decision.messages[0].body.plain.contains("\n\n- S1 fällt aus\n- S2 fällt aus"))
            #expect(decision.messages[0].events.count == count)
        }
    }

    @Test func `many events have a message of their own where the rule has one`() {
        let book = Self.book(
            """
              - id: r
                when: {event: lesson.cancelled}
                message:
                  title: "{{ lesson.subject }}"
                  many:
                    title: "{{ group.events.size }} Ausfälle"
                    body: "{% for e in group.events %}{{ e.lesson.subject }} {% endfor %}"
                send: [terminal]
            """
        )
        let events = (1...25).map { number in
            TestSchool.event("lesson.cancelled", TestSchool.lessonRecord("S\(number)", "2026-12-01T07:50"))
        }
        let message = Self.told(book, events).messages.first
        #expect(message?.title.plain == "25 Ausfälle")
        #expect(message?.body.plain.hasPrefix("S1 S2 S3 ") == true)
    }

    @Test func `classmates who see the same change make one message for each recipient`() {
        let book = Self.book(
            """
              - id: r
                when: {event: lesson.cancelled}
                message: {title: "{{ lesson.subject }}"}
                send: [class-hook]
            """
        )
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50")
        let first = Self.told(book, [TestSchool.event("lesson.cancelled", lesson, world: "w")])
        let second = Self.told(
            book,
            [TestSchool.event("lesson.cancelled", lesson, student: Student(id: "2", name: "Luca"), world: "w")]
        )
        #expect(first.messages.map(\.id) == second.messages.map(\.id))
    }

    @Test func `a rule that is only tried says what it would send`() {
        let book = Self.book(
            """
              - id: r
                dry_run: true
                when: {event: lesson.cancelled}
                message: {title: "{{ lesson.subject }}"}
                send: [class-hook]
              - id: off
                enabled: false
                when: {event: lesson.cancelled}
                message: {title: "{{ lesson.subject }}"}
                send: [class-hook]
            """
        )
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50")
        let decision = Self.told(book, [TestSchool.event("lesson.cancelled", lesson)])
        #expect(decision.messages.isEmpty)
        #expect(decision.notes.map(\.reason) == ["would be sent: class-hook: MAT"])
    }

    @Test func `one rule that fails stops no other`() {
        let book = Self.book(
            """
              - id: fails
                when: {event: grade.added}
                if: 'int(grade.subject) == 1'
                message: {title: a}
                send: [terminal]
              - id: works
                when: {event: grade.added}
                message: {title: b}
                send: [terminal]
            """
        )
        let event = TestSchool.event("grade.added", TestSchool.gradeRecord("MAT", 5), source: "anna-grades")
        let decision = Self.told(book, [event])
        #expect(decision.messages.map(\.rule) == ["works"])
        #expect(decision.notes.map(\.outcome) == [.failed, .told])
    }

    @Test func `admin hears of the bot's own troubles in its language, a failing sink never through itself`() {
        let book = Self.book("", admin: ["mail-admin", "terminal"])
        func health(_ kind: String, _ type: String, _ name: String, _ more: ValueMap) -> Event {
            var fields: ValueMap = [
                "name": .string(name), "error": "Connection refused.", "failures": 3,
                "since": .timestamp(TestSchool.now), "duration": .duration(.minutes(5)),
            ]
            for (key, value) in more { fields[key] = value }
            return TestSchool.event(kind, Record(key: name, type: type, fields: fields), source: "")
        }
        let decision = Self.told(
            book,
            [
                health(HealthSchema.sourceFailing, "source", "mensa", ["account": ""]),
                health(HealthSchema.sinkFailing, "sink", "terminal", ["rule": ""]),
                health(HealthSchema.ruleFailing, "rule", "r", ["event": "", "runs": true]),
                health(HealthSchema.ruleFailing, "rule", "s", ["event": "", "runs": false]),
            ]
        )
        #expect(
            decision.messages.map { "\($0.sink): \($0.title.plain)" } == [
                "mail-admin: Source mensa does not answer properly", "mail-admin: terminal delivers nothing any more",
                "mail-admin: Rule r has an error", "mail-admin: Rule s has an error",
                "terminal: Quelle mensa antwortet nicht richtig", "terminal: Regel r hat einen Fehler",
                "terminal: Regel s hat einen Fehler",
            ]
        )
        #expect(decision.messages.first?.body.plain == "Connection refused.\n\n3 failures since 30 Nov 2026, 12:00.")
        let german = decision.messages.filter { $0.sink == "terminal" }.map(\.body.plain)
        #expect(
            german == [
                "Der Bot fragt weiter und meldet, wenn es wieder geht.\n\nTechnische Meldung (englisch): Connection refused."
                    + "\n\n3 Fehler seit 30.11.2026, 12:00.",
                "In ihrer Datei sind Fehler: „pokyh-bot check“ zeigt sie mit ihrer Stelle. Bis sie behoben sind, läuft die "
                    + "letzte fehlerfreie Fassung.\n\n3 Fehler seit 30.11.2026, 12:00.",
                "In ihrer Datei sind Fehler: „pokyh-bot check“ zeigt sie mit ihrer Stelle. Nichts von ihr läuft, bis sie behoben "
                    + "sind.\n\n3 Fehler seit 30.11.2026, 12:00.",
            ]
        )
    }

    /// What the bot itself has found out is said in the reader's language alone.
    @Test func `a rule that fails or never fits is told in one language, with where to look`() {
        let book = Self.book("", admin: ["mail-admin", "terminal"])
        func health(_ kind: String, _ event: String) -> Event {
            let fields: ValueMap = [
                "name": "r", "error": "It is so in English.", "failures": 1, "since": .timestamp(TestSchool.now),
                "duration": .duration(.minutes(5)), "event": .string(event),
            ]
            return TestSchool.event(kind, Record(key: "r", type: "rule", fields: fields), source: "")
        }
        // A scheduled rule fails at a time, which is nothing that can be explained: the rule is.
        let events = [health(HealthSchema.ruleFailing, "2026-11-30T10:30"), health(HealthSchema.ruleUnmatched, "")]
        let bodies = Self.told(book, events).messages.map { ($0.sink, $0.body.plain) }
        let german = bodies.filter { $0.0 == "terminal" }.map(\.1)
        #expect(german.allSatisfy { !$0.contains("English") })
        #expect(german[0].contains("scheitert bei 2026-11-30T10:30: „pokyh-bot explain r“ zeigt den Grund."))
        #expect(german[1].contains("Seit 30.11.2026") && german[1].contains("„pokyh-bot explain r“"))
        #expect(bodies.filter { $0.0 == "mail-admin" }.allSatisfy { $0.1.contains("It is so in English.") })
    }

    @Test func `a sink that delivers nothing says when it is tried again, and that a refused login is not`() throws {
        let book = Self.book("", admin: ["terminal"])
        let fields: ValueMap = [
            "name": "class-hook", "error": "The login was refused.", "failures": 1, "since": .timestamp(TestSchool.now),
            "duration": .duration(.minutes(0)), "rule": "",
        ]
        let record = Record(key: "class-hook", type: "sink", fields: fields)
        let event = TestSchool.event(HealthSchema.sinkFailing, record, source: "")
        let body = try #require(Self.told(book, [event]).messages.first?.body.plain)
        #expect(body.contains("Wurde die Anmeldung abgelehnt, ruht das Ziel bis zu einem Neustart"), "\(body)")
        #expect(body.contains("„pokyh-bot retry class-hook“; sonst versucht es der Bot weiter"), "\(body)")
    }

    @Test func `recipients of a rule's own reach sinks that take them`() {
        let book = Self.book(
            """
              - id: r
                when: {event: grade.added}
                message: {title: a}
                send: [{sink: mail-rossi, to: [a@example.org, b@example.org]}]
            """
        )
        let event = TestSchool.event("grade.added", TestSchool.gradeRecord("MAT", 5), source: "anna-grades")
        #expect(Self.told(book, [event]).messages.map(\.recipients) == [["a@example.org", "b@example.org"]])
        let refused = TestSchool.complaints(
            about: """
                version: 1
                rules:
                  - id: r
                    when: {event: grade.added}
                    message: {title: a}
                    send: [{sink: terminal, to: [a@example.org]}]
                """
        )
        #expect(refused.contains("the sink 'terminal' takes no recipients of a rule's own"))
    }
}
