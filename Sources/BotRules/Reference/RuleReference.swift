public import BotCore
import CEL
import Liquid
import Values

/// One page of the reference.
public struct ReferencePage: Sendable {
    /// `events`: the name of its file, without `.md`.
    public let name: String
    public let title: String
    /// What it is about, in one line.
    public let summary: String
    /// The whole page in Markdown.
    public let text: String

    /// - Parameter lines: what stands below the title and the table of contents, which is made of the second-level headings.
    public init(_ name: String, _ title: String, _ summary: String, lines: [String]) {
        self.name = name
        self.title = title
        self.summary = summary
        let headings = lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        let contents = headings.map { "- [\($0)](#\(Self.anchor($0)))" }
        let head = ["# \(title)", "", summary, "", Self.mark, ""]
        let all = head + (contents.count > 1 ? contents + [""] : []) + lines
        var text = all.joined(separator: "\n")
        while text.hasSuffix("\n") { text.removeLast() }
        self.text = text + "\n"
    }

    private static let mark =
        "This page is made of the program's declarations by `pokyh-bot reference`; [all pages](README.md)."

    /// As GitHub makes anchors of headings: small letters, blanks as hyphens, no punctuation.
    public static func anchor(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap { character -> Character? in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
            }
        )
    }
}

/// The reference of the rule language and the bot file: everything that follows from declarations.
public enum RuleReference {
    /// The pages, in the order in which they are listed.
    public static func pages(of catalogue: PluginCatalogue) -> [ReferencePage] {
        [
            RuleFilePage.page(of: catalogue), EventPage.page(of: catalogue), QueryPage.page(of: catalogue),
            ConditionPage.page, TextPage.page, BotFilePage.page(of: catalogue),
        ]
    }

    /// The page that lists the others.
    public static func index(of pages: [ReferencePage]) -> ReferencePage {
        let rows = pages.map { "| [\($0.title)](\($0.name).md) | \($0.summary) |" }
        return ReferencePage(
            "README",
            "Reference",
            "Everything that rule files and the bot file may say.",
            lines: ["| page | what it has |", "|---|---|"] + rows
        )
    }

    /// What the providers of a build declare, by their names; the bot's own health is the last.
    static func schemas(of catalogue: PluginCatalogue) -> [(
        provider: String, documentation: String, schema: SourceSchema
    )] {
        catalogue.providers.map { plugin in
            (plugin.name, plugin.documentation, plugin.schema(Settings(name: plugin.name, values: ValueMap())))
        } + [
            (
                "the bot itself",
                "How sources, sinks and rules are doing; `admin:` of the bot file is a rule on these.",
                HealthSchema.schema
            )
        ]
    }

    /// A table of a record's fields.
    static func table(of record: RecordShape, title: String, about: String? = nil) -> [String] {
        var lines = [title, "", about ?? record.documentation, "", "| field | type | what it says |", "|---|---|---|"]
        lines += record.fields.map { field in
            let type = field.shape.name + (field.isOptional ? ", optional" : "")
            let untold = field.values.contains { !$0.isEmpty && !field.documentation.contains($0) }
            let values = untold ? "; one of " + field.values.map { "`\($0)`" }.joined(separator: ", ") : ""
            return
                "| `\(field.name)` | \(MarkdownTable.cell(type)) | \(MarkdownTable.cell(field.documentation + values)) |"
        }
        return lines + [""]
    }
}

/// Events and records.
private enum EventPage {
    static func page(of catalogue: PluginCatalogue) -> ReferencePage {
        var lines = [
            "`when: {event: …}` waits for one of these. Beside the record an event has `event.kind`, `event.id`, `event.at`, `source`, `account`,",
            "`student.id`, `student.name`, `changes` (a list of `field`, `old`, `new`) and, where the record was known before, `old`, its last",
            "state. A field marked optional may be missing: ask first, `has(lesson.info)` in conditions, `{% if lesson.info %}` in texts.",
            "\"Stale\" says when a message that could not be delivered is dropped, unless the rule has `expires`.", "",
        ]
        for (provider, documentation, schema) in RuleReference.schemas(of: catalogue) {
            lines += section(provider, documentation, schema)
        }
        return ReferencePage(
            "events",
            "Events and records",
            "What can happen, source by source, and what is known of it.",
            lines: lines
        )
    }

    private static func section(_ provider: String, _ documentation: String, _ schema: SourceSchema) -> [String] {
        var lines = ["## \(provider)", "", documentation, "", "| event | record | when | taken back by | stale |"]
        lines += ["|---|---|---|---|---|"]
        lines += schema.events.map { event in
            let opposite = event.opposite.map { "`\($0)`" } ?? ""
            return
                "| `\(event.kind)` | `\(event.record)` | \(MarkdownTable.cell(event.documentation)) | \(opposite) | \(words(event.expiry)) |"
        }
        lines.append("")
        for record in schema.records { lines += RuleReference.table(of: record, title: "### `\(record.name)`") }
        return lines
    }

    private static func words(_ expiry: EventDeclaration.Expiry) -> String {
        switch expiry {
        case .never: "never"
        case .after(let span): "after \(SettingWords.value(.duration(span)))"
        case .field(let name): "at its `\(name)`"
        }
    }
}

/// Queries.
private enum QueryPage {
    static func page(of catalogue: PluginCatalogue) -> ReferencePage {
        var lines = [
            "Rules that fire at times ask them: `query: {menu: mensa.today}`. The answer is read from the source's last good snapshot, which is",
            "refreshed first where it is older than its interval; `menu.age` says how old it is. Where several sources answer, name one:",
            "`query: {menu: {query: mensa.today, source: mensa}}`.", "",
        ]
        var told: Set<String> = []
        for (provider, _, schema) in RuleReference.schemas(of: catalogue) {
            // What several sources answer together is told with the first of them.
            for query in schema.queries where !query.isJoint || told.insert(query.name).inserted {
                lines += RuleReference.table(
                    of: query.result,
                    title: "## \(query.name)",
                    about: "\(query.documentation) Answered by sources of `\(provider)`."
                )
                lines += inner(query.result, known: Set(schema.records.map(\.name)))
                lines += example(query)
            }
        }
        return ReferencePage("queries", "Queries", "What scheduled rules may ask of sources.", lines: lines)
    }

    /// Records that stand in lists of the answer and are no records of events.
    private static func inner(_ result: RecordShape, known: Set<String>) -> [String] {
        result.fields.flatMap { field -> [String] in
            var shape = field.shape
            if case .list(let element) = shape { shape = element }
            guard case .record(let record) = shape else { return [] }
            if known.contains(record.name) {
                return ["`\(field.name)`: see [`\(record.name)`](events.md#\(ReferencePage.anchor(record.name))).", ""]
            }
            let names = record.fields.map { "`\($0.name)`" + ($0.isOptional ? " (optional)" : "") }
            return ["Of each `\(field.name)`: \(names.joined(separator: ", ")).", ""]
        }
    }

    /// A rule that asks it, made of the answer's declared fields.
    private static func example(_ query: QueryDeclaration) -> [String] {
        var body = ["{{ answer.\(scalar(of: query.result) ?? "age") }}"]
        let list = query.result.fields.lazy.compactMap { field -> (String, String)? in
            guard case .list(.record(let record)) = field.shape, let inner = scalar(of: record) else { return nil }
            return (field.name, inner)
        }.first
        if let (name, inner) = list { body = ["{% for x in answer.\(name) -%}", "- {{ x.\(inner) }}", "{% endfor %}"] }
        let id = String(query.name.map { $0 == "." ? "-" : $0 })
        return [
            "```yaml", "version: 1", "rules:", "  - id: \(id)", "    when: {at: \"07:00\"}",
            "    query: {answer: \(query.name)}", "    message:", "      title: \(query.name)", "      body: |",
        ] + body.map { "        \($0)" } + ["    send: [terminal]", "```", ""]
    }

    /// What people would print of it: its name, else its first text or number that is no id.
    private static func scalar(of record: RecordShape) -> String? {
        let names = ["subject", "title", "name"]
        if let name = names.first(where: { record.field($0).map { !$0.isOptional } ?? false }) { return name }
        return record.fields.first { field in
            guard !field.isOptional, field.name != "id" else { return false }
            switch field.shape {
            case .string, .int, .double: return true
            default: return false
            }
        }?.name
    }
}

/// The language of conditions.
private enum ConditionPage {
    static var page: ReferencePage {
        var lines = [
            "`if`, `vars` and `group.by` are written in CEL, the [Common Expression Language](https://github.com/google/cel-spec). Each example is an",
            "expression that is true. `&&`, `||` and `condition ? a : b` combine conditions; `record.field`, `list[0]` and `map[\"key\"]` read values;",
            "`record.?field.orValue(x)` reads what may be missing. `now` is the moment at which the rule is asked.", "",
        ]
        lines += section("Functions of the bot", HostFunctions.all(zone: .utc).map(CELLanguage.entry))
        lines += section("Operators", CELLanguage.operators)
        lines += section("Macros", CELLanguage.macros)
        lines += section("Functions", CELLanguage.functions)
        return ReferencePage(
            "conditions",
            "Conditions",
            "Functions and operators of `if`, `vars` and `group.by`.",
            lines: lines
        )
    }

    private static func section(_ title: String, _ entries: [CELLanguage.Entry]) -> [String] {
        let rows = entries.map { entry in
            let forms = entry.signatures.prefix(mostForms).map(MarkdownTable.code).joined(separator: "<br>")
            let rest = entry.signatures.count - mostForms
            let more = rest > 0 ? "<br>and \(rest) more" : ""
            return
                "| \(forms)\(more) | \(MarkdownTable.cell(entry.documentation)) | \(MarkdownTable.code(entry.example)) |"
        }
        return ["## \(title)", "", "| form | what it gives | example |", "|---|---|---|"] + rows + [""]
    }

    /// More forms than these differ in kinds of numbers alone.
    private static let mostForms = 4
}

/// The language of texts.
private enum TextPage {
    static var page: ReferencePage {
        let own = Set(LiquidLanguage.ownFilterNames)
        var lines = [
            "`title`, `body`, `text`, `html` and `link` are written in [Liquid](https://shopify.github.io/liquid/). The examples are run by tests, in",
            "German, in Rome, on Monday, 30 November 2026, at 17:00; `marks` is a list of three: MAT 7, ENG 7.5, MAT 8. ⏎ is a line end.",
            "",
        ]
        lines += section("Filters of the bot", LiquidLanguage.filters.filter { own.contains($0.name) })
        lines += ["## Styles of dates", "", "`{{ lesson.start | date: \"day\" }}`; the formats behind them:", ""]
        lines += ["| style | de | it | en |", "|---|---|---|---|"]
        lines += LiquidLanguage.dateStyles.map { style in
            "| `\(style.name)` | \(style.formats.map { "`\($0)`" }.joined(separator: " | ")) |"
        }
        lines += ["", "## Formats of dates", ""]
        lines += [
            "Between the percent sign and the letter: `-` leaves padding away, `0` and `_` pad, `^` writes capitals.",
            "",
        ]
        lines += ["| letter | what it prints |", "|---|---|"]
        lines += LiquidLanguage.dateDirectives.map { "| `%\($0.letter)` | \($0.documentation) |" }
        lines += [""] + section("Tags", LiquidLanguage.tags)
        lines += section("Filters", LiquidLanguage.filters.filter { !own.contains($0.name) })
        return ReferencePage("texts", "Texts", "Tags and filters of messages, styles of dates.", lines: lines)
    }

    private static func section(_ title: String, _ entries: [LiquidLanguage.Entry]) -> [String] {
        let rows = entries.map { entry in
            "| \(MarkdownTable.code(entry.syntax)) | \(MarkdownTable.cell(entry.documentation)) | \(MarkdownTable.code(entry.template)) | \(MarkdownTable.code(entry.output)) |"
        }
        return ["## \(title)", "", "| how | what it does | example | prints |", "|---|---|---|---|"] + rows + [""]
    }
}
