import Values

/// What the bot says by itself, in the languages of the product.
enum StandardTexts {
    /// What stands where a text could not be made.
    static let gap = "–"

    /// The heading over several events in one message.
    static func manyHeading(_ count: Int, in locale: String) -> String {
        switch locale {
        case "it": "\(count) avvisi"
        case "en": "\(count) notices"
        default: "\(count) Meldungen"
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

    /// What is said over events that were not told at once.
    static func collectedNote(in locale: String) -> String {
        switch locale {
        case "it": "Raccolti nel frattempo:"
        case "en": "Collected meanwhile:"
        default: "In der Zwischenzeit gesammelt:"
        }
    }
}
