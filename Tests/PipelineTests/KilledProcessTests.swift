import BotCore
import BotTestKit
import Foundation
import Glibc
import Testing
import Values

@testable import SchoolSimulator

/// SIGKILL at every step between poll and settle, in a process of its own each time; then the program itself goes on with what is on disk.
@Suite struct KilledProcessTests {
    /// How many stories are played: 10, or what `KILL_SEEDS` says; `scripts/test --all` plays 200.
    static let seeds = UInt64(ProcessInfo.processInfo.environment["KILL_SEEDS"] ?? "") ?? 10

    /// What happens to the list between two polls, and which messages one of the hooks refuses for good.
    private struct Story {
        var before: [Int: String] = [:]
        var after: [Int: String] = [:]
        var refused: Set<String> = []

        init(seed: UInt64) {
            var chance = SeededGenerator(seed: seed)
            for id in 1...Int.random(in: 1...4, using: &chance) {
                before[id] = "\(id) old"
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: after[id] = "\(id) old"
                case 1: break
                default: after[id] = "\(id) changed"
                }
            }
            // At least one message, and an answer that is not suddenly empty.
            after[9] = "9 added"
            refused = Set(
                (Array(before.values) + Array(after.values)).filter { _ in Int.random(in: 0..<4, using: &chance) == 0 }
            )
        }

        /// What must arrive at each hook, refused or not.
        var told: [String] {
            Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
                .map { after[$0] ?? before[$0] ?? "" }.sorted()
        }
    }

    /// A town in which the story's first list is learnt, and copies of its state.
    private struct Scene {
        let story: Story
        let town: FeedTown
        private var learnt: URL { town.folder.appending(path: "learnt") }
        private var report: String { town.folder.appending(path: "report").path }

        init(seed: UInt64) throws {
            let story = Story(seed: seed)
            self.story = story
            town = try FeedTown()
            town.far.on("/hook/two") { request in
                story.refused.contains(request.json?["data"]["title"].string ?? "")
                    ? .text("too long", status: 400) : .text("ok")
            }
        }

        /// Starts from a memory that knows the first list.
        func begin() throws {
            try? FileManager.default.removeItem(at: town.state)
            try FileManager.default.copyItem(at: learnt, to: town.state)
            town.far.forgetArrivals()
        }

        func learn() async throws {
            town.far.show(story.before)
            #expect(try await town.run("once").status == 0)
            try FileManager.default.moveItem(at: town.state, to: learnt)
            town.far.show(story.after)
        }

        /// - Returns: the steps that came, the last one last.
        func die(at step: String) async throws -> [String] {
            let (config, report) = (town.config, report)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [config = config as String, step = step as String, report = report as String] in
                try await MortalHouse.run(config: config, fatal: step, report: report)
            }
            let said = String(decoding: try Data(contentsOf: URL(filePath: report)), as: UTF8.self)
            return said.split(separator: "\n").map(String.init)
        }

        /// Starts from a folder without a memory.
        func beginFromNothing() throws {
            try? FileManager.default.removeItem(at: town.state)
            town.far.forgetArrivals()
            town.far.show(story.before)
        }

        /// - Returns: whether the program came so far.
        func killProgram(at call: String, _ number: Int) async throws -> Bool {
            let status = try await town.run("once", launcher: Tracing.killing(at: call, number)).status
            #expect([-SIGKILL, 0, 1].contains(status), "\(call) \(number)")
            return status == -SIGKILL
        }

        /// The first list is learnt, whatever a run before has left; only what comes after it is told.
        func learnAndGoOn(after step: String) async throws {
            let end = try await town.run("once")
            #expect(end.status == 0 && town.far.arrivals == [], "\(step): \(end.errors)")
            town.far.show(story.after)
            try await goOn(after: step)
        }

        /// Goes on with the program itself, and holds what has arrived against what must.
        func goOn(after step: String) async throws {
            let claimed = Set(try await town.deliveries(in: [.sending]).map(\.payload.id))
            let end = try await town.run("once")
            #expect([0, 1].contains(end.status), "\(step): \(end.errors)")
            let arrivals = town.far.arrivals
            for hook in ["one", "two"] {
                let ids = arrivals.filter { $0.hook == hook }.map(\.id)
                let counts = Dictionary(ids.map { ($0, 1) }, uniquingKeysWith: +)
                let titles = Set(arrivals.filter { $0.hook == hook }).map(\.title).sorted()
                #expect(titles == story.told, "\(step): lost or under another id at \(hook)")
                let repeated = counts.filter { $0.value > 1 }
                #expect(repeated.values.allSatisfy { $0 == 2 }, "\(step): three times")
                #expect(claimed.isSuperset(of: repeated.keys), "\(step): repeated, and was not claimed")
            }
            let isRefused = story.told.contains(where: story.refused.contains)
            #expect(arrivals.contains { $0.hook == "admin" } == isRefused, "\(step): what died is told")
            #expect(try await town.deliveries(in: [.queued, .sending, .held]).isEmpty, "\(step)")
        }
    }

    @Test(arguments: 0..<seeds)
    func `STATE-03 whichever step the process is killed at, nothing is lost and at most what was claimed comes again`(
        seed: UInt64
    ) async throws {
        let scene = try Scene(seed: seed)
        defer { scene.town.close() }
        try await scene.learn()
        try scene.begin()
        let steps = try await scene.die(at: "none")
        try await scene.goOn(after: "the end")
        var fatal: Set<String> = []
        for step in steps {
            try scene.begin()
            let reached = try await scene.die(at: step)
            let last = reached.last ?? ""
            try await scene.goOn(after: last)
            // Another thread may still have come to its own step before the signal.
            fatal.insert(String((reached.contains(step) ? step : last).prefix { !$0.isNumber }))
        }
        // A run may need a claim or a commit less than the first one did; of each kind some were met.
        let kinds = ["commit", "claim", "prune", "fetch", "send"].flatMap { ["before \($0) ", "after \($0) "] }
        #expect(fatal == Set(kinds + ["end "]))
    }

    @Test func `whichever step the first run of all is killed at, nothing is told of what was there`() async throws {
        let scene = try Scene(seed: 1)
        defer { scene.town.close() }
        try scene.beginFromNothing()
        let steps = try await scene.die(at: "none")
        for step in steps {
            try scene.beginFromNothing()
            _ = try await scene.die(at: step)
            try await scene.learnAndGoOn(after: step)
        }
        #expect(steps.contains("before commit 1") && steps.contains("after fetch 1"))
    }

    /// The system calls that leave something on the disk.
    static let calls = ["pwrite64", "fdatasync", "fsync", "ftruncate", "rename", "unlink"]

    /// Not between steps but within them: half a transaction in the journal, a database that is half made.
    @Test(.enabled(if: Tracing.isPossible, Tracing.whyNot), arguments: calls)
    func `STATE-03 at whichever call of the system the program itself is killed, nothing is lost or told twice`(
        call: String
    ) async throws {
        let scene = try Scene(seed: 1)
        defer { scene.town.close() }
        try await scene.learn()
        for number in 1... {
            try scene.begin()
            let isKilled = try await scene.killProgram(at: call, number)
            try await scene.goOn(after: "\(call) \(number)")
            if !isKilled { break }
        }
        for number in 1... {
            try scene.beginFromNothing()
            let isKilled = try await scene.killProgram(at: call, number)
            try await scene.learnAndGoOn(after: "first \(call) \(number)")
            if !isKilled { break }
        }
    }
}

/// `strace` can send a signal when a program enters a system call for the n-th time.
enum Tracing {
    private static let program = "/usr/bin/strace"
    /// Hundreds of ends more, which `scripts/test --all` takes the time for.
    static let isPossible =
        ProcessInfo.processInfo.environment["KILL_SEEDS"] != nil
        && (try? BotProcess(["version"], launcher: [program, "-f", "-qq", "-o", "/dev/null"]).wait().status) == 0
    static let whyNot: Comment = "needs KILL_SEEDS, strace, and the right to trace"

    /// Counts for each thread of the program by itself.
    static func killing(at call: String, _ number: Int) -> [String] {
        [
            program, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=SIGKILL:when=\(number)",
        ]
    }
}
