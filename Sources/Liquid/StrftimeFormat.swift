import Values

/// Dates by format: the directives of Ruby's `strftime`, which Liquid's documentation refers to, in the words of a locale.
struct StrftimeFormat {
    let moment: Moment
    let locale: LiquidLocale
    private let words: CalendarWords

    init(_ moment: Moment, _ locale: LiquidLocale) {
        self.moment = moment
        self.locale = locale
        words = CalendarWords.of(locale)
    }

    /// Wider fields than this are cut to it; nobody means them.
    private static let widestField = 100

    func text(_ format: String) -> String {
        var result = ""
        var rest = Substring(format)
        while let character = rest.popFirst() {
            if character != "%" {
                result.append(character)
                continue
            }
            let whole = rest
            var directive = Directive()
            rest = directive.read(rest)
            guard let letter = rest.popFirst(), let field = field(letter, directive) else {
                // An unknown directive stays as it is written.
                result += "%"
                rest = whole
                continue
            }
            result += field
        }
        return result
    }

    /// Flags and width between the percent sign and the letter.
    private struct Directive {
        var padding: Character?
        var isUnpadded = false
        var isUppercase = false
        var swapsCase = false
        var colons = 0
        var width: Int?

        mutating func read(_ text: Substring) -> Substring {
            var rest = text
            while let flag = rest.first {
                switch flag {
                case "-": isUnpadded = true
                case "0": padding = "0"
                case "_": padding = " "
                case "^": isUppercase = true
                case "#": swapsCase = true
                case ":": colons += 1
                default:
                    let digits = rest.prefix { $0.isASCII && $0.isNumber }
                    if !digits.isEmpty { width = min(Int(digits) ?? widestField, widestField) }
                    return rest.dropFirst(digits.count)
                }
                rest = rest.dropFirst()
            }
            return rest
        }

        func number(_ number: Int, _ usualWidth: Int, _ usualPadding: Character = "0") -> String {
            let digits = String(number.magnitude)
            let sign = number < 0 ? "-" : ""
            if isUnpadded { return sign + digits }
            let missing = max(0, (width ?? usualWidth) - digits.count - sign.count)
            let pad = String(repeating: padding ?? usualPadding, count: missing)
            return (padding ?? usualPadding) == "0" ? sign + pad + digits : pad + sign + digits
        }

        func text(_ text: String) -> String {
            let cased = isUppercase || swapsCase ? text.uppercased() : text
            let missing = max(0, (width ?? 0) - cased.count)
            return String(repeating: padding ?? " ", count: missing) + cased
        }
    }

    private func field(_ letter: Character, _ directive: Directive) -> String? {
        calendarField(letter, directive) ?? clockField(letter, directive) ?? combinedField(letter, directive)
    }

    private func calendarField(_ letter: Character, _ directive: Directive) -> String? {
        let (year, month, day) = moment.date.civil
        let weekday = moment.date.weekday
        switch letter {
        case "Y": return directive.number(year, 4)
        case "C": return directive.number(year / 100, 2)
        case "y": return directive.number(year % 100, 2)
        case "m": return directive.number(month, 2)
        case "B": return directive.text(words.months[month - 1])
        case "b", "h": return directive.text(words.shortMonths[month - 1])
        case "d": return directive.number(day, 2)
        case "e": return directive.number(day, 2, " ")
        case "j": return directive.number(moment.dayOfYear, 3)
        case "A": return directive.text(words.days[weekday - 1])
        case "a": return directive.text(words.shortDays[weekday - 1])
        case "u": return directive.number(weekday, 1)
        case "w": return directive.number(weekday % 7, 1)
        case "G": return directive.number(moment.week.year, 4)
        case "g": return directive.number(moment.week.year % 100, 2)
        case "V": return directive.number(moment.week.number, 2)
        // Weeks of the year that start on the first Sunday or Monday; the days before are week 0.
        case "U": return directive.number((moment.dayOfYear + 6 - weekday % 7) / 7, 2)
        case "W": return directive.number((moment.dayOfYear + 6 - (weekday - 1)) / 7, 2)
        default: return nil
        }
    }

    private func clockField(_ letter: Character, _ directive: Directive) -> String? {
        let time = moment.time
        let hour12 = (time.hour + 11) % 12 + 1
        switch letter {
        case "H": return directive.number(time.hour, 2)
        case "k": return directive.number(time.hour, 2, " ")
        case "I": return directive.number(hour12, 2)
        case "l": return directive.number(hour12, 2, " ")
        case "M": return directive.number(time.minute, 2)
        case "S": return directive.number(time.second, 2)
        case "L": return fraction(directive.width ?? 3)
        case "N": return fraction(directive.width ?? 9)
        case "p": return directive.swapsCase ? (time.hour < 12 ? "am" : "pm") : (time.hour < 12 ? "AM" : "PM")
        case "P": return time.hour < 12 ? "am" : "pm"
        case "z": return offset(directive.colons)
        case "Z": return directive.text(moment.zone.name)
        case "s": return directive.number(Int(moment.instant.seconds), 1)
        default: return nil
        }
    }

    private func combinedField(_ letter: Character, _ directive: Directive) -> String? {
        switch letter {
        case "D", "x": return directive.text(text(letter == "x" ? DateStyle.medium.format(locale) : "%m/%d/%y"))
        case "F": return directive.text(text("%Y-%m-%d"))
        case "T", "X": return directive.text(text("%H:%M:%S"))
        case "R": return directive.text(text("%H:%M"))
        case "r": return directive.text(text("%I:%M:%S %p"))
        case "c": return directive.text(text("%a %b %e %H:%M:%S %Y"))
        case "v": return directive.text(text("%e-%^b-%Y"))
        case "n": return "\n"
        case "t": return "\t"
        case "%": return "%"
        default: return nil
        }
    }

    private func fraction(_ digits: Int) -> String {
        let all = String(Int(moment.instant.nanoseconds) + 1_000_000_000).dropFirst()
        return all.prefix(digits) + String(repeating: "0", count: max(0, digits - all.count))
    }

    /// `+0100`, with one colon `+01:00`, with two `+01:00:00`.
    private func offset(_ colons: Int) -> String {
        let offset = moment.zone.offset(at: moment.instant)
        let seconds = Int(offset.magnitude)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { String($0 + 100).dropFirst() }
        let shown = parts.prefix(colons > 1 ? 3 : 2)
        return (offset < 0 ? "-" : "+") + shown.joined(separator: colons > 0 ? ":" : "")
    }
}

extension StrftimeFormat {
    /// What may stand behind a percent sign, with its meaning; flags between the two: `-` no padding, `0` and `_` padding, `^` capitals.
    static let directives: [(letter: Character, documentation: String)] = [
        ("Y", "year"), ("C", "century"), ("y", "year of two digits"), ("G", "year of the ISO week"),
        ("g", "year of the ISO week, two digits"), ("m", "month"), ("B", "month in words"), ("b", "month, abbreviated"),
        ("h", "the same as %b"), ("d", "day of the month"), ("e", "day of the month, padded with a blank"),
        ("j", "day of the year"), ("A", "day of the week"), ("a", "day of the week, abbreviated"),
        ("u", "day of the week, 1 for Monday"), ("w", "day of the week, 0 for Sunday"), ("V", "ISO week"),
        ("U", "week of the year, from the first Sunday"), ("W", "week of the year, from the first Monday"),
        ("H", "hour"), ("k", "hour, padded with a blank"), ("I", "hour of twelve"),
        ("l", "hour of twelve, padded with a blank"), ("M", "minute"), ("S", "second"), ("L", "milliseconds"),
        ("N", "nanoseconds"), ("p", "AM or PM"), ("P", "am or pm"), ("z", "offset from UTC"), ("Z", "zone"),
        ("s", "seconds since 1970"), ("D", "%m/%d/%y"), ("x", "the style `medium`"), ("F", "%Y-%m-%d"),
        ("T", "%H:%M:%S"), ("X", "%H:%M:%S"), ("R", "%H:%M"), ("r", "%I:%M:%S %p"), ("c", "%a %b %e %H:%M:%S %Y"),
        ("v", "%e-%^b-%Y"), ("n", "a line end"), ("t", "a tab"), ("%", "a percent sign"),
    ]
}
