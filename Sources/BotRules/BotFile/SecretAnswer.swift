public import BotCore

/// What became of looking a secret up by its name.
public enum SecretAnswer: Sendable {
    case found(Secret)
    /// In no place; the places that were looked at, for people.
    case missing(places: [String])
    /// There, but it must not be used: why, and how to mend it.
    case refused(reason: String)
}
