public import Values

/// Why a plugin could not do its one call, and what the engine should do about it.
public struct PluginError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the engine should do about it.
    public enum Disposition: Sendable, Hashable {
        /// It surely did not happen and may work later: no connection, a 5xx, a 429 with its own waiting time.
        case transient(retryAfter: TimeSpan?)
        /// Trying the same again cannot work: a 400, an unknown recipient, an answer of an unexpected form.
        case permanent
        /// A person has to act: a rejected password, a revoked token. The account or the sink rests until its settings change.
        case unauthorized
        /// Not granted or not licensed: the source sleeps for a day.
        case unavailable
        /// The far end may have taken it: all was written, and no answer came.
        case uncertain
    }

    /// Whom it is about.
    public enum Scope: Sendable, Hashable {
        /// The call as a whole: the account, the sink, this message.
        case whole
        /// The payload's recipient alone, while the far end works. Transient: nothing is sent to that recipient for as long, others go on.
        /// Permanent: the recipient is gone, and nothing more is sent to it until the settings change.
        case recipient
    }

    public var disposition: Disposition
    public var scope: Scope
    /// What happened, where, and how to mend it: one or two sentences for an admin. Free of secrets and of people's names.
    public var message: String
    /// The unexpected answer, masked and cut, kept for a bug report; never logged.
    public var evidence: String?

    public init(_ disposition: Disposition, _ message: String, about scope: Scope = .whole, evidence: String? = nil) {
        self.disposition = disposition
        self.scope = scope
        self.message = message
        self.evidence = evidence
    }

    /// It did not happen and may work later; not before `retryAfter`, if the far end said so.
    public static func transient(_ message: String, retryAfter: TimeSpan? = nil) -> Self {
        Self(.transient(retryAfter: retryAfter), message)
    }
    /// Trying the same again cannot work. `evidence` is the masked answer.
    public static func permanent(_ message: String, evidence: String? = nil) -> Self {
        Self(.permanent, message, evidence: evidence)
    }
    /// A person has to act.
    public static func unauthorized(_ message: String) -> Self { Self(.unauthorized, message) }
    /// Not granted or not licensed.
    public static func unavailable(_ message: String) -> Self { Self(.unavailable, message) }
    /// The far end may have taken it.
    public static func uncertain(_ message: String) -> Self { Self(.uncertain, message) }

    public var description: String { message }
}
