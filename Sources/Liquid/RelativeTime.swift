import Values

/// Moments in relation to now, as people say them: `morgen, 07:50`, `in 10 Minuten`, `Mo, 14.12., 07:50`.
struct RelativeTime {
    let context: LiquidContext

    /// Nearer than this, minutes are told instead of the hour.
    private static let minutesTold: Int64 = 60

    func text(_ moment: Moment) -> String {
        let words = CalendarWords.of(context.locale)
        if moment.isDayOnly { return day(moment, words) }
        if let near = minutes(to: moment, words) { return near }
        return "\(day(moment, words)), \(StrftimeFormat(moment, context.locale).text("%H:%M"))"
    }

    private func minutes(to moment: Moment, _ words: CalendarWords) -> String? {
        let seconds = moment.instant.seconds - context.now.seconds
        // Full minutes that are left, or that have passed.
        let minutes = Int64(seconds.magnitude) / 60
        guard minutes < Self.minutesTold else { return nil }
        if minutes == 0 { return words.now }
        return seconds > 0 ? words.minutesAhead(Int(minutes)) : words.minutesAgo(Int(minutes))
    }

    private func day(_ moment: Moment, _ words: CalendarWords) -> String {
        let today = context.zone.date(at: context.now)
        let format = StrftimeFormat(moment, context.locale)
        switch moment.date.dayNumber - today.dayNumber {
        case -1: return words.yesterday
        case 0: return words.today
        case 1: return words.tomorrow
        case 2: return words.dayAfterTomorrow ?? format.text("%A")
        case 3...6: return format.text("%A")
        default:
            let isThisYear = moment.date.year == today.year
            return format.text("%a, " + (isThisYear ? DateStyle.short : .medium).format(context.locale))
        }
    }
}
