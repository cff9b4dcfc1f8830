public import Values

/// A template in the Liquid language: parsed once, rendered many times, from any number of tasks at once.
///
/// ```swift
/// let template = try LiquidTemplate(parsing: "{{ lesson.subject }} {{ lesson.start | relative }}")
/// let complaints = template.check(against: [("lesson", .record(lessonShape))])
/// let text = try template.render(["lesson": lesson], context: context)
/// ```
public struct LiquidTemplate: Sendable {
    /// The template as it was written; the spans of complaints and errors are offsets into its UTF-8.
    public let source: String
    let nodes: [Node]
    let partials: PartialLibrary
    let options: LiquidOptions

    /// Parses a template and the partials of its options.
    ///
    /// - Throws: `LiquidComplaints` with everything that is wrong with the syntax, at once.
    public init(parsing source: String, options: LiquidOptions = LiquidOptions()) throws(LiquidComplaints) {
        var parser = TemplateParser(SourceText(source), options: options)
        let nodes = parser.parse()
        var complaints = parser.complaints
        let partials = PartialLibrary(parsing: options, complaints: &complaints)
        guard complaints.isEmpty else { throw LiquidComplaints(complaints) }
        self.source = source
        self.nodes = nodes
        self.partials = partials
        self.options = options
    }

    /// Renders plain text: values stand in it as they are. Where the text goes to a place with an escape syntax of its own, use
    /// `renderMarkup`, or the `escape` filter.
    ///
    /// - Throws: `LiquidError` with the place in the template.
    public func render(_ variables: ValueMap, context: LiquidContext) throws(LiquidError) -> String {
        try rendered(variables, context, isMarkup: false).text
    }

    /// Renders a template whose own text is markup and whose values are text, wherever they land.
    ///
    /// Every printed value (`{{ }}`, `echo`, `cycle`, `increment`, `decrement`) is replaced in `template` by a placeholder: U+E000, its
    /// index in `values` in ASCII digits, U+E001. The text of a template cannot contain these two characters (the parser complains), and
    /// data is in `values` only, so no data can forge a placeholder. A variable made by `capture` keeps its mix of markup and placeholders
    /// when it is printed as it is, and becomes a value as soon as a filter is applied to it. An index may occur more than once, or never.
    ///
    /// - Throws: `LiquidError` with the place in the template.
    public func renderMarkup(
        _ variables: ValueMap,
        context: LiquidContext
    ) throws(LiquidError) -> (template: String, values: [String]) {
        let renderer = try rendered(variables, context, isMarkup: true)
        return (renderer.text, renderer.values)
    }

    private func rendered(
        _ variables: ValueMap,
        _ context: LiquidContext,
        isMarkup: Bool
    ) throws(LiquidError) -> Renderer {
        var renderer = Renderer(
            partials: partials,
            options: options,
            variables: variables,
            context: context,
            isMarkup: isMarkup
        )
        _ = try renderer.render(nodes)
        return renderer
    }
}

/// The partials of a template, parsed.
struct PartialLibrary: Sendable {
    private var bodies: [String: [Node]] = [:]

    /// Parses all partials. What is wrong in one is told with its name and line, at the start of the template that brought it along.
    init(parsing options: LiquidOptions, complaints: inout [Complaint]) {
        for (name, text) in options.partials.sorted(by: { $0.key < $1.key }) {
            let source = SourceText(text)
            var parser = TemplateParser(source, options: options)
            bodies[name] = parser.parse()
            for complaint in parser.complaints {
                let place = source.place(of: complaint.span.lowerBound)
                complaints.append(
                    Complaint(
                        complaint.severity,
                        at: 0..<0,
                        "partial '\(name)', line \(place.line), column \(place.column): \(complaint.message)",
                        cures: complaint.cures
                    )
                )
            }
        }
    }

    subscript(name: String) -> [Node]? { bodies[name] }
}
