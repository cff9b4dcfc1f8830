import BotCore
import Values

/// From a provider's answer to what is committed of it.
extension Desk {
    /// What a source is asked with; nil while its account rests.
    func request(for source: SourceSetup, at now: Timestamp) async throws(StateError) -> FetchRequest? {
        if isResting(source) { return nil }
        let state = state(of: source.name)
        let needsKeys = state.isLearnt && source.provider.looksAtKnownKeys
        let keys = needsKeys ? try await store.keys(of: source.name) : []
        return FetchRequest(now: now, zone: source.zone, memo: state.memo, knownKeys: keys)
    }

    /// What decides when a source is asked again; nil if it is not, since its account rests.
    func outlook(of source: SourceSetup) -> Health? {
        isResting(source) ? nil : states[source.name]?.health ?? Health()
    }

    /// The step that follows from an answer.
    ///
    /// - Parameter stored: what is stored of the source, as `questions(of:)` asks.
    func draft(of arrival: Arrival, comparedWith stored: StoredRecords) async throws(StateError) -> Draft {
        switch arrival.answer {
        case .success(let snapshot): try await learn(from: snapshot, of: arrival, comparedWith: stored)
        case .failure(let error): note(error, of: arrival.source, askedAt: arrival.askedAt, at: arrival.at)
        }
    }

    private func note(
        _ error: PluginError,
        of source: SourceSetup,
        askedAt: Timestamp,
        at now: Timestamp
    ) -> Draft {
        let key = Self.restKey(of: source)
        var state = state(of: source.name)
        let verdict = PollVerdict(error, health: state.health, source: source, at: now, share: jitter.share())
        state.attemptedAt = askedAt
        state.account = source.account
        var draft = Draft(at: now)
        if verdict.restsAccount, let end = awakened[key], askedAt < end {
            // It was asked before somebody asked for another try, which is still to come.
        } else if verdict.restsAccount, rests[key] != nil {
            // Another source of the account has told already.
            state.health.fail(error, at: now)
        } else {
            state.health = verdict.health
            if let notice = verdict.notice { draft.notices.append(notice) }
            if verdict.restsAccount {
                let rest = AccountRest(fingerprint: fingerprint(ofRest: key), since: now, error: error.message)
                draft.commit.rests[key] = rest
            }
        }
        log(.warning, "Source \(source.name): \(error.message)")
        draft.commit.sources = [SourceUpdate(source: source.name, state: state)]
        return draft
    }

    /// What has to be read of the memory before the steps that follow from these answers can be thought through.
    func questions(of arrivals: [Arrival]) -> [RecordQuestion] {
        arrivals.compactMap { arrival in
            guard case .success(let snapshot) = arrival.answer, let records = snapshot.records else { return nil }
            let name = arrival.source.name
            return RecordQuestion(name, from: Differ.firstDay(of: snapshot, state: state(of: name)), answer: records)
        }
    }

    private func learn(
        from snapshot: Snapshot,
        of arrival: Arrival,
        comparedWith stored: StoredRecords
    ) async throws(StateError) -> Draft {
        let (source, now) = (arrival.source, arrival.at)
        let differ = Differ(snapshot, state: state(of: source.name), stored: stored, schema: source.schema)
        let comparison = differ.compare(at: now)
        report(snapshot, comparison, of: source)
        var draft = Draft(at: now)
        var state = comparison.state
        state.attemptedAt = arrival.askedAt
        state.account = source.account
        if comparison.outcome != .suspicious { state.takenAt = now }
        let notice = state.health.recover(
            HealthSchema.sourceRecovered,
            name: source.name,
            account: source.account,
            at: now
        )
        if let notice {
            draft.notices.append(notice)
            log(.info, "Source \(source.name) answers again.")
        }
        if let difference = comparison.difference {
            try await interpret(difference, of: source, student: state.student, into: &draft)
            if inForce.rules.readSources.contains(source.name) {
                draft.views[source.name] = Self.view(of: difference.after, state)
            }
        } else {
            draft.outdated.insert(source.name)
        }
        let update = SourceUpdate(
            source: source.name,
            state: state,
            put: comparison.put,
            gone: comparison.gone,
            forgetBefore: snapshot.window?.first.adding(days: -Differ.daysKept)
        )
        draft.commit.sources = [update]
        return draft
    }

    private func interpret(
        _ difference: Difference,
        of source: SourceSetup,
        student: Student,
        into draft: inout Draft
    ) async throws(StateError) {
        let now = draft.commit.at
        var others: [Record] = []
        if !difference.changes.isEmpty { others = try await otherRecords(of: student, besides: source) }
        let context = InterpretationContext(now: now, zone: source.zone, otherRecords: others)
        let occurrences = source.provider.interpret(difference, in: context)
        guard !occurrences.isEmpty else { return }
        let keys = EventBuilding.worldKeys(of: occurrences, world: source.world)
        let known = keys.isEmpty ? [:] : try await store.worlds(keys)
        let worlds = known.merging(undecidedWorlds) { _, new in new }
        let origin = EventOrigin(
            source: source.name,
            account: source.account,
            world: source.world,
            student: student
        )
        let built = EventBuilding.events(
            of: occurrences,
            changes: difference.changes,
            from: origin,
            worlds: worlds,
            at: now
        )
        draft.events += built.events
        draft.commit.worlds = built.worlds
    }

    private func otherRecords(of student: Student, besides source: SourceSetup) async throws(StateError) -> [Record] {
        guard !source.account.isEmpty else { return [] }
        var records: [Record] = []
        for name in sources.keys.sorted() where name != source.name && sources[name]?.account == source.account {
            guard let view = try await view(of: name), view.student.id == student.id else { continue }
            records += view.records
        }
        return records
    }

    private func report(_ snapshot: Snapshot, _ comparison: Comparison, of source: SourceSetup) {
        if snapshot.unreadable != unreadable[source.name] ?? 0 {
            unreadable[source.name] = snapshot.unreadable
            let count = snapshot.unreadable
            if count > 0 {
                log(
                    .warning,
                    "Source \(source.name): \(count.counted("entry", "entries")) could not be read; what was known before is kept."
                )
            }
        }
        // An answer that only says that nothing has changed has no remark of its own.
        if snapshot.records != nil, snapshot.remark != remarks[source.name] ?? "" {
            remarks[source.name] = snapshot.remark
            if !snapshot.remark.isEmpty { log(.warning, "Source \(source.name): \(snapshot.remark)") }
        }
        if comparison.outcome == .suspicious {
            log(
                .warning,
                "Source \(source.name) is suddenly empty. Nothing is believed gone before it has been so for a day."
            )
        }
        if comparison.outcome == .learnt {
            let count = comparison.put.count.counted("entry", "entries")
            // After `state baseline`, in a new school year, with another child: it has been looked at before.
            let isFirst = state(of: source.name).takenAt == nil
            let what = isFirst ? "first look, \(count) learnt" : "begins anew, \(count) taken as known"
            log(.info, "Source \(source.name): \(what). Changes are told from now on.")
        }
    }

    /// The last good snapshot as the store would give it.
    static func view(of records: [Record], _ state: SourceState) -> SourceView {
        SourceView(
            records: records.filter { record in
                guard let date = record.date, let window = state.window else { return true }
                return window.contains(date)
            },
            takenAt: state.takenAt ?? Timestamp(seconds: 0),
            student: state.student,
            account: state.account,
            calendar: state.calendar
        )
    }
}
