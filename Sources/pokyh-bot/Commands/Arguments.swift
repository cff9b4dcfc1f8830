import Values

/// One option of a command.
struct OptionSpecification: Sendable {
    /// `--config`.
    var name: String
    /// `-n`, if it has a short form.
    var short: String?
    /// What its value is called in the help; nil for a flag.
    var value: String?
    var help: String
    /// Whether it may be given several times.
    var isRepeatable = false

    static func flag(_ name: String, _ help: String) -> Self { Self(name: name, short: nil, value: nil, help: help) }
    static func option(_ name: String, short: String? = nil, _ value: String, _ help: String) -> Self {
        Self(name: name, short: short, value: value, help: help)
    }

    /// The same option, which may be given several times.
    var repeatable: Self {
        var option = self
        option.isRepeatable = true
        return option
    }
}

/// A command line that makes no sense: what is wrong, and how to mend it.
struct UsageError: Error {
    var message: String
    var cure: String?
}

/// The words behind a command, sorted into options and operands.
///
/// `--name VALUE`, `--name=VALUE`, `-n VALUE` and flags, in any order; after `--` every word is an operand. An unknown option, a missing
/// value and a doubled option that is not repeatable are errors.
struct Arguments: Sendable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    init(_ words: [String], options: [OptionSpecification]) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word.count > 1 else {
                operands.append(word)
                continue
            }
            try take(word, &rest, options)
        }
    }

    private mutating func take(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        _ options: [OptionSpecification]
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = options.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
            let names = options.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
            throw UsageError(
                message: "there is no option '\(parts[0])' here",
                cure: Spelling.question(about: parts[0], among: names)
            )
        }
        guard let valueName = option.value else {
            if parts.count > 1 { throw UsageError(message: "'\(option.name)' takes no value") }
            flags.insert(option.name)
            return
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw UsageError(message: "'\(option.name)' needs a value", cure: "\(option.name) \(valueName)")
        }
        if !option.isRepeatable, values[option.name] != nil {
            throw UsageError(message: "'\(option.name)' is given twice")
        }
        values[option.name, default: []].append(value)
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }
    func value(_ option: String) -> String? { values[option]?.first }
    /// All values of a repeatable option, in their order.
    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// One of some words, or the first of them where the option is not given.
    func choice(_ option: String, among words: [String]) throws(UsageError) -> String {
        guard let text = value(option) else { return words[0] }
        guard words.contains(text) else {
            throw UsageError(
                message: "'\(option)' cannot be '\(text)'",
                cure: Spelling.question(about: text, among: words) ?? "one of: \(words.joined(separator: ", "))"
            )
        }
        return text
    }

    /// A whole number within bounds, or the standard where the option is not given.
    func integer(_ option: String, in range: ClosedRange<Int>, standard: Int) throws(UsageError) -> Int {
        guard let text = value(option) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                message:
                    "'\(option)' wants a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return number
    }
}
