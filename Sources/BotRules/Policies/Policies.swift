import Values

/// What a rule says about when and how often it tells.
struct Policies: Sendable, Hashable {
    /// After what time a message is stale; nil for what the event's declaration says.
    var expires: TimeSpan?
}
