import Values

/// The filters that write for people of a place: dates, hours, numbers and money. Only `date` is a standard filter, and does more here.
enum LocaleFilters {
    static let all: [FilterDefinition] = [
        FilterDefinition(
            "date",
            1...1,
            gives: .text,
            about: FilterExample(
                "A time by a named style or a strftime format, in the rule's zone and the reader's language. What is no date passes through.",
                #"{{ "2026-12-01T07:50" | date: "%d.%m. %H:%M" }}"#,
                "01.12. 07:50"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let format = try workspace.text(arguments[0])
            guard !format.isEmpty, let moment = Moment(input, workspace.context) else { return input }
            let locale = workspace.context.locale
            return .text(StrftimeFormat(moment, locale).text(DateStyle(rawValue: format)?.format(locale) ?? format))
        },
        FilterDefinition(
            "weekday",
            0...1,
            gives: .text,
            about: FilterExample(
                "The day of the week; `short` abbreviates it.",
                #"{{ "2026-12-01" | weekday }}, {{ "2026-12-01" | weekday: "short" }}"#,
                "Dienstag, Di"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            guard let moment = Moment(input, workspace.context) else { return input }
            let isShort = try workspace.text(arguments[0]) == "short"
            return .text(StrftimeFormat(moment, workspace.context.locale).text(isShort ? "%a" : "%A"))
        },
        FilterDefinition(
            "relative",
            gives: .text,
            about: FilterExample(
                "As one would say it now: minutes within the hour, then today, tomorrow, yesterday, the days of the coming week, then the date.",
                #"{{ "2026-12-01T07:50" | relative }}"#,
                "morgen, 07:50"
            )
        ) { input, _, workspace throws(LiquidError) in
            guard let moment = Moment(input, workspace.context) else { return input }
            return .text(RelativeTime(context: workspace.context).text(moment))
        },
        FilterDefinition(
            "number",
            0...1,
            gives: .text,
            about: FilterExample(
                "A number in the reader's language, with two decimals at most unless said otherwise.",
                "{{ 7.3333 | number }} {{ 7.3333 | number: 1 }}",
                "7,33 7,3"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            guard let quantity = exactQuantity(input) else { return input }
            let places = try workspace.integer(arguments[0], "the number of decimals") ?? 2
            return .text(NumberFormat(workspace.context.locale).number(quantity, mostDecimals: max(0, min(places, 15))))
        },
        FilterDefinition(
            "money",
            0...1,
            gives: .text,
            about: FilterExample(
                "An amount, in euro unless a currency is named.",
                #"{{ 4.5 | money }}, {{ 4.5 | money: "CHF" }}"#,
                "4,50 €, 4,50 CHF"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            guard let quantity = exactQuantity(input) else { return input }
            let currency = arguments[0].isNothing ? "€" : try workspace.text(arguments[0])
            return .text(NumberFormat(workspace.context.locale).money(quantity, currency))
        },
        FilterDefinition(
            "average",
            0...1,
            gives: .number,
            about: FilterExample(
                "The average of the elements, or of a field of each; what is no number is left out, and of nothing it is nothing.",
                #"{{ marks | average: "value" | number }}"#,
                "7,5"
            )
        ) { input, arguments, workspace throws(LiquidError) in
            let elements = try workspace.elements(input)
            let quantities = try ListFilters.keys(of: elements, arguments, &workspace).compactMap {
                exactQuantity(.value($0))
            }
            guard !quantities.isEmpty else { return .null }
            let sum = quantities.reduce(.whole(0)) { $0 + $1 }
            let average = Quantity.decimal(sum.double) / .whole(Int64(quantities.count))
            return Int64(exactly: average.double).map { .value(.int($0)) } ?? average.datum
        },
    ]

    /// A number, or a text that is one; a comma may stand for the point. Nil for all else.
    private static func exactQuantity(_ datum: Datum) -> Quantity? {
        switch datum {
        case .value(.string(let text)):
            Quantity.exactNumber(
                of: ByteSearch.replace(ByteSearch.occurrences(of: ",", in: text, atMost: 1), of: text, by: ".")
                    .trimmingSpace
            )
        case .value(let value) where value.number?.isFinite == true: Quantity(value)
        default: nil
        }
    }
}

/// How a language writes numbers.
struct NumberFormat {
    let locale: LiquidLocale

    init(_ locale: LiquidLocale) { self.locale = locale }

    private var decimalSign: String { locale == .en ? "." : "," }
    private var groupSign: String { locale == .en ? "," : "." }

    /// Rounded to so many decimals at most, zeros at the end cut: `8`, `8,5`, `7,33`.
    func number(_ quantity: Quantity, mostDecimals: Int) -> String {
        var (sign, whole, decimals) = parts(quantity, places: mostDecimals)
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return sign + grouped(whole) + (decimals.isEmpty ? "" : decimalSign + decimals)
    }

    /// With two decimals; a sign of currency stands before the amount in English, behind it in German and Italian.
    func money(_ quantity: Quantity, _ currency: String) -> String {
        let (sign, whole, decimals) = parts(quantity, places: 2)
        let amount = grouped(whole) + decimalSign + decimals
        guard locale == .en else { return "\(sign)\(amount) \(currency)" }
        // A code of letters is kept apart from the amount.
        return sign + currency + (currency.last?.isLetter == true ? " " : "") + amount
    }

    private func parts(_ quantity: Quantity, places: Int) -> (sign: String, whole: String, decimals: String) {
        let rounded = quantity.rounded(places)
        var text = rounded.decimalText
        let isNegative = text.hasPrefix("-")
        if isNegative { text.removeFirst() }
        let halves = text.split(separator: ".", maxSplits: 1)
        let decimals = halves.count > 1 ? String(halves[1]) : ""
        let padding = String(repeating: "0", count: max(0, places - decimals.count))
        return (isNegative ? "-" : "", String(halves.first ?? "0"), decimals + padding)
    }

    /// Thousands apart, from five digits on: a year or a room stays whole.
    private func grouped(_ digits: String) -> String {
        guard digits.count > 4, digits.utf8.allSatisfy(\.isASCIIDigit) else { return digits }
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += groupSign }
            result.append(digit)
        }
        return result
    }
}
