import Values

/// A schema in words: tables of the keys that its objects have.
struct SchemaWords {
    private let definitions: Value

    /// - Parameter document: a whole schema, for its definitions.
    init(_ document: Value) { definitions = document["definitions"] }

    /// A heading, what it is, and a table of its keys.
    ///
    /// - Parameter hidden: keys that are told elsewhere.
    func section(_ title: String, _ object: Value, without hidden: Set<String> = []) -> [String] {
        let required = Set(object["required"].list?.compactMap(\.string) ?? [])
        var lines = ["## \(title)", "", object["description"].string ?? "", ""]
        lines += ["| key | value | meaning |", "|---|---|---|"]
        for pair in object["properties"].map?.pairs ?? [] where !hidden.contains(pair.key.plainText) {
            let key = pair.key.plainText
            lines.append(row(key, pair.value, isRequired: required.contains(key)))
        }
        return lines + [""]
    }

    func row(_ key: String, _ value: Value, isRequired: Bool) -> String {
        var meaning = value["description"].string ?? ""
        if !value["default"].plainText.isEmpty { meaning += " Standard: `\(value["default"].plainText)`." }
        let mark = isRequired ? ", required" : ""
        return "| `\(key)`\(mark) | \(MarkdownTable.cell(words(value))) | \(MarkdownTable.cell(meaning)) |"
    }

    /// What may be written: `a time of day, one or a list`.
    func words(_ value: Value) -> String {
        if let name = value["$ref"].string {
            return words(ofDefinition: String(name.dropFirst("#/definitions/".count)))
        }
        if let all = value["allOf"].list, all.count == 1, let only = all.first { return words(only) }
        if let constant = value["const"].string ?? value["const"].integer.map({ String($0) }) { return "`\(constant)`" }
        if let words = value["enum"].list { return choice(words.compactMap(\.string)) }
        if let all = value["anyOf"].list {
            if all.count == 2, all[1]["type"].string == "array", all[1]["items"] == all[0] {
                return "\(words(all[0])); one or a list"
            }
            return all.map { words($0) }.joined(separator: ", or ")
        }
        return plain(value)
    }

    private func plain(_ value: Value) -> String {
        switch value["type"].string {
        case "boolean": return "`true` or `false`"
        case "number": return "a number"
        case "integer":
            guard let least = value["minimum"].integer else { return "a whole number" }
            return "a whole number" + (value["maximum"].integer.map { " from \(least) to \($0)" } ?? " from \(least)")
        case "array": return "a list: \(words(value["items"]))"
        case "object":
            let inner = value["additionalProperties"]
            return inner.map == nil ? "keys" : "names, each with \(words(inner))"
        default: return "a text"
        }
    }

    /// Definitions that have a section of their own are pointed to; the small ones are said in words.
    private func words(ofDefinition name: String) -> String {
        let definition = definitions[name]
        switch name {
        case "kind": return "a kind of [event](events.md)"
        case "kind_or_pattern": return "a kind of [event](events.md), or `lesson.*` for all of a record"
        case "query_name": return "a [query](queries.md)"
        case "time_field": return "a time of a [record](events.md)"
        case "match": return "[fields](events.md) and values: `{lesson.subject: [MAT, ENG]}`"
        case _ where definition["properties"] != .null: return "[\(name)](#\(name))"
        case "duration", "span": return "a length of time"
        case "time": return "a time of day"
        case "zone": return "a time zone"
        case "days": return "days of the week"
        case "names": return "texts, one or a list"
        case "periods": return "lengths of time by time of day"
        default: return words(definition)
        }
    }

    private func choice(_ words: [String]) -> String {
        words.map { "`\($0)`" }.joined(separator: ", ")
    }
}

/// Tables in Markdown.
enum MarkdownTable {
    /// A text in one cell.
    static func cell(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
            .split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    /// Code in one cell; a line end is shown as such.
    static func code(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "⏎")
        let fence = line.contains("`") ? "``" : "`"
        let space = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
        return cell(fence + space + line + space + fence)
    }
}
