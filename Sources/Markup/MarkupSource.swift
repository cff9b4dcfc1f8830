/// CommonMark text with the values that belong into it, kept apart until the text has been parsed.
///
/// In `template`, value number *n* stands as U+E000, *n* in ASCII digits, U+E001 (`MarkupSource.placeholder(n)`). The template is parsed first;
/// then the values are put into the leaves of the tree. So a value is text wherever it lands, and can never become markup.
public struct MarkupSource: Sendable, Hashable {
    /// CommonMark with the extensions `table` and `strikethrough` of GitHub Flavored Markdown.
    public let template: String
    public let values: [String]

    public init(template: String, values: [String]) {
        self.template = template
        self.values = values
    }

    /// Text without any markup. Line breaks stay line breaks, blank lines separate paragraphs.
    public init(plain text: String) {
        self.init(template: Self.placeholder(0), values: [text])
    }

    /// Where value number `index` stands in a template.
    public static func placeholder(_ index: Int) -> String {
        "\(Placeholder.opening)\(index)\(Placeholder.closing)"
    }
}

extension MarkupDocument {
    /// Parses a template, then puts its values into the leaves.
    ///
    /// - Raw HTML in the template is shown as text.
    /// - A line break in a value becomes a line break in a paragraph, a blank in a heading, a table cell, a link's text and a code span;
    ///   a blank line inside a value begins a new paragraph.
    /// - A link keeps its target only if that is `http`, `https` or `mailto` after substitution; otherwise its text stands alone. A value inside a target is
    ///   percent-encoded, unless the target begins with it.
    /// - A placeholder without a value, or half a placeholder, vanishes.
    ///
    /// Any text parses; there is no error. Nesting deeper than 32 levels is shown flat.
    public static func parse(_ source: MarkupSource) -> MarkupDocument {
        MarkupDocument(TreeBuilder(values: source.values).blocks(of: source.template))
    }
}
