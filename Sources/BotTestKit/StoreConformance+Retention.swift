import BotCore
import Values

extension StoreConformance {
    private static let inUse = NamesInUse(sources: ["s"], sinks: ["mail"], rules: ["r"])

    @Sendable static func retention(_ store: any StateStore, _ check: inout Conformance) async throws {
        let slot = Slot(rule: "r", key: "k", due: now, grace: .zero)
        try await store.commit(
            commit {
                $0.events = [event("1"), event("2", at: now + .days(2))]
                $0.notes = [RuleNote(rule: "r", about: "1", outcome: .told, reason: "")]
                $0.payloads = [OutgoingPayload(payload("done")), OutgoingPayload(payload("waiting"))]
                $0.slots = [slot]
            }
        )
        _ = try await claim(store, ["mail": 1])
        try await store.commit(commit { $0.settlements = [Settlement("done", .delivered(remoteID: nil), at: now)] })
        try await store.prune(before: now + .days(1), keeping: inUse)
        check.expect(try await store.events(since: now, limit: 9).map(\.id), is: ["2"], "old events go")
        check.expect(try await store.notes(about: "1"), is: [], "old notes go")
        check.expect(try await store.counts(), is: [.queued: 1], "settled deliveries go, waiting ones never")
        check.expect(try await store.fired([slot]), is: [], "old slots go")
    }

    /// Two of everything, one of which no file names any more.
    @Sendable static func strangers(_ store: any StateStore, _ check: inout Conformance) async throws {
        let stored = [StoredRecord(record("a"), revision: 1)]
        try await store.commit(
            commit {
                $0.sources = ["s", "old"].map { SourceUpdate(source: $0, state: learntState(), put: stored) }
                $0.sinks = ["mail": SinkState(memo: 1), "chat": SinkState(memo: 2)]
                $0.rules = ["r": Health(failures: 1), "q": Health(failures: 1)]
                $0.payloads = ["mail", "chat"].map { OutgoingPayload(payload($0, sink: $0)) }
            }
        )
        try await store.prune(before: now, keeping: inUse)
        check.expect(try await store.sources().keys.sorted(), is: ["old", "s"], "what was asked lately is kept")
        check.expect(try await store.counts(), is: [.queued: 2], "what was queued lately is kept")
        check.expect(try await store.sinks().keys.sorted(), is: ["chat", "mail"], "a sink with deliveries is kept")
        check.expect(try await store.rules().keys.sorted(), is: ["r"], "the health of rules that are gone goes")
        try await store.prune(before: now + .days(1), keeping: inUse)
        check.expect(try await store.sources().keys.sorted(), is: ["s"], "sources that are gone go in time")
        check.expect(try await store.keys(of: "old"), is: [], "their records go with them")
        check.expect(try await store.keys(of: "s"), is: ["a"], "records of sources in use are kept")
        check.expect(
            try await store.deliveries(in: [.queued], limit: 9).map(\.payload.sink),
            is: ["mail"],
            "what waits for a sink that is gone goes in time"
        )
        check.expect(try await store.sinks().keys.sorted(), is: ["mail"], "then the sink goes too")
    }

    @Sendable static func tombstones(_ store: any StateStore, _ check: inout Conformance) async throws {
        let stored = ["a", "b"].map { StoredRecord(record($0, on: nil), revision: 1) }
        try await store.commit(
            commit { $0.sources = [SourceUpdate(source: "s", state: learntState(), put: stored)] }
        )
        try await store.commit(
            commit { $0.sources = [SourceUpdate(source: "s", state: learntState(), gone: ["a": 2])] }
        )
        try await store.prune(before: now + .days(364), keeping: inUse)
        check.expect(
            try await store.records(of: "s", from: nil, answer: []).gone,
            is: ["a": 2],
            "that a record is gone is known for a year"
        )
        try await store.prune(before: now + .days(366), keeping: inUse)
        let found = try await store.records(of: "s", from: nil, answer: [])
        check.expect(found.gone, is: [:], "and no longer")
        check.expect(found.present.map(\.record.key), is: ["b"], "what is not gone is kept for ever")
    }
}
