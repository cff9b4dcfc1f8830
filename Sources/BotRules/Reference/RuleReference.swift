public import BotCore
import CEL
import Values

/// The reference pages of the rule language that follow from declarations: events, fields, queries, functions.
public enum RuleReference {
    /// One page in Markdown.
    ///
    /// - Parameter sources: what each provider of this build declares, by its name; the bot's own health is added.
    public static func page(of sources: [(provider: String, schema: SourceSchema)]) -> String {
        let all = sources + [("the bot itself", HealthSchema.schema)]
        var lines = [
            "# Events, fields, queries and functions", "", "Generated from the declarations; do not edit.", "",
        ]
        var told: Set<String> = []
        for (provider, schema) in all {
            var schema = schema
            // What several sources answer together is told with the first of them.
            schema.queries.removeAll { $0.isJoint && !told.insert($0.name).inserted }
            lines += section(provider, schema)
        }
        lines += functions
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ provider: String, _ schema: SourceSchema) -> [String] {
        var lines = ["## \(provider)", "", "| event | record | when | stale |", "|---|---|---|---|"]
        lines += schema.events.map { event in
            "| `\(event.kind)` | `\(event.record)` | \(cell(event.documentation)) | \(cell(words(event.expiry))) |"
        }
        lines.append("")
        for record in schema.records { lines += table(of: record, title: "### `\(record.name)`") }
        for query in schema.queries {
            lines += table(of: query.result, title: "### Query `\(query.name)`", about: query.documentation)
        }
        return lines
    }

    private static func table(of record: RecordShape, title: String, about: String? = nil) -> [String] {
        var lines = [title, "", about ?? record.documentation, "", "| field | type | what it says |", "|---|---|---|"]
        lines += record.fields.map { field in
            let type = field.shape.name + (field.isOptional ? ", optional" : "")
            return "| `\(field.name)` | \(cell(type)) | \(cell(field.documentation)) |"
        }
        return lines + [""]
    }

    private static func words(_ expiry: EventDeclaration.Expiry) -> String {
        switch expiry {
        case .never: "never"
        case .after(let span): "after \(span.text)"
        case .field(let name): "at its `\(name)`"
        }
    }

    /// What the bot adds to the standard functions of CEL.
    private static var functions: [String] {
        let rows = HostFunctions.all(zone: .utc).map { function in
            let forms = function.overloads.map { overload in
                "\(function.name)(\(overload.parameters.map(\.name).joined(separator: ", "))) → \(overload.result.name)"
            }
            return "| `\(forms.joined(separator: "`, `"))` | \(cell(function.documentation)) |"
        }
        return ["## Functions in conditions", "", "| function | what it gives |", "|---|---|"] + rows
    }

    /// A text in one cell of a table.
    private static func cell(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
            .split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
