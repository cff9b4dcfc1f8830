import Values

/// One filter: its name, what it takes and what it does.
struct FilterDefinition: Sendable {
    typealias Body =
        @Sendable (Datum, FilterArguments, inout FilterWorkspace) throws(LiquidError) -> Datum

    /// What a filter gives, as far as its input and its name tell; for the check against declared types.
    enum Result: Sendable {
        case text
        case whole
        case number
        case truth
        case texts
        /// What the input is: `default`, `sort`, `where`.
        case input
        /// An element of the input.
        case element
        /// A field of the input's elements, as a list.
        case fields
        case unknown
    }

    let name: String
    /// How many arguments without a name it takes.
    let arity: ClosedRange<Int>
    let keywords: [String]
    let result: Result
    /// What it is for.
    let example: FilterExample
    let body: Body

    init(
        _ name: String,
        _ arity: ClosedRange<Int> = 0...0,
        keywords: [String] = [],
        gives result: Result,
        about example: FilterExample,
        _ body: @escaping Body
    ) {
        self.name = name
        self.arity = arity
        self.keywords = keywords
        self.result = result
        self.example = example
        self.body = body
    }
}

/// What a filter does, in one line, and a template with it and what that prints in German: tests run it, the reference shows it.
///
/// `marks` is a list there, of `subject` and `value`: see `LiquidLanguage.exampleVariables`.
struct FilterExample: Sendable {
    let documentation: String
    let template: String
    let output: String

    init(_ documentation: String, _ template: String, _ output: String) {
        self.documentation = documentation
        self.template = template
        self.output = output
    }
}

/// The filters that templates may use.
struct FilterTable: Sendable {
    private let definitions: [String: FilterDefinition]

    init(_ groups: [[FilterDefinition]]) {
        definitions = Dictionary(uniqueKeysWithValues: groups.joined().map { ($0.name, $0) })
    }

    subscript(name: String) -> FilterDefinition? { definitions[name] }
    var names: [String] { definitions.keys.sorted() }

    static let standard = FilterTable([
        TextFilters.all, EncodingFilters.all, NumberFilters.all, ListFilters.all, SelectionFilters.all,
        LocaleFilters.all,
    ])

    /// What is wrong with a call, before any value is known.
    static func complaints(about call: FilterCall, strictness: LiquidStrictness) -> [Complaint] {
        guard let definition = call.definition else {
            guard strictness == .strict else { return [] }
            let question = Spelling.question(about: call.name, among: standard.names)
            return [Complaint(at: call.span, "there is no filter '\(call.name)'", cures: question.map { [$0] } ?? [])]
        }
        var complaints: [Complaint] = []
        if !definition.arity.contains(call.positional.count) {
            let message = "'\(call.name)' takes \(words(definition.arity)), not \(call.positional.count)"
            complaints.append(Complaint(at: call.span, message))
        }
        for keyword in call.keywords where !definition.keywords.contains(keyword.name) {
            let message = "'\(call.name)' has no argument '\(keyword.name)'"
            complaints.append(Complaint(at: call.span, message))
        }
        if strictness == .strict, call.name == "date" { complaints += unknownStyle(in: call) }
        return complaints
    }

    /// A format without a percent sign would print itself: it is meant as the name of a style.
    private static func unknownStyle(in call: FilterCall) -> [Complaint] {
        guard case .literal(.value(.string(let format)))? = call.positional.first, !format.contains("%"),
            !format.isEmpty,
            DateStyle(rawValue: format) == nil
        else { return [] }
        let styles = DateStyle.allCases.map(\.rawValue)
        let question = Spelling.question(about: format, among: styles).map { [$0] } ?? []
        return [
            Complaint(
                at: call.span,
                "'date' has no style '\(format)'",
                cures: question + ["Styles: \(styles.sorted().joined(separator: ", ")); or a format such as '%d.%m.%Y'"]
            )
        ]
    }

    private static func words(_ arity: ClosedRange<Int>) -> String {
        switch (arity.lowerBound, arity.upperBound) {
        case (0, 0): "no argument"
        case (1, 1): "one argument"
        case (let low, let high) where low == high: "\(low) arguments"
        case (0, 1): "at most one argument"
        case (let low, let high): "\(low) to \(high) arguments"
        }
    }
}
