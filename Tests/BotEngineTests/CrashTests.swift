import BotCore
import BotTestKit
import Testing
import Values

@testable import BotEngine

/// The process ends at any step of the store; another one goes on with what is on disk.
@Suite struct CrashTests {
    /// Three polls with three changes, told by two rules through two sinks, one of which stumbles.
    private struct Scene {
        let store = MemoryStore()
        let chat: RecordingSink
        let mail: RecordingSink
        let house: House

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            let stumbles = (0..<6).map { _ -> RecordingSink.Answer in
                Bool.random(using: &generator) ? .taken : .refused(.transient("busy"))
            }
            chat = RecordingSink()
            mail = RecordingSink(stumbles, recipients: ["a", "b"], parts: 2)
            let answers = [[lesson("1")], [lesson("1", "x")], [lesson("1", "y"), lesson("2")]]
            let slot = Slot(rule: "daily", key: "2026-11-30T09:00", due: start + .minutes(60), grace: .hours(5))
            house = House(
                store,
                sources: [source("timetable", TimedProvider(answers: answers))],
                sinks: [
                    SinkSetup(name: "chat", sink: chat), SinkSetup(name: "mail", sink: mail, recognisesRepeats: true),
                ],
                rules: PlainRules(
                    [.init("a", to: "chat") { !isHealth($0) }, .init("b", to: "mail") { !isHealth($0) }],
                    schedule: [slot],
                    scheduleSink: "chat"
                ),
                seed: seed
            )
        }

        /// Runs engines until the day is over; the first one on a store with a fault.
        /// - Returns: the number of steps the first one took.
        func play(_ fault: FaultyStore.Fault?) async throws -> Int {
            let faulty = FaultyStore(store, fault)
            let end = start + .hours(4)
            do {
                let engine = house.engine(on: faulty)
                try await engine.begin()
                try await house.run(engine, for: end - house.clock.now)
            } catch {
                if !faulty.isDead { throw error }
            }
            if faulty.isDead {
                let engine = try await house.started()
                try await house.run(engine, for: end - house.clock.now)
            }
            return faulty.steps
        }

        /// One engine that lives through a fault.
        func playOver(_ fault: FaultyStore.Fault) async throws {
            let faulty = FaultyStore(store, fault)
            let engine = house.engine(on: faulty)
            while true {
                do {
                    try await engine.begin()
                    break
                } catch StateError.diskFull {
                    house.clock.advance(by: Engine.hold)
                }
            }
            try await house.run(engine, for: start + .hours(4) - house.clock.now)
        }

        /// What arrived, repeats taken out.
        func arrived(_ sink: RecordingSink) -> [String] {
            var seen: Set<String> = []
            return sink.arrived.filter { seen.insert($0.id).inserted }.map {
                "\($0.text)|\($0.content.plainText)|\($0.recipient)\($0.part)"
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `whichever step a process dies at, nothing is lost and only what was claimed is repeated`(seed: UInt64)
        async throws
    {
        let calm = Scene(seed: seed)
        let steps = try await calm.play(nil)
        let wanted = (chat: calm.arrived(calm.chat).sorted(), mail: calm.arrived(calm.mail).sorted())
        #expect(wanted.chat.count == 4)
        #expect(wanted.mail.count == 12)
        for step in 1...steps {
            for fault in [FaultyStore.Fault.diesBefore(step), .diesAfter(step)] {
                let scene = Scene(seed: seed)
                _ = try await scene.play(fault)
                #expect(scene.arrived(scene.chat).sorted() == wanted.chat, "\(fault)")
                #expect(scene.arrived(scene.mail).sorted() == wanted.mail, "\(fault)")
                // Two sinks with one place each: at most one payload of each was under way.
                let repeats =
                    scene.chat.arrived.count - wanted.chat.count + scene.mail.arrived.count - wanted.mail.count
                #expect(repeats <= 2, "\(fault)")
                let marked = scene.chat.tried.filter(\.isRepeat).count
                #expect(marked <= 1, "\(fault)")
                #expect(await scene.store.counts()[.sending] == nil, "\(fault)")
            }
        }
    }

    @Test func `STATE-15 a full disk holds everything, sends nothing twice, and is got over`() async throws {
        let calm = Scene(seed: 3)
        let steps = try await calm.play(nil)
        for step in 1...steps {
            let scene = Scene(seed: 3)
            _ = try await scene.playOver(.diskFull(step...step + 2))
            #expect(scene.arrived(scene.chat).sorted() == calm.arrived(calm.chat).sorted(), "\(step)")
            #expect(scene.arrived(scene.mail).sorted() == calm.arrived(calm.mail).sorted(), "\(step)")
            #expect(scene.chat.arrived.count == calm.chat.arrived.count, "\(step)")
            #expect(scene.mail.arrived.count == calm.mail.arrived.count, "\(step)")
        }
    }
}

/// A provider that shows what there is at each hour of the day, whoever asks and however often.
private struct TimedProvider: Provider {
    let answers: [[Record]]

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let hour = Int((request.now - start).seconds / 3600)
        return Snapshot(records: answers[min(max(hour, 0), answers.count - 1)])
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        ScriptedProvider.plainMeaning(difference, context)
    }
}
