import BotCore
import Liquid
import Values

/// The texts of a rule.
struct MessagePlan: Sendable {
    var texts: MessageTexts
    /// For several events in one message.
    var many: MessageTexts?
    /// For what was told and is no longer true.
    var correction: MessageTexts?
    var link: LiquidTemplate?
    var priority = Priority.normal
}

/// One message in one or several languages.
struct MessageTexts: Sendable {
    /// By locale; a message without languages is under the empty one.
    let byLocale: [(locale: String, text: MessageText)]

    /// The text in a language, else in the bot's, else in the first that was written.
    func text(in locale: String, else standard: String) -> MessageText {
        let found = [locale, standard].lazy.compactMap { wanted in byLocale.first { $0.locale == wanted }?.text }.first
        return found ?? byLocale.first?.text ?? MessageText()
    }
}

/// The templates of one message in one language.
struct MessageText: Sendable {
    var title: LiquidTemplate?
    var body: LiquidTemplate?
    /// Instead of the rendering of the body as plain text or HTML.
    var plain: LiquidTemplate?
    var html: LiquidTemplate?
}

/// One entry of `send`.
enum AudienceEntry: Sendable, Hashable {
    case sink(String, recipients: [String])
    /// The sinks of the families of the student whom it is about.
    case family

    var text: String {
        switch self {
        case .sink(let name, _): name
        case .family: "family"
        }
    }
}

/// Who gets one message, and in which language.
struct Recipient: Sendable, Hashable {
    let sink: String
    let recipients: [String]
    let locale: String
}
