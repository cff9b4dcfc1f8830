import BotCore
import BotEngine
import BotRules
import BotState
import BotTestKit
import Foundation
import Glibc
import Synchronization
import Values

@testable import pokyh_bot

/// Runs `once` with the program's own house, store and transports, and ends its process by SIGKILL at a step.
///
/// A step is what leaves something behind: every call of the store that writes, every question to a source and every delivery, each
/// before it begins and after it is done. Calls that only read leave nothing: an end there is an end right after the step before.
/// The product knows nothing of this: its parts are wrapped from outside, in a process that exists for nothing else.
enum MortalHouse {
    /// - Parameters:
    ///   - fatal: the step and which time it comes, such as `before claim 2`. Sinks and sources work side by side, so that a count over
    ///     all steps would mean another step in each run. A run without this step ends by SIGKILL all the same, after its last one.
    ///   - report: the file that lists the steps that came, the last one last.
    static func run(config: String, fatal: String, report: String) async throws {
        let reaper = Reaper(fatal: fatal, report: report)
        let world = World(environment: [:])
        let configuration = try Configuration.load(config, in: world)
        let live = try LiveMaterials(configuration, in: world, verbose: false)
        let store = try await SQLiteStore.open(folder: configuration.stateFolder, at: world.clock.now)
        let house = try House.build(
            configuration,
            with: live.materials,
            memos: try await store.sinks().mapValues(\.memo)
        )
        var setup = house.engineSetup(rules: configuration.rules.book)
        for index in setup.sources.indices {
            setup.sources[index].provider = MortalProvider(inner: setup.sources[index].provider, reaper: reaper)
        }
        for index in setup.sinks.indices {
            setup.sinks[index].sink = MortalSink(inner: setup.sinks[index].sink, reaper: reaper)
        }
        let engine = Engine(
            setup,
            store: FaultyStore(store, watch: reaper.pass),
            clock: world.clock,
            jitter: SystemRandomNumberGenerator(),
            log: .silent
        )
        _ = try await engine.runOnce()
        await store.close()
        await live.close()
        reaper.pass("end")
        reaper.strike()
    }
}

/// Notes steps, and ends the process at one of them.
final class Reaper: Sendable {
    private let fatal: String
    private let report: String
    private let steps = Mutex<[String]>([])

    init(fatal: String, report: String) {
        self.fatal = fatal
        self.report = report
    }

    func pass(_ kind: String) {
        // Under the lock: no other thread gets past its own step meanwhile.
        let isFatal = steps.withLock { steps in
            let step = "\(kind) \(steps.count { $0.hasPrefix(kind) } + 1)"
            steps.append(step)
            return step == fatal
        }
        if isFatal { strike() }
    }

    func strike() {
        steps.withLock { steps in
            try? Data(steps.joined(separator: "\n").utf8).write(to: URL(filePath: report))
            kill(getpid(), SIGKILL)
        }
    }
}

private struct MortalProvider: Provider {
    let inner: any Provider
    let reaper: Reaper

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        reaper.pass("before fetch")
        let snapshot = try await inner.fetch(request)
        reaper.pass("after fetch")
        return snapshot
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        inner.interpret(difference, in: context)
    }
}

private struct MortalSink: Sink {
    let inner: any Sink
    let reaper: Reaper

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        try inner.prepare(message, at: now)
    }

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        reaper.pass("before send")
        let receipt: Receipt
        do throws(PluginError) {
            receipt = try await inner.deliver(payload, at: now)
        } catch {
            reaper.pass("after send")
            throw error
        }
        reaper.pass("after send")
        return receipt
    }
}
