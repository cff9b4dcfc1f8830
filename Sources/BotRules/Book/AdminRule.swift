import BotCore
import Values

/// The bot file's `admin:`, written out as the ordinary rule that it is shorthand for.
enum AdminRule {
    static let id = "admin"
    static let file = ""

    /// The rule for an installation that names admins.
    static func rules(in vocabulary: Vocabulary) -> [Rule] {
        let installation = vocabulary.installation
        // What no admin reads need not be read at each start.
        let locales = Set(installation.admin.map { vocabulary.locale(ofSink: $0) } + [installation.locale])
        let source = SourceFile(path: file, bytes: Array(text(sinks: installation.admin, in: locales).utf8))
        return RuleFiles.read([source], vocabulary: vocabulary).flatMap(\.rules)
    }

    /// The rule as a file.
    private static func text(sinks: [String], in locales: Set<String>) -> String {
        var lines = [
            "version: 1", "rules:", "  - id: \(id)", "    when: {event: [source.*, sink.*, rule.*]}", "    message:",
        ]
        for language in languages where locales.contains(language.locale) {
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

    /// What it means and what to do, then the reason as it was met, then how often.
    ///
    /// Reasons are in English, as the far ends' own words mostly are: other languages say so, and leave out those that they can tell better.
    private static func body(in language: Language) -> String {
        ["source", "sink", "rule"].map { record in
            let cases = language.meanings.filter { $0.kind.hasPrefix("\(record).") }.map { kind, text in
                "{% when '\(kind)' %}\(text)\n\n"
            }
            let meaning = cases.isEmpty ? "" : "{% case event.kind %}\(cases.joined()){% endcase %}"
            let reason =
                record == "rule" && !cases.isEmpty
                ? "" : "{% if \(record).error != '' %}\(language.reason){{ \(record).error }}\n\n{% endif %}"
            let count =
                "{% if \(record).failures == 1 %}\(language.failureSince)"
                + "{% else %}{{ \(record).failures }} \(language.failuresSince){% endif %}"
            let failures =
                "{% if \(record).failures > 0 and event.kind != '\(HealthSchema.ruleUnmatched)' %}\(count) "
                + "{{ \(record).since | date: 'datetime' }}.{% endif %}"
            let rule = "{% if sink.rule != '' %}\n\n\(language.rule): {{ sink.rule }}{% endif %}"
            let more = record == "sink" ? rule : ""
            return "{% if \(record) %}\(meaning)\(reason)\(failures)\(more){% endif %}"
        }.joined()
    }

    private struct Language {
        let locale: String
        let failureSince: String
        let failuresSince: String
        let rule: String
        /// What stands before a reason.
        let reason: String
        /// `@` stands for the name of the source, sink or rule.
        let titles: [(kind: String, text: String)]
        /// What each kind means, for languages that reasons are not in.
        let meanings: [(kind: String, text: String)]
    }

    private static let languages = [german, italian, english]

    private static let german = Language(
        locale: "de",
        failureSince: "Ein Fehler am",
        failuresSince: "Fehler seit",
        rule: "Regel",
        reason: "Technische Meldung (englisch): ",
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
        ],
        meanings: [
            (HealthSchema.sourceFailing, "Der Bot fragt weiter und meldet, wenn es wieder geht."),
            (
                HealthSchema.sourceUnauthorized,
                "Das Konto ruht, denn falsche Passwörter sperren es. Nach geänderten Zugangsdaten und einem Neustart, oder nach "
                    + "„pokyh-bot retry“, wird es wieder versucht."
            ),
            (
                HealthSchema.sourceUnavailable,
                "Die Schule gibt dies für das Konto nicht frei. Einmal am Tag wird wieder gefragt."
            ),
            (
                HealthSchema.sourceMemoryLost,
                "Der Bot beginnt mit einem neuen Gedächtnis. Was sich seit der letzten Abfrage geändert hat, kann fehlen; Bekanntes "
                    + "wird nicht noch einmal gemeldet. „pokyh-bot state recover“ rettet wartende Nachrichten."
            ),
            (
                HealthSchema.sinkFailing,
                "Nachrichten warten. Wurde die Anmeldung abgelehnt, ruht das Ziel bis zu einem Neustart mit geänderten Einstellungen oder "
                    + "„pokyh-bot retry {{ sink.name }}“; sonst versucht es der Bot weiter und meldet, wenn es wieder geht."
            ),
            (
                HealthSchema.sinkDeadLetter,
                "Sie wird nicht mehr versucht. „pokyh-bot outbox retry“ schickt sie noch einmal, wenn die Ursache behoben ist."
            ),
            (
                HealthSchema.ruleFailing,
                "{% if rule.event == '' %}In ihrer Datei sind Fehler: „pokyh-bot check“ zeigt sie mit ihrer Stelle. {% if rule.runs %}"
                    + "Bis sie behoben sind, läuft die letzte fehlerfreie Fassung.{% else %}Nichts von ihr läuft, bis sie behoben "
                    + "sind.{% endif %}{% else %}Sie scheitert bei {{ rule.event }}: "
                    + "„pokyh-bot explain {{ rule.name }}“ zeigt den Grund.{% endif %}"
            ),
            (
                HealthSchema.ruleUnmatched,
                "Seit {{ rule.since | date: 'datetime' }} hat sie zu nichts gepasst, wovon sie hört. Vielleicht nennt die Schule etwas "
                    + "jetzt anders: „pokyh-bot explain {{ rule.name }}“ zeigt, woran es liegt."
            ),
        ]
    )
    private static let italian = Language(
        locale: "it",
        failureSince: "Un errore il",
        failuresSince: "errori dal",
        rule: "Regola",
        reason: "Messaggio tecnico (in inglese): ",
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
        ],
        meanings: [
            (HealthSchema.sourceFailing, "Il bot continua a chiedere e avvisa quando funziona di nuovo."),
            (
                HealthSchema.sourceUnauthorized,
                "L'account è a riposo, perché le password sbagliate lo bloccano. Si riprova dopo aver cambiato i dati d'accesso e "
                    + "riavviato il bot, oppure dopo «pokyh-bot retry»."
            ),
            (
                HealthSchema.sourceUnavailable,
                "La scuola non la concede a questo account. Si chiede di nuovo una volta al giorno."
            ),
            (
                HealthSchema.sourceMemoryLost,
                "Il bot ricomincia con una memoria nuova. Ciò che è cambiato dopo l'ultima richiesta può mancare; ciò che era noto non "
                    + "viene ripetuto. «pokyh-bot state recover» salva i messaggi in attesa."
            ),
            (
                HealthSchema.sinkFailing,
                "I messaggi aspettano. Se l'accesso è stato rifiutato, la destinazione resta a riposo fino a un riavvio con impostazioni "
                    + "cambiate o a «pokyh-bot retry {{ sink.name }}»; altrimenti il bot continua a provare e avvisa quando funziona "
                    + "di nuovo."
            ),
            (
                HealthSchema.sinkDeadLetter,
                "Non si prova più. «pokyh-bot outbox retry» lo manda di nuovo, quando la causa è risolta."
            ),
            (
                HealthSchema.ruleFailing,
                "{% if rule.event == '' %}Il suo file contiene errori: «pokyh-bot check» li mostra con il loro posto. {% if rule.runs %}"
                    + "Finché non sono corretti, funziona l'ultima versione senza errori.{% else %}Nulla di essa funziona finché "
                    + "non sono corretti.{% endif %}{% else %}Non riesce per {{ rule.event }}: "
                    + "«pokyh-bot explain {{ rule.name }}» mostra il motivo.{% endif %}"
            ),
            (
                HealthSchema.ruleUnmatched,
                "Dal {{ rule.since | date: 'datetime' }} nulla di ciò che sente le corrisponde. Forse la scuola ora chiama qualcosa in "
                    + "un altro modo: «pokyh-bot explain {{ rule.name }}» mostra perché."
            ),
        ]
    )
    private static let english = Language(
        locale: "en",
        failureSince: "One failure on",
        failuresSince: "failures since",
        rule: "Rule",
        reason: "",
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
        ],
        meanings: []
    )
}
