import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot retry NAME`.
enum RetryCommand {
    static let command = Command(
        "retry",
        operands: "ACCOUNT|SOURCE|SINK",
        "lets an account, a source or a sink that rests be tried again",
        details: [
            "An account rests when its login was refused, and so does a source that has none; a sink rests when its far end refuses every",
            "message. What waits for them is kept.",
            "A sink that waits longer and longer after failures is tried at once, too.",
            "A recipient of a sink who is gone (blocked the bot, has no mailbox any more) is sent nothing more; 'retry SINK' ends that too.",
            "Changing their settings ends the rest by itself; this does it when the fault was at the other end.",
        ],
        options: [CommandList.config],
        arity: 1...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let name = arguments.operands[0]
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let now = world.clock.now
        let found = try await StateReading.read(configuration) { store throws(StateError) in
            var commit = Commit(at: now)
            // A source without an account rests by itself.
            commit.endedRests = Set(try await store.rests().keys).intersection([name, "source \(name)"])
            if let sink = try await store.sinks()[name] {
                let waits = sink.health.notBefore.map { $0 > now } ?? false
                if waits || sink.restFingerprint != nil || !sink.recipients.isEmpty { commit.endedSinkRests = [name] }
            }
            guard !commit.endedRests.isEmpty || !commit.endedSinkRests.isEmpty else { return false }
            try await store.commit(commit)
            return true
        }
        guard found else {
            world.terminal.error(
                "no account, no source and no sink of the name '\(name)' rests or waits after failures; see pokyh-bot status"
            )
            return .somethingFailed
        }
        world.terminal.print("'\(name)' is tried again; a running bot notices within ten seconds")
        return .fine
    }
}
