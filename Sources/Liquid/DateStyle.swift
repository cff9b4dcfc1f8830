import Values

/// The named styles of `date`: how the languages write dates when nobody prescribes a format.
enum DateStyle: String, CaseIterable {
    case short
    case medium
    case long
    case full
    case day
    case month
    case time
    case datetime
    case weekday
    case weekdayShort = "weekday_short"
    case week
    case iso

    /// The style as a format of `StrftimeFormat`.
    func format(_ locale: LiquidLocale) -> String {
        switch (self, locale) {
        case (.short, .de): "%d.%m."
        case (.short, .it): "%d/%m"
        case (.short, .en): "%-d %b"
        case (.medium, .de): "%d.%m.%Y"
        case (.medium, .it): "%d/%m/%Y"
        case (.medium, .en): "%-d %b %Y"
        case (.long, .de): "%-d. %B %Y"
        case (.long, _): "%-d %B %Y"
        case (.full, .de): "%A, %-d. %B %Y"
        case (.full, .it): "%A %-d %B %Y"
        case (.full, .en): "%A, %-d %B %Y"
        case (.day, .de): "%A, %d.%m."
        case (.day, .it): "%A %d/%m"
        case (.day, .en): "%A, %-d %b"
        case (.month, _): "%B %Y"
        case (.time, _): "%H:%M"
        case (.datetime, _): "\(DateStyle.medium.format(locale)), %H:%M"
        case (.weekday, _): "%A"
        case (.weekdayShort, _): "%a"
        case (.week, _): "%-V"
        case (.iso, _): "%Y-%m-%d"
        }
    }
}
