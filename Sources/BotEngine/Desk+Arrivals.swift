import BotCore
import Values

/// What came of asking a source.
struct Arrival: Sendable {
    var number: Int
    var answer: Result<Snapshot, PluginError>
    var source: SourceSetup
    /// When it was asked; intervals count from there.
    var askedAt: Timestamp
    /// When the answer came.
    var at: Timestamp
}

/// Answers that came while a step was being written are taken in together: each is a step of its own, decided one after the other, and
/// one transaction writes them. A disk that takes some milliseconds for a transaction then holds up nobody.
extension Desk {
    /// Takes in what came of asking a source.
    /// - Parameter askedAt: when it was asked; intervals count from there.
    /// - Returns: whether it answered well.
    func absorb(
        _ answer: Result<Snapshot, PluginError>,
        of source: SourceSetup,
        askedAt: Timestamp,
        at now: Timestamp
    ) async throws(StateError) -> Bool {
        arrivalCount += 1
        let number = arrivalCount
        arrivals.append(Arrival(number: number, answer: answer, source: source, askedAt: askedAt, at: now))
        await turnstile.enter()
        defer { turnstile.leave() }
        while takenIn[number] == nil { await takeIn(nextArrivals(with: number)) }
        try takenIn.removeValue(forKey: number)?.get()
        if case .success = answer { return true }
        return false
    }

    /// Takes those that can be decided together out of the line, this one among them. Of an account only one: what its other sources
    /// know is read from the disk.
    private func nextArrivals(with number: Int) -> [Arrival] {
        var accounts = Set(arrivals.filter { $0.number == number }.map { Self.restKey(of: $0.source) })
        var taken: [Arrival] = []
        arrivals.removeAll { arrival in
            let fits = arrival.number == number || accounts.insert(Self.restKey(of: arrival.source)).inserted
            if fits { taken.append(arrival) }
            return fits
        }
        return taken
    }

    /// Decides these one after the other and writes all of them, or none.
    private func takeIn(_ batch: [Arrival]) async {
        let before = copies(of: batch)
        var commits: [Commit] = []
        var outdated: Set<String> = []
        var left = batch[...]
        do throws(StateError) {
            let stored = try await storedRecords(for: questions(of: batch))
            // What rules read of an outdated source is on the disk alone: the next step has to find it there.
            while let arrival = left.first, outdated.isDisjoint(with: inForce.rules.readSources) {
                let known = stored[arrival.source.name] ?? StoredRecords()
                let decided = try await decide(draft(of: arrival, comparedWith: known))
                commits.append(decided.draft.commit)
                undecidedWorlds.merge(decided.draft.commit.worlds) { _, new in new }
                outdated.formUnion(decided.draft.outdated)
                keep(decided)
                left.removeFirst()
            }
            try await write(commits)
            // Others may have read them anew before they were written.
            for name in outdated { views[name] = nil }
            for arrival in batch.dropLast(left.count) { takenIn[arrival.number] = .success(()) }
        } catch {
            goBack(to: before)
            for arrival in batch { takenIn[arrival.number] = .failure(error) }
            left = []
        }
        undecidedWorlds = [:]
        arrivals.insert(contentsOf: left, at: 0)
    }

    /// What is stored of each source that is asked for.
    private func storedRecords(for questions: [RecordQuestion]) async throws(StateError) -> [String: StoredRecords] {
        if questions.isEmpty { return [:] }
        let answers = try await store.records(for: questions)
        // What has no answer would look as if nothing were known, and all of it would be told.
        guard answers.count == questions.count else {
            throw .failed("the store answered \(answers.count) of \(questions.count) questions")
        }
        return Dictionary(zip(questions.map(\.source), answers)) { first, _ in first }
    }

    /// The copies of what is on the disk, to go back to when a transaction fails. Of sources only those that it is about: to copy all of
    /// them for each transaction was measured to take a tenth of a run over 500.
    private struct Copies {
        var states: [String: SourceState?] = [:]
        var views: [String: SourceView?] = [:]
        var rests: [String: AccountRest]
        var ruleHealth: [String: Health]
        var deadline: Timestamp?
        var policyMemory: [String: Value]?
    }

    private func copies(of batch: [Arrival]) -> Copies {
        var copies = Copies(rests: rests, ruleHealth: ruleHealth, deadline: deadline, policyMemory: policyMemory)
        for name in batch.map(\.source.name) {
            copies.states[name] = .some(states[name])
            copies.views[name] = .some(views[name])
        }
        return copies
    }

    private func goBack(to copies: Copies) {
        for (name, state) in copies.states { states[name] = state }
        for (name, view) in copies.views { views[name] = view }
        rests = copies.rests
        ruleHealth = copies.ruleHealth
        deadline = copies.deadline
        policyMemory = copies.policyMemory
    }
}
