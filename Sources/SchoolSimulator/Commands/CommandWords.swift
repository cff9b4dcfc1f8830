import Values

/// The words of one command line: what stands by position, and what follows a keyword such as `in` or `because`.
struct CommandWords {
    let verb: String
    private var positional: [String]
    private var options: [String: String]
    private let usage: String

    /// Splits a line at blanks; what stands in double quotes is one word and never a keyword. In it a backslash takes the next
    /// character as it is.
    static func split(_ line: String) throws(CommandError) -> [(text: String, isQuoted: Bool)] {
        var words: [(text: String, isQuoted: Bool)] = []
        var current: String?
        var isInQuotes = false
        var isEscaped = false
        for character in line {
            switch character {
            case _ where isEscaped: (current, isEscaped) = ((current ?? "") + String(character), false)
            case "\\" where isInQuotes: isEscaped = true
            case "\"" where isInQuotes:
                words.append((current ?? "", true))
                (current, isInQuotes) = (nil, false)
            case "\"" where current == nil: (current, isInQuotes) = ("", true)
            case _ where character.isWhitespace && !isInQuotes:
                if let word = current { words.append((word, false)) }
                current = nil
            default: current = (current ?? "") + String(character)
            }
        }
        if isInQuotes {
            throw CommandError("a quotation mark is not closed", cures: ["put a \" at the end of the text"])
        }
        if let word = current { words.append((word, false)) }
        return words
    }

    init(_ words: [(text: String, isQuoted: Bool)], entry: CommandCatalogue.Entry) throws(CommandError) {
        verb = entry.verb
        usage = entry.usage
        positional = []
        options = [:]
        var rest = words.dropFirst()
        while let word = rest.first, word.isQuoted || !entry.keywords.contains(word.text.lowercased()) {
            positional.append(word.text)
            rest = rest.dropFirst()
        }
        while let word = rest.popFirst() {
            let keyword = word.text.lowercased()
            guard !word.isQuoted, entry.keywords.contains(keyword) else {
                throw failure(
                    "'\(word.text)' is not understood here",
                    Spelling.question(about: keyword, among: entry.keywords)
                        ?? "put texts of several words in double quotes"
                )
            }
            guard let value = rest.popFirst() else { throw failure("something must follow '\(keyword)'") }
            options[keyword] = value.text
        }
    }

    /// The next word by position.
    mutating func next(_ what: String) throws(CommandError) -> String {
        guard !positional.isEmpty else { throw failure("\(what) is missing") }
        return positional.removeFirst()
    }

    /// The next word by position, nil where there is none.
    mutating func nextIfAny() -> String? { positional.isEmpty ? nil : positional.removeFirst() }

    /// What stands behind a keyword.
    func option(_ keyword: String) -> String? { options[keyword] }

    /// Complains where words are left over.
    func finish() throws(CommandError) {
        guard let left = positional.first else { return }
        throw failure("'\(left)' is one word too many", "put texts of several words in double quotes")
    }

    func failure(_ message: String, _ cures: String?...) -> CommandError {
        CommandError("\(verb): \(message)", cures: cures + ["usage: \(usage)"])
    }

    // MARK: Words with a meaning

    mutating func day() throws(CommandError) -> DayWord { try day(next("the day")) }

    func day(_ text: String) throws(CommandError) -> DayWord {
        let word = text.lowercased()
        switch word {
        case "today": return .today
        case "tomorrow": return .tomorrow
        case "next": return .next
        default: break
        }
        if let weekday = Self.weekdays.firstIndex(of: word) { return .weekday(weekday + 1) }
        if let date = CalendarDate(word) { return .date(year: date.year, month: date.month, day: date.day) }
        let known = ["today", "tomorrow", "next"] + Self.weekdays
        throw failure(
            "'\(text)' is not a day",
            Spelling.question(about: word, among: known),
            "write today, tomorrow, next, monday to sunday, or a date such as 2026-12-01"
        )
    }

    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// A time of day, in minutes since midnight.
    func minute(_ text: String) throws(CommandError) -> Int {
        let padded = text.count == 4 ? "0" + text : text
        guard let time = WallTime(padded) else {
            throw failure("'\(text)' is not a time of day", "write it as 07:50")
        }
        return time.minuteOfDay
    }

    func minute(option keyword: String) throws(CommandError) -> Int? {
        guard let text = option(keyword) else { return nil }
        return try minute(text)
    }

    func count(_ text: String, _ range: ClosedRange<Int>) throws(CommandError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw failure("'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// `SUBJECT DAY [at TIME] [in CLASS]`.
    mutating func lesson() throws(CommandError) -> LessonChoice {
        let subject = try next("the subject")
        let day = try day()
        return LessonChoice(subject: subject, day: day, minute: try minute(option: "at"), klasse: option("in"))
    }

    /// `30s`, `15m`, `2h`, `1d`, in seconds; a bare number is minutes.
    func seconds(_ text: String) throws(CommandError) -> Int {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text : String(text.dropLast())
        // A year at most: further than that lies no timetable.
        guard let number = Int(digits), (0...525_600).contains(number) else {
            throw failure("'\(text)' is not a span of time", "write 30s, 15m, 2h or 1d")
        }
        return number * (unit ?? 60)
    }
}
