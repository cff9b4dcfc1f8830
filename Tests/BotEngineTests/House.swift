import BotCore
import BotTestKit
import Synchronization
import Values

@testable import BotEngine

/// Monday 2026-11-30, 08:00 in Rome.
let start = Timestamp(rfc3339: "2026-11-30T07:00:00Z") ?? Timestamp(seconds: 0)

func lesson(_ key: String, _ text: String = "planned", world: String? = nil) -> Record {
    Record(key: key, type: "lesson", fields: ["text": .string(text)], worldKey: world)
}

/// A whole bot on a clock that stands still, except for what a test moves.
final class House: Sendable {
    let clock = ManualClock(start)
    let store: any StateStore
    let setup: EngineSetup
    let seed: UInt64
    let lines = Mutex<[String]>([])

    init(
        _ store: any StateStore = MemoryStore(),
        sources: [SourceSetup],
        sinks: [SinkSetup],
        accounts: [AccountSetup] = [],
        rules: any Rules,
        inactive: [InactiveRule] = [],
        seed: UInt64 = 1
    ) {
        self.store = store
        self.seed = seed
        setup = EngineSetup(
            sources: sources,
            sinks: sinks,
            accounts: accounts,
            rules: rules,
            inactiveRules: inactive
        )
    }

    /// An engine as after a start of the process, on what the store holds.
    func engine(on store: (any StateStore)? = nil) -> Engine {
        let log = Log { level, line in self.lines.withLock { $0.append("\(level): \(line)") } }
        let jitter = SeededGenerator(seed: seed)
        return Engine(setup, store: store ?? self.store, clock: clock, jitter: jitter, log: log)
    }

    func started() async throws(StateError) -> Engine {
        let engine = engine()
        try await engine.begin()
        return engine
    }

    /// Lets everything happen that is due now, and what follows from it at once.
    /// - Returns: when something is due next.
    @discardableResult
    func settle(_ engine: Engine) async throws(StateError) -> Timestamp? {
        while true {
            let (next, isSettled) = try await engine.settlingTurn()
            // While the disk is full, what has ended waits to be settled.
            if let held = await engine.heldUntil { return held }
            if isSettled {
                if let next, next <= clock.now { continue }
                return next
            }
            if await !engine.activity.isIdle { await engine.waker.sleep(until: nil) }
        }
    }

    /// Moves the clock from one due moment to the next up to an end.
    func run(_ engine: Engine, for span: TimeSpan) async throws(StateError) {
        let end = clock.now + span
        var next = try await settle(engine)
        while let due = next, due <= end {
            clock.set(to: due)
            next = try await settle(engine)
        }
        clock.set(to: end)
        try await settle(engine)
    }

    /// Polls a source now, whatever its interval.
    func poll(_ engine: Engine, _ source: String = "timetable") async throws(StateError) {
        await engine.setDue(source, clock.now)
        try await settle(engine)
    }
}

extension Engine {
    func setDue(_ source: String, _ instant: Timestamp) { plan.set(source, due: instant) }
}

func source(
    _ name: String = "timetable",
    _ provider: any Provider,
    account: String = "",
    world: String = "",
    every interval: TimeSpan = .minutes(60)
) -> SourceSetup {
    SourceSetup(
        name: name,
        provider: provider,
        schema: SourceSchema(records: [RecordShape("lesson", fields: [FieldShape("text", .string)])], events: []),
        account: account,
        world: world,
        zone: Zone("Europe/Rome") ?? .utc,
        interval: PollInterval(interval)
    )
}

func isHealth(_ event: Event) -> Bool { ["source", "sink", "rule"].contains(event.record.type) }

/// A step that queues a message for `chat`.
func queueing(_ text: String) -> Commit {
    let payload = Payload(
        id: "p",
        message: "p",
        rule: "a",
        sink: "chat",
        recipient: "",
        createdAt: start,
        text: text,
        content: .string(text)
    )
    var commit = Commit(at: start)
    commit.payloads = [OutgoingPayload(payload)]
    return commit
}

/// Lessons to `chat`, the bot's own health to `admin`.
let usualRules = PlainRules([
    .init("lessons", to: "chat") { !isHealth($0) },
    .init("admin", to: "admin", wants: isHealth),
])

/// Waits, without a clock, for something that other tasks bring about.
func eventually(_ condition: () async -> Bool) async -> Bool {
    for _ in 0..<100_000 {
        if await condition() { return true }
        await Task.yield()
    }
    return false
}
