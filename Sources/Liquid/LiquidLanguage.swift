public import Values

/// What templates may use, for reference pages: made of the declarations that the parser works with.
public enum LiquidLanguage {
    /// A filter or a tag.
    public struct Entry: Sendable, Hashable {
        /// `upcase`.
        public let name: String
        /// How it is written: `| date: …`, `{% if condition %}…{% endif %}`.
        public let syntax: String
        /// What it does, in one line.
        public let documentation: String
        /// A template with it; empty where it needs partials.
        public let template: String
        /// What the template prints in German, with `exampleVariables`.
        public let output: String
    }

    /// A named style of `date`.
    public struct Style: Sendable, Hashable {
        /// `short`.
        public let name: String
        /// Its formats in German, Italian and English.
        public let formats: [String]
    }

    /// All filters, by name.
    public static var filters: [Entry] {
        FilterTable.standard.names.compactMap { FilterTable.standard[$0] }.map { filter in
            Entry(
                name: filter.name,
                syntax: syntax(of: filter),
                documentation: filter.example.documentation,
                template: filter.example.template,
                output: filter.example.output
            )
        }
    }

    /// The filters that write for people of a place: beyond the standard, or more than it.
    public static var ownFilterNames: [String] { LocaleFilters.all.map(\.name) }

    /// All tags, by name.
    public static var tags: [Entry] {
        TagDeclaration.all.map { tag in
            Entry(
                name: tag.name,
                syntax: tag.syntax,
                documentation: tag.documentation,
                template: tag.template ?? "",
                output: tag.output
            )
        }
    }

    /// The named styles of `date`.
    public static var dateStyles: [Style] {
        DateStyle.allCases.map { style in
            Style(name: style.rawValue, formats: LiquidLocale.allCases.map(style.format))
        }
    }

    /// The letters behind a percent sign in formats of `date`, with their meaning.
    public static var dateDirectives: [(letter: Character, documentation: String)] { StrftimeFormat.directives }

    /// What the templates of the examples read.
    public static let exampleVariables: ValueMap = [
        "marks": [
            ["subject": "MAT", "value": 7.0], ["subject": "ENG", "value": 7.5], ["subject": "MAT", "value": 8.0],
        ]
    ]

    private static func syntax(of filter: FilterDefinition) -> String {
        let (least, most) = (filter.arity.lowerBound, filter.arity.upperBound)
        var arguments = (0..<most).map { $0 < least ? "…" : "[…]" }
        arguments += filter.keywords.map { "[\($0): …]" }
        return "| \(filter.name)" + (arguments.isEmpty ? "" : ": \(arguments.joined(separator: ", "))")
    }
}
