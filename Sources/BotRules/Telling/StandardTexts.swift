import Values

/// What the bot says by itself, in the languages of the product.
enum StandardTexts {
    /// What stands where a text could not be made.
    static let gap = "–"

    /// The heading over several events in one message.
    static func manyHeading(_ count: Int, in locale: String) -> String {
        switch locale {
        case "it": count == 1 ? "1 avviso" : "\(count) avvisi"
        case "en": count == 1 ? "1 notice" : "\(count) notices"
        default: count == 1 ? "1 Meldung" : "\(count) Meldungen"
        }
    }

    /// The heading of a correction.
    static func correctionHeading(of title: String, in locale: String) -> String {
        switch locale {
        case "it": "Rettifica: \(title)"
        case "en": "Correction: \(title)"
        default: "Korrektur: \(title)"
        }
    }

    /// The text of a correction.
    static func correctionBody(in locale: String) -> String {
        switch locale {
        case "it": "Questo avviso non è più valido."
        case "en": "This notice no longer holds."
        default: "Diese Meldung gilt nicht mehr."
        }
    }

    /// The text over several things that no longer hold.
    static func correctionsBody(in locale: String) -> String {
        switch locale {
        case "it": "Questi avvisi non sono più validi:"
        case "en": "These notices no longer hold:"
        default: "Diese Meldungen gelten nicht mehr:"
        }
    }

    /// What is said over several notices in one message: why they come together.
    static func gatheringNote(_ gathering: Gathering, in locale: String) -> String {
        let texts =
            switch gathering {
            case .flood:
                (
                    de: "Auf einmal gekommen, deshalb in einer Nachricht:",
                    it: "Arrivati tutti insieme, perciò in un unico messaggio:",
                    en: "They came all at once, hence in one message:"
                )
            case .digest:
                (
                    de: "In der Zwischenzeit gesammelt:", it: "Raccolti nel frattempo:",
                    en: "Collected in the meantime:"
                )
            case .quietHours:
                (
                    de: "Während der Ruhezeit zurückgehalten:", it: "Trattenuti durante le ore di silenzio:",
                    en: "Held back during quiet hours:"
                )
            case .limit:
                (
                    de: "Zurückgehalten, weil es in kurzer Zeit zu viele waren:",
                    it: "Trattenuti perché erano troppi in poco tempo:",
                    en: "Held back because there were too many in a short time:"
                )
            }
        return switch locale {
        case "it": texts.it
        case "en": texts.en
        default: texts.de
        }
    }

    /// A day and time as people write them: `1.12., 07:50`, `1/12, 07:50`, `1 December, 07:50`.
    static func moment(_ instant: Timestamp, in locale: String, zone: Zone) -> String {
        let (date, time) = zone.reading(at: instant)
        let clock = WallTime(hour: time.hour, minute: time.minute) ?? time
        return switch locale {
        case "it": "\(date.day)/\(date.month), \(clock)"
        case "en": "\(date.day) \(englishMonths[date.month - 1]), \(clock)"
        default: "\(date.day).\(date.month)., \(clock)"
        }
    }

    private static let englishMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
