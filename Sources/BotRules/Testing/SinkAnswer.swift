public import BotCore
public import Values

/// How a sink answers a try in a rule test.
enum SinkAnswer: String, Sendable, CaseIterable {
    case delivers
    /// Not now: it is tried again.
    case fails
    /// Never: the message is given up.
    case refuses
    /// The login is refused: the sink rests.
    case unauthorized
    /// No answer came: it may have arrived.
    case uncertain

    var outcome: Result<Receipt, PluginError> {
        switch self {
        case .delivers: .success(Receipt())
        case .fails: .failure(.transient("The test lets it fail."))
        case .refuses: .failure(.permanent("The test lets it be refused."))
        case .unauthorized: .failure(.unauthorized("The test lets the login be refused."))
        case .uncertain: .failure(.uncertain("The test lets the answer be lost."))
        }
    }
}

/// What became of a message in a rule test, as `state:` calls it.
enum RehearsedState: String, Sendable, CaseIterable {
    case delivered
    /// It is tried again.
    case waiting
    case deadLetter = "dead_letter"
    /// Left to a person, as it may have arrived.
    case held
    /// Stale, taken back, or given up by `uncertain: drop`.
    case dropped

    var words: String {
        switch self {
        case .delivered: "was delivered"
        case .waiting: "is waiting to be tried again"
        case .deadLetter: "was given up"
        case .held: "is held, as it may have arrived"
        case .dropped: "was dropped"
        }
    }
}

/// What follows from one try to deliver.
public struct DeliveryJudgement: Sendable {
    public var settlement: Settlement
    public var state: SinkState
    /// What is told of it: a sink that fails or works again, a letter that is given up.
    public var events: [Event]

    public init(settlement: Settlement, state: SinkState, events: [Event]) {
        self.settlement = settlement
        self.state = state
        self.events = events
    }
}

/// Judges a try: what the house's courier makes of it. Handed in by the executable, since this room does not know the courier.
///
/// - Parameters: the sink; what was tried; how it went; the sink's state before; the moment.
public typealias DeliveryJudge =
    @Sendable (SinkEntry, ClaimedPayload, Result<Receipt, PluginError>, SinkState, Timestamp) -> DeliveryJudgement
