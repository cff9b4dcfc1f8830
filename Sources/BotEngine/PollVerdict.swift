import BotCore
import Values

/// What a failed fetch means for its source and its account; pure.
struct PollVerdict: Sendable {
    var health: Health
    var notice: HealthNotice?
    /// Whether the account rests from now on.
    var restsAccount = false

    /// A source that is not granted is asked again once a day.
    static let sleep = TimeSpan.days(1)

    /// - Parameter share: the jitter, 0 ..< 1.
    init(_ error: PluginError, health: Health, source: SourceSetup, at now: Timestamp, share: Double) {
        self.health = health
        self.health.fail(error, at: now)
        self.health.notBefore = nil
        switch error.disposition {
        case .transient(let wish):
            self.health.notBefore = now + BackOff.polling.wait(after: self.health.failures, wish: wish, share: share)
            tellFailing(source, at: now)
        case .uncertain:
            self.health.notBefore = now + BackOff.polling.wait(after: self.health.failures, wish: nil, share: share)
            tellFailing(source, at: now)
        case .permanent:
            tellFailing(source, at: now)
        case .unauthorized:
            restsAccount = true
            // A resting account is not asked: this refuses other credentials than those that were told of.
            self.health.told = nil
            notice = self.health.tell(
                HealthSchema.sourceUnauthorized,
                name: source.name,
                account: source.account,
                at: now
            )
        case .unavailable:
            self.health.notBefore = now + Self.sleep
            notice = self.health.tell(
                HealthSchema.sourceUnavailable,
                name: source.name,
                account: source.account,
                at: now
            )
        }
    }

    private mutating func tellFailing(_ source: SourceSetup, at now: Timestamp) {
        guard health.failures >= Health.threshold, health.told == nil else { return }
        notice = health.tell(HealthSchema.sourceFailing, name: source.name, account: source.account, at: now)
    }
}
