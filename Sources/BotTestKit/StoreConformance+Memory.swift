import BotCore
import Values

extension StoreConformance {
    @Sendable static func records(_ store: any StateStore, _ check: inout Conformance) async throws {
        let state = learntState()
        let stored = [StoredRecord(record("a"), revision: 1), StoredRecord(record("b", on: nil), revision: 3)]
        try await store.commit(commit { $0.sources = [SourceUpdate(source: "s", state: state, put: stored)] })
        check.expect(try await store.sources(), is: ["s": state], "a source's state comes back as it was")
        var found = try await store.records(of: "s", from: nil, answer: [])
        check.expect(Set(found.present), is: Set(stored), "records come back as they were")
        check.expect(try await store.keys(of: "s"), is: ["a", "b"], "keys are those of present records")
        check.expect(
            try await store.records(of: "other", from: nil, answer: []),
            is: StoredRecords(),
            "sources are kept apart"
        )

        try await store.commit(commit { $0.sources = [SourceUpdate(source: "s", state: state, gone: ["a": 2])] })
        found = try await store.records(of: "s", from: nil, answer: [])
        check.expect(found.present.map(\.record.key), is: ["b"], "what is gone is not present")
        check.expect(found.gone, is: ["a": 2], "what is gone keeps its revision")
        check.expect(try await store.keys(of: "s"), is: ["b"], "what is gone has no key")

        let back = StoredRecord(record("a"), revision: 3)
        try await store.commit(commit { $0.sources = [SourceUpdate(source: "s", state: state, put: [back])] })
        found = try await store.records(of: "s", from: nil, answer: [])
        check.expect(found.gone, is: [:], "what has returned is not gone")
        check.expect(found.present.contains(back), "what has returned is present")
    }

    /// What is stored counts, however near an answer comes to it.
    @Sendable static func likeAnswers(_ store: any StateStore, _ check: inout Conformance) async throws {
        let stored = record("a")
        let row = StoredRecord(stored, revision: 4)
        try await store.commit(commit { $0.sources = [SourceUpdate(source: "s", state: learntState(), put: [row])] })
        var answers = Array(repeating: stored, count: 7)
        answers[1].type = "other"
        answers[2].date = nil
        answers[3].fields = ["other": true]
        answers[4].likeness = stored.likeness == nil ? "" : nil
        answers[5].worldKey = stored.worldKey == nil ? "" : nil
        answers[6].key = "b"
        for answer in answers {
            let found = try await store.records(of: "s", from: nil, answer: [answer, answer])
            check.expect(found.present, is: [row], "a record comes back as it was stored, whatever the answer says")
        }
    }

    /// Sources that are asked for together are answered in their order, each by itself.
    @Sendable static func questions(_ store: any StateStore, _ check: inout Conformance) async throws {
        let early = day.adding(days: -2)
        let rows = [
            "a": [StoredRecord(record("x"), revision: 1), StoredRecord(record("early", on: early), revision: 2)],
            "b": [
                StoredRecord(record("x", "other"), revision: 3), StoredRecord(record("old", on: early), revision: 4),
            ],
        ]
        for (source, put) in rows {
            let gone = source == "b" ? ["old": Int64(5)] : [:]
            let update = SourceUpdate(source: source, state: learntState(), put: put)
            try await store.commit(commit { $0.sources = [update] })
            try await store.commit(
                commit { $0.sources = [SourceUpdate(source: source, state: learntState(), gone: gone)] }
            )
        }
        let found = try await store.records(for: [
            RecordQuestion("b", answer: [record("x"), record("old")]), RecordQuestion("unknown", answer: [record("x")]),
            RecordQuestion("a", from: day, answer: [record("x", "other"), record("early", on: early, "now other")]),
            RecordQuestion("a", from: day, answer: [record("x")]),
        ])
        check.expect(found.map(\.present.count), is: [1, 0, 2, 1], "each question has the answer of its own source")
        check.expect(found.first?.present.first, is: rows["b"]?.first, "one source's record is not taken for another's")
        check.expect(found.first?.gone, is: ["old": 5], "what is gone keeps its revision, also where the answer has it")
        check.expect(found.dropFirst(2).first.map { Set($0.present) }, is: Set(rows["a"] ?? []), "earlier days by key")
    }

    @Sendable static func keysAndWindows(_ store: any StateStore, _ check: inout Conformance) async throws {
        let stored = [
            StoredRecord(record("past", on: day.adding(days: -2)), revision: 1),
            StoredRecord(record("today"), revision: 1),
            StoredRecord(record("always", on: nil), revision: 1),
        ]
        try await store.commit(commit { $0.sources = [SourceUpdate(source: "s", state: learntState(), put: stored)] })
        var found = try await store.records(of: "s", from: day, answer: [])
        check.expect(Set(found.present.map(\.record.key)), is: ["today", "always"], "earlier days are left out")
        found = try await store.records(of: "s", from: day, answer: ["past", "today", "unknown"].map { record($0) })
        check.expect(
            found.present.map(\.record.key).sorted(),
            is: ["always", "past", "today"],
            "records that are asked for by key are found on any day, each once"
        )
        let update = SourceUpdate(source: "s", state: learntState(), forgetBefore: day)
        try await store.commit(commit { $0.sources = [update] })
        check.expect(try await store.keys(of: "s"), is: ["today", "always"], "earlier days are forgotten on request")
    }

    @Sendable static func view(_ store: any StateStore, _ check: inout Conformance) async throws {
        check.expect(try await store.view(of: "s") == nil, "an unknown source has no snapshot")
        var state = learntState()
        let stored = [
            StoredRecord(record("past", on: day.adding(days: -1)), revision: 1),
            StoredRecord(record("today"), revision: 1),
            StoredRecord(record("always", on: nil), revision: 1),
        ]
        try await store.commit(commit { $0.sources = [SourceUpdate(source: "s", state: state, put: stored)] })
        let view = try await store.view(of: "s")
        check.expect(
            Set(view?.records.map(\.key) ?? []),
            is: ["today", "always"],
            "a snapshot holds the days of its window"
        )
        check.expect(view?.takenAt, is: state.takenAt, "a snapshot knows when it was taken")
        check.expect(view?.student, is: state.student, "a snapshot knows its student")
        check.expect(view?.calendar, is: state.calendar, "a snapshot knows the school's year")
        state.window = nil
        try await store.commit(commit { $0.sources = [SourceUpdate(source: "s", state: state)] })
        check.expect(try await store.view(of: "s")?.records.count, is: 3, "a whole list has no window")
        state.isLearnt = false
        try await store.commit(commit { $0.sources = [SourceUpdate(source: "s", state: state)] })
        check.expect(try await store.view(of: "s") == nil, "what was never learnt has no snapshot")
    }

    @Sendable static func worldsAndMemory(_ store: any StateStore, _ check: inout Conformance) async throws {
        let world = WorldState(revision: 2, isPresent: false, facts: ["state": "d"], kinds: ["lesson.cancelled": 2])
        try await store.commit(
            commit {
                $0.worlds = ["w": world]
                $0.memory = ["r": ["held": [.timestamp(now)]], "q": 1]
            }
        )
        check.expect(try await store.worlds(["w", "other"]), is: ["w": world], "known things of the world come back")
        check.expect(
            try await store.policyMemory(),
            is: ["r": ["held": [.timestamp(now)]], "q": 1],
            "policies remember"
        )
        try await store.commit(commit { $0.memory = ["q": .null] })
        check.expect(try await store.policyMemory().keys.sorted(), is: ["r"], "null forgets a policy's memory")
        let steps = [["r": 1, "p": 1, "q": 1], ["r": 2, "p": .null], ["q": .null], ["q": 3]] as [[String: Value]]
        try await store.commit(steps.map { memory in commit { $0.memory = memory } })
        check.expect(
            try await store.policyMemory(),
            is: ["r": 2, "q": 3],
            "of several steps in one transaction a policy remembers what the last of them knows"
        )
    }

    static func event(_ id: String, at instant: Timestamp = now) -> Event {
        Event(
            id: id,
            worldID: "w\(id)",
            kind: "lesson.cancelled",
            at: instant,
            source: "s",
            account: "rossi",
            student: Student(id: "11", name: "Ä"),
            record: record("a"),
            old: record("a", "before"),
            changes: [FieldChange(field: "text", old: "before", new: "x")],
            revision: 2
        )
    }

    @Sendable static func journal(_ store: any StateStore, _ check: inout Conformance) async throws {
        let events = [event("1"), event("2", at: now + .seconds(1))]
        let note = RuleNote(rule: "r", about: "1", outcome: .conditionFalse, reason: "false")
        try await store.commit(
            commit {
                $0.events = events
                $0.notes = [note]
            }
        )
        try await store.commit(commit { $0.events = [event("1")] })
        let found = try await store.events(since: now, limit: 10)
        check.expect(found, is: Array(events.reversed()), "events come back once, as they were, latest first")
        check.expect(try await store.events(since: now, limit: 1).map(\.id), is: ["2"], "a limit is kept")
        check.expect(try await store.notes(about: "1"), is: [note], "notes are found by what they are about")
        check.expect(try await store.fingerprintKey().count, is: 32, "a key for fingerprints has 32 bytes")
    }

    @Sendable static func health(_ store: any StateStore, _ check: inout Conformance) async throws {
        let rest = AccountRest(fingerprint: "f", since: now, error: "refused")
        let sink = SinkState(
            memo: ["chat": 5],
            health: Health(failures: 1, since: now, error: "e"),
            restFingerprint: "g",
            recipients: [
                "anna": RecipientState(notBefore: now + .minutes(1)), "luca": RecipientState(goneFingerprint: "h"),
            ]
        )
        let rule = Health(failures: 3, told: "rule.failing")
        try await store.commit(
            commit {
                $0.rests = ["rossi": rest]
                $0.sinks = ["mail": sink]
                $0.rules = ["r": rule]
            }
        )
        check.expect(try await store.rests(), is: ["rossi": rest], "account rests come back")
        check.expect(try await store.sinks(), is: ["mail": sink], "sinks' states come back")
        check.expect(try await store.rules(), is: ["r": rule], "rules' health comes back")
        try await store.commit(commit { $0.endedRests = ["rossi"] })
        check.expect(try await store.rests(), is: [:], "rests end")
    }

    /// One process settles what it sent while another ends a rest.
    @Sendable static func endedRests(_ store: any StateStore, _ check: inout Conformance) async throws {
        let known = SinkState(
            memo: 1,
            health: Health(failures: 4, notBefore: now + .hours(1)),
            restFingerprint: "g",
            recipients: [
                "anna": RecipientState(goneFingerprint: "g"), "luca": RecipientState(notBefore: now + .hours(1)),
            ]
        )
        try await store.commit(commit { $0.sinks = ["mail": known] })
        try await store.commit(commit { $0.endedSinkRests = ["mail", "unknown"] })
        let ended = try await store.sinks()
        let rested = SinkState(memo: 1, health: Health(failures: 4), availableSince: now)
        check.expect(ended, is: ["mail": rested], "a sink's rest ends, and with it the wait after its failures")
        var settled = known
        settled.memo = 2
        settled.recipients["mia"] = RecipientState(goneFingerprint: "g")
        try await store.commit(
            commit {
                $0.sinks = ["mail": settled]
                $0.knownSinks = ["mail": known]
            }
        )
        let after = try await store.sinks()["mail"]
        check.expect(after?.memo, is: 2, "what was settled meanwhile is written")
        check.expect(after?.restFingerprint == nil, "a rest that another has ended stays ended")
        check.expect(after?.health.notBefore == nil, "a wait that another has ended stays ended")
        check.expect(after?.availableSince, is: now, "since when it could be tried stays known")
        check.expect(after?.recipients.keys.sorted(), is: ["mia"], "a recipient's pause that another has ended, too")
        settled.restFingerprint = "h"
        try await store.commit(
            commit {
                $0.sinks = ["mail": settled]
                $0.knownSinks = ["mail": known]
            }
        )
        check.expect(try await store.sinks()["mail"]?.restFingerprint, is: "h", "a rest of other settings begins")
    }

    @Sendable static func schedule(_ store: any StateStore, _ check: inout Conformance) async throws {
        let slot = Slot(rule: "r", key: "2026-11-30T10:30", due: now, grace: .minutes(30))
        let other = Slot(rule: "q", key: slot.key, due: now, grace: .minutes(30))
        check.expect(try await store.checkedThrough() == nil, "nothing was looked for before the first time")
        try await store.commit(
            commit {
                $0.slots = [slot]
                $0.checkedThrough = now
            }
        )
        check.expect(try await store.fired([slot, other]), is: [slot], "slots are remembered by rule and key")
        check.expect(try await store.checkedThrough(), is: now, "the last look is remembered")
        try await store.commit(commit { $0.slots = [slot] })
        check.expect(try await store.checkedThrough(), is: now, "a commit without a look leaves the last one")
    }
}
