import BotCore
import Values

/// The bot file's `admin:`, written out as the ordinary rule that it is shorthand for.
enum AdminRule {
    static let id = "admin"
    static let file = ""

    /// The rule for an installation that names admins.
    static func rules(in vocabulary: Vocabulary) -> [Rule] {
        let source = SourceFile(path: file, bytes: Array(text(sinks: vocabulary.installation.admin).utf8))
        return RuleFiles.read([source], vocabulary: vocabulary).flatMap(\.rules)
    }

    /// The rule as a file.
    static func text(sinks: [String]) -> String {
        var lines = [
            "version: 1", "rules:", "  - id: \(id)", "    when: {event: [source.*, sink.*, rule.*]}", "    message:",
        ]
        for language in languages {
            lines += [
                "      \(language.locale):", "        title: \(quoted(title(in: language)))",
                "        body: \(quoted(body(in: language)))",
            ]
        }
        lines.append("    send: [\(sinks.map(quoted).joined(separator: ", "))]")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Texts in JSON's quotes are texts of YAML, too.
    private static func quoted(_ text: String) -> String { Value.string(text).json }

    private static func title(in language: Language) -> String {
        ["source", "sink", "rule"].map { record in
            let cases = language.titles.filter { $0.kind.hasPrefix("\(record).") }.map { kind, text in
                "{% when '\(kind)' %}"
                    + text.split(separator: "@", omittingEmptySubsequences: false)
                    .joined(separator: "{{ \(record).name }}")
            }
            return "{% if \(record) %}{% case event.kind %}\(cases.joined()){% else %}{{ event.kind }}: "
                + "{{ \(record).name }}{% endcase %}{% endif %}"
        }.joined()
    }

    private static func body(in language: Language) -> String {
        ["source", "sink", "rule"].map { record in
            let count =
                "{% if \(record).failures == 1 %}\(language.failureSince)"
                + "{% else %}{{ \(record).failures }} \(language.failuresSince){% endif %}"
            let failures =
                "{% if \(record).failures > 0 and event.kind != '\(HealthSchema.ruleUnmatched)' %}\n\n\(count) "
                + "{{ \(record).since | date: 'datetime' }}.{% endif %}"
            let rule = "{% if sink.rule != '' %}\n\n\(language.rule): {{ sink.rule }}{% endif %}"
            let more = record == "sink" ? rule : ""
            return "{% if \(record) %}{{ \(record).error }}\(failures)\(more){% endif %}"
        }.joined()
    }

    private struct Language {
        let locale: String
        let failureSince: String
        let failuresSince: String
        let rule: String
        /// `@` stands for the name of the source, sink or rule.
        let titles: [(kind: String, text: String)]
    }

    private static let languages = [german, italian, english]

    private static let german = Language(
        locale: "de",
        failureSince: "Ein Fehler am",
        failuresSince: "Fehler seit",
        rule: "Regel",
        titles: [
            (HealthSchema.sourceFailing, "Quelle @ antwortet nicht richtig"),
            (HealthSchema.sourceRecovered, "Quelle @ geht wieder"),
            (HealthSchema.sourceUnauthorized, "Anmeldung für @ abgelehnt"),
            (HealthSchema.sourceUnavailable, "Quelle @ ist für dieses Konto nicht freigegeben"),
            (HealthSchema.sourceMemoryLost, "Gedächtnis beschädigt"),
            (HealthSchema.sinkFailing, "@ stellt nichts mehr zu"),
            (HealthSchema.sinkRecovered, "@ stellt wieder zu"),
            (HealthSchema.sinkDeadLetter, "Nachricht über @ nicht zustellbar"),
            (HealthSchema.ruleFailing, "Regel @ hat einen Fehler"),
            (HealthSchema.ruleUnmatched, "Regel @ hat seit Wochen nichts zu melden"),
        ]
    )
    private static let italian = Language(
        locale: "it",
        failureSince: "Un errore il",
        failuresSince: "errori dal",
        rule: "Regola",
        titles: [
            (HealthSchema.sourceFailing, "La fonte @ non risponde correttamente"),
            (HealthSchema.sourceRecovered, "La fonte @ funziona di nuovo"),
            (HealthSchema.sourceUnauthorized, "Accesso per @ rifiutato"),
            (HealthSchema.sourceUnavailable, "La fonte @ non è concessa a questo account"),
            (HealthSchema.sourceMemoryLost, "Memoria danneggiata"),
            (HealthSchema.sinkFailing, "@ non consegna più nulla"),
            (HealthSchema.sinkRecovered, "@ consegna di nuovo"),
            (HealthSchema.sinkDeadLetter, "Messaggio non consegnabile con @"),
            (HealthSchema.ruleFailing, "La regola @ ha un errore"),
            (HealthSchema.ruleUnmatched, "La regola @ non segnala nulla da settimane"),
        ]
    )
    private static let english = Language(
        locale: "en",
        failureSince: "One failure on",
        failuresSince: "failures since",
        rule: "Rule",
        titles: [
            (HealthSchema.sourceFailing, "Source @ does not answer properly"),
            (HealthSchema.sourceRecovered, "Source @ works again"),
            (HealthSchema.sourceUnauthorized, "Login for @ refused"),
            (HealthSchema.sourceUnavailable, "Source @ is not granted to this account"),
            (HealthSchema.sourceMemoryLost, "Memory damaged"),
            (HealthSchema.sinkFailing, "@ delivers nothing any more"),
            (HealthSchema.sinkRecovered, "@ delivers again"),
            (HealthSchema.sinkDeadLetter, "Message through @ cannot be delivered"),
            (HealthSchema.ruleFailing, "Rule @ has an error"),
            (HealthSchema.ruleUnmatched, "Rule @ has had nothing to say for weeks"),
        ]
    )
}
