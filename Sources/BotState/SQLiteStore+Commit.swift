public import BotCore
import Values

extension SQLiteStore {
    public func commit(_ commits: [Commit]) throws(StateError) {
        try connection.transaction { () throws(StateError) in
            for commit in commits { try write(commit) }
            if let checked = commits.compactMap(\.checkedThrough).last {
                try connection.run("INSERT OR REPLACE INTO meta VALUES ('checked_through', ?1)", .time(checked))
            }
            // Only what the last of them knows stays. A rule that collects a digest remembers all of it, and to write that for each of
            // 500 answers was measured to take most of eight seconds.
            try writeMemory(commits.reduce(into: [:]) { $0.merge($1.memory) { _, new in new } })
        }
    }

    private func write(_ commit: Commit) throws(StateError) {
        for update in commit.sources { try write(update, at: commit.at) }
        for (key, world) in commit.worlds { try write(world, key, at: commit.at) }
        for event in commit.events { try write(event) }
        for note in commit.notes {
            try connection.run(
                "INSERT INTO note VALUES (?1, ?2, ?3, ?4, ?5)",
                .text(note.rule),
                .text(note.about),
                .text(note.outcome.rawValue),
                .text(note.reason),
                .time(commit.at)
            )
        }
        for settlement in commit.settlements { try settle(settlement) }
        for message in commit.withdrawn { try withdraw(message, at: commit.at) }
        for outgoing in commit.payloads where try isOfUse(outgoing) { try write(outgoing, at: commit.at) }
        try writeHealth(commit)
        try writeSchedule(commit)
    }

    private func writeMemory(_ memories: [String: Value]) throws(StateError) {
        for (rule, memory) in memories {
            if memory.isNull {
                try connection.run("DELETE FROM policy WHERE rule = ?1", .text(rule))
            } else {
                try connection.run("INSERT OR REPLACE INTO policy VALUES (?1, ?2)", .text(rule), .value(memory))
            }
        }
    }

    private func writeHealth(_ commit: Commit) throws(StateError) {
        for account in commit.endedRests { try connection.run("DELETE FROM rest WHERE account = ?1", .text(account)) }
        for (account, rest) in commit.rests {
            try connection.run(
                "INSERT OR REPLACE INTO rest VALUES (?1, ?2, ?3, ?4)",
                .text(account),
                .text(rest.fingerprint),
                .time(rest.since),
                .text(rest.error)
            )
        }
        try writeSinks(commit)
        for (name, health) in commit.rules {
            try connection.run(
                "INSERT OR REPLACE INTO rule VALUES (?1, ?2)",
                .text(name),
                .value(Rows.value(of: health))
            )
        }
        if commit.acknowledgesLoss { try connection.run("DELETE FROM meta WHERE key = 'memory_loss'") }
    }

    private func writeSinks(_ commit: Commit) throws(StateError) {
        if commit.sinks.isEmpty, commit.endedSinkRests.isEmpty { return }
        let mayDiffer = commit.knownSinks.values.contains { known in
            known.restFingerprint != nil || known.health.notBefore != nil || !known.recipients.isEmpty
        }
        let stored = mayDiffer || !commit.endedSinkRests.isEmpty ? try sinks() : [:]
        for (name, state) in commit.sinks {
            var state = state
            if let known = commit.knownSinks[name], let present = stored[name] {
                state = state.without(restsEndedIn: present, since: known)
            }
            try write(state, of: name)
        }
        for name in commit.endedSinkRests {
            guard var state = commit.sinks[name] ?? stored[name] else { continue }
            state.endRests(at: commit.at)
            try write(state, of: name)
        }
    }

    func write(_ state: SinkState, of sink: String) throws(StateError) {
        try connection.run(
            "INSERT OR REPLACE INTO sink VALUES (?1, ?2, ?3, ?4, ?5)",
            .text(sink),
            .value(state.memo),
            .value(Rows.value(of: state.health)),
            .text(state.restFingerprint),
            .time(state.availableSince)
        )
        try write(state.recipients, of: sink)
    }

    private func write(_ recipients: [String: RecipientState], of sink: String) throws(StateError) {
        try connection.run("DELETE FROM recipient WHERE sink = ?1", .text(sink))
        for (address, state) in recipients {
            try connection.run(
                "INSERT INTO recipient VALUES (?1, ?2, ?3, ?4)",
                .text(sink),
                .text(address),
                .time(state.notBefore),
                .text(state.goneFingerprint)
            )
        }
    }

    private func writeSchedule(_ commit: Commit) throws(StateError) {
        for slot in commit.slots {
            try connection.run(
                "INSERT OR IGNORE INTO slot VALUES (?1, ?2, ?3, ?4)",
                .text(slot.rule),
                .text(slot.key),
                .time(slot.due),
                .time(commit.at)
            )
        }
    }

    private func write(_ update: SourceUpdate, at now: Timestamp) throws(StateError) {
        let state = update.state
        try connection.run(
            """
            INSERT OR REPLACE INTO source VALUES
            (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """,
            .text(update.source),
            .flag(state.isLearnt),
            .text(state.era),
            .value(state.memo),
            .text(Rows.text(of: state.learntDates)),
            .date(state.window?.first),
            .date(state.window?.last),
            .text(state.student.id),
            .text(state.student.name),
            .text(state.account),
            .value(Rows.value(of: state.calendar)),
            .time(state.takenAt),
            .time(state.attemptedAt),
            .time(state.emptySince),
            .value(Rows.value(of: state.health))
        )
        for (key, revision) in update.gone {
            // What is gone is forgotten but for its number; its day stays, so that it leaves the memory with its day.
            try connection.run(
                """
                UPDATE record SET is_present = 0, revision = ?3, fields = 'null', likeness = NULL, world_key = NULL,
                    gone_at = ?4
                WHERE source = ?1 AND key = ?2
                """,
                .text(update.source),
                .text(key),
                .int(revision),
                .time(now)
            )
        }
        for stored in update.put { try write(stored, of: update.source) }
        if let day = update.forgetBefore {
            try connection.run("DELETE FROM record WHERE source = ?1 AND date < ?2", .text(update.source), .date(day))
        }
    }

    private func write(_ stored: StoredRecord, of source: String) throws(StateError) {
        let record = stored.record
        // To replace the row would also write its day anew in the index of days, which mostly stays.
        try connection.run(
            """
            INSERT INTO record (source, key, date, revision, is_present, type, fields, likeness, world_key)
            VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8)
            ON CONFLICT (source, key) DO UPDATE SET date = ?3, revision = ?4, is_present = 1, type = ?5, fields = ?6,
                likeness = ?7, world_key = ?8, gone_at = NULL
            """,
            .text(source),
            .text(record.key),
            .date(record.date),
            .int(stored.revision),
            .text(record.type),
            .value(.map(record.fields)),
            .text(record.likeness),
            .text(record.worldKey)
        )
    }

    private func write(_ world: WorldState, _ key: String, at now: Timestamp) throws(StateError) {
        try connection.run(
            "INSERT OR REPLACE INTO world VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            .text(key),
            .int(world.revision),
            .flag(world.isPresent),
            .value(Rows.value(of: world.facts)),
            .value(Rows.value(of: world.kinds)),
            .time(now)
        )
    }

    private func write(_ event: Event) throws(StateError) {
        try connection.run(
            """
            INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            ON CONFLICT (id) DO NOTHING
            """,
            .text(event.id),
            .text(event.worldID),
            .text(event.kind),
            .time(event.at),
            .text(event.source),
            .text(event.account),
            .text(event.student.id),
            .text(event.student.name),
            .value(Rows.value(of: event.record)),
            event.old.map { .value(Rows.value(of: $0)) } ?? .null,
            .value(Rows.value(of: event.changes)),
            .int(event.revision)
        )
    }

    private func write(_ outgoing: OutgoingPayload, at now: Timestamp) throws(StateError) {
        let place = try insert(
            outgoing.payload,
            isRepeat: false,
            isHealth: outgoing.isHealth,
            outgoing.deadReason == nil ? .queued : .dead,
            at: now
        )
        guard let place else { return }
        if let reason = outgoing.deadReason { try addAttempt(place, 1, at: now, "dead", reason) }
        try note(outgoing.students, asSubjectsOf: place)
    }

    /// Whose data is in a message that tells of no event: with them it is forgotten.
    func note(_ students: Set<Student>, asSubjectsOf place: Int64) throws(StateError) {
        for student in students where student != .nobody {
            try connection.run(
                "INSERT OR IGNORE INTO subject VALUES (?1, ?2, ?3)",
                .int(place),
                .text(student.id),
                .text(student.name)
            )
        }
    }

    /// A payload that nobody has tried to deliver here yet.
    /// - Returns: its place; nil where its id is known already, whose row stays as it is.
    func insert(
        _ payload: Payload,
        isRepeat: Bool,
        isHealth: Bool,
        _ state: DeliveryState,
        at now: Timestamp
    ) throws(StateError) -> Int64? {
        try connection.run(
            """
            INSERT INTO payload (id, message, rule, sink, recipient, part, parts, order_key, lane, created_at, expires, text, content,
                is_repeat, is_health, state, at, attempts)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, 0)
            ON CONFLICT (id) DO NOTHING
            """,
            .text(payload.id),
            .text(payload.message),
            .text(payload.rule),
            .text(payload.sink),
            .text(payload.recipient),
            .int(payload.part),
            .int(payload.parts),
            .text(payload.orderKey),
            .text(payload.lane),
            .time(payload.createdAt),
            .time(payload.expires),
            .text(payload.text),
            .value(payload.content),
            .flag(isRepeat),
            .flag(isHealth),
            .text(state.rawValue),
            .time(now)
        )
        return connection.changes > 0 ? connection.lastPlace : nil
    }
}
