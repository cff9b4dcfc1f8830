import BotCore
import Values

/// What is not asked, since its login was refused. Rests are noted by this engine, and by commands that log in beside it.
extension Desk {
    /// What a refused login puts to rest: the account, or the source that needs none.
    static func restKey(of source: SourceSetup) -> String {
        source.account.isEmpty ? "source \(source.name)" : source.account
    }

    func isResting(_ source: SourceSetup) -> Bool { rests[Self.restKey(of: source)] != nil }

    func fingerprint(ofRest key: String) -> String { fingerprint(of: credentials[key] ?? []) }

    /// Another process has written: copies are worth nothing any more.
    /// - Returns: what rests no longer, by `restKey`.
    func forgetCopies(at now: Timestamp) async throws(StateError) -> Set<String> {
        await turnstile.enter()
        defer { turnstile.leave() }
        views = [:]
        policyMemory = nil
        states = try await store.sources()
        let before = rests
        let stored = try await store.rests()
        let own = ownRests(among: stored)
        var draft = Draft(at: now)
        tellOfUntold(own, in: &draft)
        // If this cannot be written, the copies stay as they are, and all of it is found again.
        if !draft.notices.isEmpty { try await conclude(draft) }
        for name in own.keys where before[name] == nil { warn(ofRest: name) }
        // One of other credentials has taken the place of ours: nobody has asked for another try of these.
        rests = before.filter { stored[$0.key] != nil }.merging(own) { _, new in new }
        let ended = Set(before.keys).subtracting(rests.keys)
        for key in ended { awakened[key] = now }
        return ended
    }

    /// Those that are about the credentials in use. A command goes by the files as they are now, and may have been refused others.
    func ownRests(among rests: [String: AccountRest]) -> [String: AccountRest] {
        rests.filter { $0.value.fingerprint == fingerprint(ofRest: $0.key) }
    }

    func warn(ofRest key: String) {
        let what = key.hasPrefix("source ") ? key : "account \(key)"
        log(.warning, "The \(what) rests since its login was refused. Correct its credentials and start again.")
    }

    /// A refusal that a command has noted is told like one that a poll has met.
    func tellOfUntold(_ rests: [String: AccountRest], in draft: inout Draft) {
        for (key, rest) in rests.sorted(by: { $0.key < $1.key }) {
            let concerned = sources.values.filter { Self.restKey(of: $0) == key }.sorted { $0.name < $1.name }
            let isTold = concerned.contains { self.state(of: $0.name).health.told == HealthSchema.sourceUnauthorized }
            guard !isTold, let source = concerned.first else { continue }
            var state = self.state(of: source.name)
            let error = PluginError.unauthorized(rest.error)
            let verdict = PollVerdict(error, health: state.health, source: source, at: draft.commit.at, share: 0)
            state.health = verdict.health
            state.account = source.account
            draft.commit.sources.append(SourceUpdate(source: source.name, state: state))
            if let notice = verdict.notice { draft.notices.append(notice) }
        }
    }
}
