public import BotCore
public import Values

/// What every store keeps of the contract in `StateStore`.
public enum StoreConformance {
    /// Runs all cases, each on a new, empty store.
    /// - Returns: what does not hold; empty for a store that conforms.
    public static func failures(_ make: @Sendable () async throws -> any StateStore) async -> [String] {
        var failures: [String] = []
        let cases: [(String, @Sendable (any StateStore, inout Conformance) async throws -> Void)] = [
            ("records", records), ("era", keysAndWindows), ("answers", likeAnswers), ("questions", questions),
            ("view", view),
            ("worlds and memory", worldsAndMemory),
            ("journal", journal), ("health", health), ("ended rests", endedRests), ("schedule", schedule),
            ("retention", retention),
            ("names out of use", strangers), ("gone records", tombstones),
            ("claims", claims), ("lanes", lanes), ("pauses", pauses), ("parts", parts), ("outcomes", outcomes),
            ("stale", stale),
            ("requeue", requeue), ("withdrawing", withdrawing), ("atomic ids", knownIDs),
        ]
        for (name, run) in cases {
            var conformance = Conformance(name)
            do {
                let store = try await make()
                try await run(store, &conformance)
                await store.close()
            } catch {
                failures.append("\(name): \(error)")
            }
            failures += conformance.failures
        }
        return failures
    }

    static let now = Timestamp(seconds: 1_796_000_000)
    static let day = CalendarDate(dayNumber: 20_787)

    static func record(_ key: String, on date: CalendarDate? = day, _ text: String = "x") -> Record {
        Record(
            key: key,
            type: "lesson",
            date: date,
            fields: ["text": .string(text), "start": .timestamp(now), "length": .duration(.minutes(50)), "mark": 7.0],
            likeness: "like \(key)",
            worldKey: "world \(key)"
        )
    }

    static func learntState() -> SourceState {
        var state = SourceState()
        state.isLearnt = true
        state.era = "2026"
        state.memo = ["etag": "abc", "at": .timestamp(now)]
        state.learntDates = [day, day.adding(days: 1), day.adding(days: 5)]
        state.window = DateWindow(day, through: day.adding(days: 6))
        state.student = Student(id: "11", name: "Ä ß")
        state.account = "rossi"
        let holiday = SchoolCalendar.Holiday(name: "Weihnachten", days: DateWindow(day, through: day))
        state.calendar = SchoolCalendar(years: [DateWindow(day, through: day.adding(days: 200))], holidays: [holiday])
        state.takenAt = now
        state.attemptedAt = now + .seconds(1)
        state.emptySince = now - .seconds(5)
        state.health = Health(
            failures: 2,
            since: now,
            error: "e",
            evidence: "<html>",
            told: "source.failing",
            notBefore: now + .minutes(1),
            revision: 4
        )
        return state
    }

    static func commit(_ change: (inout Commit) -> Void) -> Commit {
        var commit = Commit(at: now)
        change(&commit)
        return commit
    }

    static func payload(
        _ id: String,
        sink: String = "mail",
        recipient: String = "",
        orderKey: String = "",
        part: Int = 1,
        parts: Int = 1,
        message: String? = nil,
        expires: Timestamp? = nil
    ) -> Payload {
        Payload(
            id: id,
            message: message ?? id,
            rule: "rule",
            sink: sink,
            recipient: recipient,
            part: part,
            parts: parts,
            orderKey: orderKey,
            createdAt: now,
            expires: expires,
            text: "text of \(id)",
            content: ["subject": "s", "bytes": .bytes([1, 2])]
        )
    }

    static func queue(_ payloads: [Payload], in store: any StateStore) async throws {
        try await store.commit(commit { $0.payloads = payloads.map { OutgoingPayload($0) } })
    }

    static func claim(
        _ store: any StateStore,
        at now: Timestamp = now,
        _ places: [String: Int] = ["mail": 10]
    ) async throws -> [String] {
        try await store.claim(ClaimRequest(now: now, places: places)).payloads.map(\.payload.id)
    }
}

extension Memory {
    /// What is stored of one source.
    public func records(
        of source: String,
        from first: CalendarDate? = nil,
        answer: [Record] = []
    ) async throws(StateError) -> StoredRecords {
        try await records(for: [RecordQuestion(source, from: first, answer: answer)]).first ?? StoredRecords()
    }
}
