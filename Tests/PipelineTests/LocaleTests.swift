import Foundation
import Testing

/// In whose language the filters of texts write, from the bot file to what is sent.
@Suite struct LocaleTests {
    private static let botFile = """
        version: 1
        timezone: Europe/Rome
        locale: de
        rules: rules.yaml
        schools: {lbs: {server: lbs.example.org, school: lbs-brixen}}
        accounts: {anna: {kind: webuntis, school: lbs, user: anna, password: {secret: PASSWORD}}}
        sources: {lessons: {provider: webuntis.timetable, account: anna}}
        families:
          rossi: {students: [Mia], send: [rossi, rossi-english], locale: it}
          huber: {students: [Mia], send: [huber, huber-english]}
        sinks:
          rossi: {kind: stdout}
          rossi-english: {kind: stdout, locale: en}
          huber: {kind: stdout}
          huber-english: {kind: stdout, locale: en}
          office: {kind: stdout, locale: en}
          class: {kind: stdout}
        """

    private static let rules = """
        version: 1
        rules:
          - id: cancelled
            when: {event: lesson.cancelled}
            message:
              title: "{{ lesson.start | weekday }}"
              body: "{{ lesson.start | date: 'full' }}; {{ lesson.start | relative }}; {{ 12345.5 | number }}; {{ 4.5 | money }}; {{ '8,7.5' | split: ',' | average | number }}"
            send: [family, office, class]
        """

    private static let german = "Dienstag, 1. Dezember 2099; Di, 01.12.2099, 07:50; 12.345,5; 4,50 €; 7,75"
    private static let italian = "martedì 1 dicembre 2099; mar, 01/12/2099, 07:50; 12.345,5; 4,50 €; 7,75"
    private static let english = "Tuesday, 1 December 2099; Tue, 1 Dec 2099, 07:50; 12,345.5; €4.50; 7.75"

    @Test func `the language of the family is taken, else that of the sink, else that of the bot`() async throws {
        let bot = try await QuestionedInstallation()
        defer { bot.remove() }
        try bot.write("bot.yaml", Self.botFile)
        try bot.write("rules.yaml", Self.rules)
        try bot.write(
            "event.yaml",
            "{event: lesson.cancelled, student: Mia, lesson: {subject: MAT, state: cancelled, start: 2099-12-01T07:50}}"
        )
        let event = bot.folder.appending(path: "event.yaml").path
        for (sink, text) in [
            ("rossi", Self.italian), ("rossi-english", Self.italian), ("huber", Self.german),
            ("huber-english", Self.english), ("office", Self.english), ("class", Self.german),
        ] {
            let shown = try bot.run("preview", "cancelled", "--event", event, "--sink", sink)
            #expect(shown.status == 0, "\(shown.errors)")
            let others = [Self.german, Self.italian, Self.english].filter { $0 != text }
            #expect(shown.output.contains(text) && !others.contains { shown.output.contains($0) }, "\(sink)")
        }
    }
}
