/// Makes a tree such that every renderer can write it without thinking twice.
enum DocumentCleaning {
    static func clean(_ blocks: [MarkupBlock]) -> [MarkupBlock] {
        blocks.flatMap(clean)
    }

    private static func clean(_ block: MarkupBlock) -> [MarkupBlock] {
        switch block {
        case .paragraph(let inlines):
            return InlineCleaning.paragraphs(inlines).map { .paragraph($0) }
        case .heading(let level, let inlines):
            let line = InlineCleaning.line(inlines)
            return line.isEmpty ? [] : [.heading(level: min(max(level, 1), 6), line)]
        case .list(var list):
            list.items = list.items.map(clean)
            return list.items.isEmpty ? [] : [.list(list)]
        case .quote(let inner):
            let kept = clean(inner)
            return kept.isEmpty ? [] : [.quote(kept)]
        case .code(let text, let language):
            let code = LeafText.cleanedCode(text)
            return code.isEmpty ? [] : [.code(code, language: cleanedLanguage(language))]
        case .thematicBreak:
            return [.thematicBreak]
        case .table(let table):
            return clean(table)
        }
    }

    private static func clean(_ table: MarkupTable) -> [MarkupBlock] {
        let widest = ([table.header] + table.rows).map(\.count).max() ?? 0
        guard widest > 0 else { return [] }
        let fill = { (cells: [[MarkupInline]]) in
            cells.map(InlineCleaning.line) + Array(repeating: [], count: widest - cells.count)
        }
        var filled = table
        filled.alignments = Array(
            (table.alignments + Array(repeating: .none, count: widest)).prefix(widest)
        )
        filled.header = table.header.isEmpty ? [] : fill(table.header)
        filled.rows = table.rows.map(fill)
        return [.table(filled)]
    }

    /// What names of programming languages are made of; anything else is no language and would only stand in the way of an attribute.
    private static func cleanedLanguage(_ language: String) -> String {
        let isName = language.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "+#._-".unicodeScalars.contains(scalar))
        }
        return isName && language.utf8.count <= 32 ? language : ""
    }
}
