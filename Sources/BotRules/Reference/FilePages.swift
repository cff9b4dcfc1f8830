import BotCore
import Values

/// The keys of rule files.
enum RuleFilePage {
    static func page(of catalogue: PluginCatalogue) -> ReferencePage {
        let document = RuleSchema(of: catalogue).document
        let words = SchemaWords(document)
        var lines = [
            "How they are used is told, with examples, in the [handbook of rules](../../rules/README.en.md)",
            "([deutsch](../../rules/README.md)).", "",
        ]
        lines += example
        lines += words.section("file", document)
        for pair in document["definitions"].map?.pairs ?? [] where pair.key != "match" {
            guard pair.value["properties"] != .null else { continue }
            let isEvent = pair.key == "event"
            lines += words.section(pair.key.plainText, pair.value, without: isEvent ? records(of: catalogue) : [])
            guard isEvent else { continue }
            let row = "| the record | its [fields](events.md) | `lesson: {subject: MAT}`; what is not said is empty. |"
            lines.insert(row, at: lines.count - 1)
        }
        return ReferencePage(
            "rule-files",
            "Keys of rule files",
            "Every key of a rule and of a test in a rule file.",
            lines: lines
        )
    }

    private static let example = """
        ```yaml
        version: 1
        rules:
          - id: early-cancellations
            description: Cancelled first lessons of two classes, one message for each day
            when: {event: [lesson.cancelled, lesson.replaced], within: 48h}
            match: {lesson.classes: [3A-INF, 3B-INF]}
            vars: {early: 'local(lesson.start).hour < 9'}
            if: vars.early && lesson.subject != "REL"
            group: {by: lesson.date, wait: 5m, max_wait: 20m}
            quiet: {from: "21:30", to: "06:30", then: hold}
            message:
              title: "Cancelled on {{ group.key | date: '%d.%m.' }}"
              body: |
                {% for e in group.events -%}
                - **{{ e.lesson.subject }}** {{ e.lesson.start | date: "time" }}
                {% endfor %}
            send: [terminal]

        tests:
          - name: a cancellation tomorrow is told, one in two weeks waits
            now: 2026-11-30T12:00
            events:
              - {event: lesson.cancelled, lesson: {classes: [3A-INF], subject: MAT, date: 2026-12-01, start: "2026-12-01T07:50"}}
              - {event: lesson.cancelled, lesson: {classes: [3A-INF], subject: ITA, date: 2026-12-14, start: "2026-12-14T07:50"}}
            expect: [{rule: early-cancellations, contains: ["MAT 07:50"], excludes: [ITA], count: 1}]
        ```

        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    /// Records have a page of their own.
    private static func records(of catalogue: PluginCatalogue) -> Set<String> {
        Set(RuleReference.schemas(of: catalogue).flatMap(\.schema.records).map(\.name)).subtracting(["source"])
    }
}

/// The keys of the bot file, and the settings of every plugin.
enum BotFilePage {
    static func page(of catalogue: PluginCatalogue) -> ReferencePage {
        let document = BotFileSchema(of: catalogue).document
        let words = SchemaWords(document)
        var lines = [
            "[Config/bot.example.yaml](../../Config/bot.example.yaml) shows every key at work. A key with a standard may be left out. A secret is",
            "written as `{secret: NAME}`: its value never stands in the file.", "",
        ]
        lines += example
        lines += words.section("file", document)
        for name in ["state", "school", "grade_scale", "family", "host"] {
            lines += words.section(name, document["definitions"][name])
        }
        lines += ["## account", "", "An entry of `accounts:`; which keys it has depends on `kind`.", ""]
        for plugin in catalogue.accounts {
            let school = plugin.needsSchool ? [("school", "an entry of `schools`", "The school, required.")] : []
            lines += table("kind: \(plugin.kind)", plugin.documentation, school, plugin.settings)
        }
        lines += ["## source", "", "An entry of `sources:`; which keys it has depends on `provider`.", ""]
        for plugin in catalogue.providers {
            lines += table("provider: \(plugin.name)", plugin.documentation, rows(of: plugin, words), plugin.settings)
        }
        lines += ["## sink", "", "An entry of `sinks:`; which keys it has depends on `kind`.", ""]
        let common = SettingWords.sinkKeys.map { key, schema in (key, words.words(schema), meaning(schema)) }
        for plugin in catalogue.sinks {
            let recipients = plugin.takesRecipients ? " A rule may name recipients of its own." : ""
            lines += table("kind: \(plugin.kind)", plugin.documentation + recipients, common, plugin.settings)
        }
        return ReferencePage(
            "bot-file",
            "Keys of the bot file",
            "Every key of the bot file, and the settings of every kind of account, source and sink.",
            lines: lines
        )
    }

    private static let example = """
        ```yaml
        version: 1
        timezone: Europe/Rome
        locale: de
        rules: ../rules
        schools: {lbs: {server: lbs-example.webuntis.com, school: lbs-example}}
        accounts: {rossi: {kind: webuntis, school: lbs, user: p.rossi, password: {secret: ROSSI_PASSWORD}}}
        sources:
          timetable-3a: {provider: webuntis.timetable, account: rossi, student: Anna, every: {default: 60m, "05:30-08:00": 15m}}
          mensa: {provider: pokyh.mensa, every: 6h}
        families: {rossi: {students: [Anna], send: [class-chat], locale: it}}
        sinks:
          class-chat: {kind: telegram, token: {secret: TELEGRAM_TOKEN}, chat: -1001234}
          terminal: {kind: stdout}
        admin: [terminal]
        ```

        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private static func rows(of plugin: ProviderPlugin, _ words: SchemaWords) -> [(String, String, String)] {
        let account = plugin.accountKind.map { kind in
            ("account", "an account", "An account of kind `\(kind)`\(plugin.accountIsOptional ? "" : ", required").")
        }
        let common = SettingWords.sourceKeys(of: plugin).map { key, schema in
            (key, words.words(schema), meaning(schema))
        }
        return [account].compactMap(\.self) + common
    }

    private static func meaning(_ schema: Value) -> String {
        let standard = schema["default"].plainText.isEmpty ? "" : " Standard: `\(schema["default"].plainText)`."
        return (schema["description"].string ?? "") + standard
    }

    private static func table(
        _ title: String,
        _ documentation: String,
        _ common: [(key: String, value: String, meaning: String)],
        _ settings: [SettingDeclaration]
    ) -> [String] {
        var lines = ["### `\(title)`", "", documentation, "", "| key | value | meaning |", "|---|---|---|"]
        lines += common.map { "| `\($0.key)` | \(MarkdownTable.cell($0.value)) | \(MarkdownTable.cell($0.meaning)) |" }
        lines += settings.map { setting in
            let mark = setting.isRequired ? ", required" : ""
            let standard =
                setting.standard.map(SettingWords.value).flatMap { $0.isEmpty ? nil : " Standard: `\($0)`." } ?? ""
            let ends = setting.documentation.hasSuffix(".") ? "" : "."
            let meaning =
                setting.documentation.prefix(1).uppercased() + setting.documentation.dropFirst() + ends + standard
            return
                "| `\(setting.key)`\(mark) | \(MarkdownTable.cell(SettingWords.kind(setting.kind))) | \(MarkdownTable.cell(meaning)) |"
        }
        return lines + [""]
    }
}
