import Values

/// The words of a language for days, months and what lies around today. Kept here, so that a binary without locale data knows them.
struct CalendarWords: Sendable {
    /// Monday first.
    let days: [String]
    let shortDays: [String]
    /// January first.
    let months: [String]
    let shortMonths: [String]
    let yesterday: String
    let today: String
    let tomorrow: String
    /// Nil where the language has no single word for it.
    let dayAfterTomorrow: String?
    let now: String
    let minutesAhead: @Sendable (Int) -> String
    let minutesAgo: @Sendable (Int) -> String

    static func of(_ locale: LiquidLocale) -> CalendarWords {
        switch locale {
        case .de: german
        case .it: italian
        case .en: english
        }
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map { String($0) } }

    private static let german = CalendarWords(
        days: words("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
        shortDays: words("Mo Di Mi Do Fr Sa So"),
        months: words("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
        shortMonths: words("Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez"),
        yesterday: "gestern",
        today: "heute",
        tomorrow: "morgen",
        dayAfterTomorrow: "übermorgen",
        now: "jetzt",
        minutesAhead: { $0 == 1 ? "in 1 Minute" : "in \($0) Minuten" },
        minutesAgo: { $0 == 1 ? "vor 1 Minute" : "vor \($0) Minuten" }
    )

    private static let italian = CalendarWords(
        days: words("lunedì martedì mercoledì giovedì venerdì sabato domenica"),
        shortDays: words("lun mar mer gio ven sab dom"),
        months: words("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        shortMonths: words("gen feb mar apr mag giu lug ago set ott nov dic"),
        yesterday: "ieri",
        today: "oggi",
        tomorrow: "domani",
        dayAfterTomorrow: "dopodomani",
        now: "adesso",
        minutesAhead: { $0 == 1 ? "tra 1 minuto" : "tra \($0) minuti" },
        minutesAgo: { $0 == 1 ? "1 minuto fa" : "\($0) minuti fa" }
    )

    private static let english = CalendarWords(
        days: words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
        shortDays: words("Mon Tue Wed Thu Fri Sat Sun"),
        months: words("January February March April May June July August September October November December"),
        shortMonths: words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
        yesterday: "yesterday",
        today: "today",
        tomorrow: "tomorrow",
        dayAfterTomorrow: nil,
        now: "now",
        minutesAhead: { $0 == 1 ? "in 1 minute" : "in \($0) minutes" },
        minutesAgo: { $0 == 1 ? "1 minute ago" : "\($0) minutes ago" }
    )
}
