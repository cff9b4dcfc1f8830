import BotCore
import Values

extension StoreConformance {
    @Sendable static func claims(_ store: any StateStore, _ check: inout Conformance) async throws {
        let payloads = [payload("1"), payload("2"), payload("3", sink: "chat"), payload("4")]
        try await queue(payloads, in: store)
        check.expect(try await store.nextDue(of: ["mail"]), is: now, "what is queued is due at once")
        check.expect(
            try await claim(store, ["mail": 2]),
            is: ["1", "2"],
            "a claim takes what it has places for, in order"
        )
        check.expect(
            try await store.interrupted().map(\.payload),
            is: Array(payloads[..<2]),
            "claimed payloads are on disk"
        )
        check.expect(
            try await claim(store),
            is: ["4"],
            "what is claimed is not claimed again, and other sinks are left"
        )
        check.expect(try await claim(store), is: [], "nothing is left for the sink")
        check.expect(try await store.nextDue(of: ["mail"]) == nil, "nothing waits for the sink")
        check.expect(try await store.nextDue(of: ["mail", "chat"]), is: now, "the other sink's payload still waits")
        check.expect(try await store.counts(), is: [.sending: 3, .queued: 1], "counts are by state")
    }

    @Sendable static func lanes(_ store: any StateStore, _ check: inout Conformance) async throws {
        let lane = { (id: String) in payload(id, recipient: "anna", orderKey: "lesson 1") }
        let others = [
            payload("3", recipient: "luca", orderKey: "lesson 1"),
            payload("4", recipient: "anna", orderKey: "lesson 2"),
        ]
        try await queue([lane("1"), lane("2")] + others, in: store)
        check.expect(try await claim(store), is: ["1", "3", "4"], "one of a lane at a time, lanes side by side")
        check.expect(try await store.nextDue(of: ["mail"]) == nil, "what waits for its lane is not due")
        let later = now + .minutes(5)
        let retry = Settlement("1", .retry(at: later, mayHaveArrived: false), at: now)
        try await store.commit(commit { $0.settlements = [retry] })
        check.expect(try await claim(store), is: [], "a retry holds its lane")
        check.expect(try await store.nextDue(of: ["mail"]), is: later, "the retry is due next")
        check.expect(try await claim(store, at: later), is: ["1"], "a retry comes before what was queued after it")
        try await store.commit(commit { $0.settlements = [Settlement("1", .dead, at: later)] })
        check.expect(try await claim(store, at: later), is: ["2"], "what is dead holds up nobody")
    }

    @Sendable static func pauses(_ store: any StateStore, _ check: inout Conformance) async throws {
        try await queue([payload("1", recipient: "anna"), payload("2", recipient: "luca")], in: store)
        let later = now + .minutes(5)
        let paused = SinkState(recipients: ["anna": RecipientState(notBefore: later)])
        try await store.commit(commit { $0.sinks = ["mail": paused] })
        check.expect(try await store.nextDue(of: ["mail"]), is: now, "who is not paused is due")
        check.expect(try await claim(store), is: ["2"], "nothing is claimed for who is paused")
        check.expect(try await store.nextDue(of: ["mail"]), is: later, "what waits for a pause is due at its end")
        try await queue([payload("3", recipient: "anna")], in: store)
        check.expect(try await claim(store, at: later - .seconds(1)), is: [], "what is queued in a pause waits, too")
        check.expect(try await claim(store, at: later), is: ["1", "3"], "the pause ends")
        try await queue([payload("4", recipient: "anna")], in: store)
        let past = now - .days(2)
        check.expect(
            try await claim(store, at: past),
            is: ["4"],
            "a pause from a clock that was ahead counts for nothing"
        )
    }

    @Sendable static func parts(_ store: any StateStore, _ check: inout Conformance) async throws {
        let all = (1...3).map { payload("m\($0)", part: $0, parts: 3, message: "m") }
        try await queue(all, in: store)
        check.expect(try await claim(store), is: ["m1"], "parts go one after the other")
        try await store.commit(commit { $0.settlements = [Settlement("m1", .delivered(remoteID: nil), at: now)] })
        check.expect(try await claim(store), is: ["m2"], "the next part follows")
        try await store.commit(commit { $0.settlements = [Settlement("m2", .dead, at: now, answer: "too long")] })
        check.expect(try await store.counts(), is: [.delivered: 1, .dead: 2], "with a part die the later ones alone")
    }

    @Sendable static func outcomes(_ store: any StateStore, _ check: inout Conformance) async throws {
        let ids = ["done", "doubtful", "held", "dropped", "free"]
        try await queue(ids.map { payload($0) }, in: store)
        _ = try await claim(store)
        let due = now + .seconds(5)
        try await store.commit(
            commit {
                $0.settlements = [
                    Settlement("done", .delivered(remoteID: "far"), at: now, answer: "ok"),
                    Settlement("doubtful", .retry(at: due, mayHaveArrived: true), at: now, answer: "cut"),
                    Settlement("held", .held, at: now), Settlement("dropped", .dropped, at: now),
                    Settlement("free", .released, at: now), Settlement("unknown", .dead, at: now),
                ]
            }
        )
        let done = try await store.deliveries(in: [.delivered], limit: 5).first
        check.expect(done?.remoteID, is: "far", "the far end's id is kept")
        check.expect(
            done?.attempts ?? [],
            is: [Attempt(at: now, outcome: "delivered", answer: "ok")],
            "every try is kept with its answer"
        )
        check.expect(done?.payload, is: payload("done"), "a payload comes back as it was")
        check.expect(
            try await store.counts(),
            is: [.delivered: 1, .queued: 2, .held: 1, .dropped: 1],
            "each outcome has its state"
        )
        let again = try await store.claim(ClaimRequest(now: due, places: ["mail": 5])).payloads
        check.expect(again.map(\.payload.id), is: ["doubtful", "free"], "what is due again is claimed again")
        check.expect(again.map(\.payload.isRepeat), is: [true, false], "what may have arrived is marked as a repeat")
        check.expect(again.map(\.attempts), is: [1, 0], "tries are counted, and what was not begun was no try")
        let retry = Settlement("doubtful", .retry(at: due, mayHaveArrived: false), at: due)
        try await store.commit(commit { $0.settlements = [retry] })
        let third = try await store.claim(ClaimRequest(now: due, places: ["mail": 5])).payloads
        check.expect(third.map(\.payload.isRepeat), is: [true], "a mark of a possible repeat stays")
    }

    @Sendable static func stale(_ store: any StateStore, _ check: inout Conformance) async throws {
        let end = now + .minutes(1)
        try await queue(
            [payload("1", expires: end), payload("2", sink: "chat", expires: end), payload("3")],
            in: store
        )
        check.expect(try await store.nextDue(of: ["chat"]), is: now, "what can expire is due at once too")
        let claim = try await store.claim(ClaimRequest(now: end, places: ["mail": 5]))
        check.expect(claim.stale.map(\.id), is: ["1", "2"], "what has expired is dropped, whatever its sink")
        check.expect(claim.payloads.map(\.payload.id), is: ["3"], "what has not is claimed")
        check.expect(
            try await store.deliveries(in: [.dropped], limit: 5).map(\.attempts.count),
            is: [1, 1],
            "the drop is recorded"
        )
        let far = commit { $0.payloads = [OutgoingPayload(payload("4"))] }
        try await store.commit(far)
        _ = try await StoreConformance.claim(store)
        let ahead = Settlement("4", .retry(at: now + .days(365), mayHaveArrived: false), at: now)
        try await store.commit(commit { $0.settlements = [ahead] })
        check.expect(
            try await StoreConformance.claim(store, at: now + .seconds(1)),
            is: ["4"],
            "what seems to wait for longer than anything may is due: the clock was ahead"
        )
    }

    @Sendable static func requeue(_ store: any StateStore, _ check: inout Conformance) async throws {
        let dead = OutgoingPayload(payload("dead", expires: now), deadReason: "no such address")
        let formless = OutgoingPayload(
            Payload(
                id: "f",
                message: "f",
                rule: "r",
                sink: "mail",
                recipient: "",
                createdAt: now,
                text: "",
                content: .null
            ),
            deadReason: "cannot be put into form"
        )
        try await store.commit(commit { $0.payloads = [dead, formless, OutgoingPayload(payload("held"))] })
        _ = try await claim(store)
        try await store.commit(commit { $0.settlements = [Settlement("held", .held, at: now)] })
        check.expect(
            try await store.deliveries(in: [.dead], limit: 5).last?.attempts.first?.answer,
            is: "no such address",
            "why a letter is dead is kept"
        )
        check.expect(try await store.requeue(["none"], at: now), is: 0, "unknown ids queue nothing")
        let later = now + .days(20)
        check.expect(try await store.requeue(nil, at: later), is: 2, "dead and held ones that have content are queued")
        let claimed = try await store.claim(ClaimRequest(now: later, places: ["mail": 5])).payloads
        check.expect(claimed.map(\.queuedAt), is: [later, later], "they count as queued when they were queued by hand")
        check.expect(try await store.interrupted(), is: claimed, "what is found on its way is what was claimed")
        check.expect(claimed.map(\.payload.id), is: ["dead", "held"], "they are sent although they had expired")
        check.expect(claimed.map(\.payload.isRepeat), is: [false, true], "what may have arrived is marked as a repeat")
    }

    @Sendable static func knownIDs(_ store: any StateStore, _ check: inout Conformance) async throws {
        try await queue([payload("1")], in: store)
        _ = try await claim(store)
        try await store.commit(commit { $0.settlements = [Settlement("1", .delivered(remoteID: nil), at: now)] })
        try await queue([payload("1", recipient: "other")], in: store)
        check.expect(try await store.counts(), is: [.delivered: 1], "a payload whose id is known is not queued again")
    }
}
