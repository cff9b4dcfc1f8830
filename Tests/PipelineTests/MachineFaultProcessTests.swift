import BotCore
import BotState
import Foundation
import Glibc
import Testing
import Values

@testable import SchoolSimulator
@testable import pokyh_bot

/// What the machine under the program does to it: disks, rights, damage, stops.
@Suite struct MachineFaultProcessTests {
    /// A town whose memory, with one item learnt, lies on a disk of one MiB; polls are due.
    private func townOnSmallDisk() async throws -> (town: FeedTown, disk: PrivateMount) {
        let town = try FeedTown()
        town.far.show([1: "old"])
        #expect(try await town.run("once").status == 0)
        try await makePollsDue(in: town.state)
        let learnt = town.folder.appending(path: "learnt")
        try FileManager.default.moveItem(at: town.state, to: learnt)
        let disk = try PrivateMount(
            on: town.state,
            "mount -t tmpfs -o size=1m,mode=700 tmpfs \"$1\" && cp -p '\(learnt.path)'/* \"$1\""
        )
        town.far.show([1: "new", 2: "added"])
        return (town, disk)
    }

    /// Lets a bot meet the full disk, makes room, and stops it when four messages have arrived.
    private func meetFullDisk(_ town: FeedTown, _ disk: PrivateMount) async throws -> (met: Bool, status: Int32) {
        let bell = Bell()
        town.far.onArrival { _ in bell.ring() }
        return try await onThread {
            let bot = try town.start("run", launcher: disk.launcher)
            let isFull = bot.line(with: "The disk with the state is full") != nil
            let isSilent = town.far.arrivals.isEmpty
            disk.makeRoom()
            let hasRoom = bot.line(with: "There is room on the disk again") != nil
            let haveArrived = bell.wait(times: 4)
            bot.signal(SIGTERM)
            return (isFull && isSilent && hasRoom && haveArrived, bot.wait().status)
        }
    }

    private func expectToldOnce(_ town: FeedTown, _ disk: PrivateMount) async throws {
        #expect(try await town.run("once", launcher: disk.launcher).status == 0)
        for hook in ["one", "two"] { #expect(town.far.titles(hook).sorted() == ["added", "new"]) }
        #expect(town.far.titles("admin") == [])
    }

    @Test(.enabled(if: Privileges.canMount, Privileges.whyNot))
    func `STATE-15 on a full disk nothing is sent, and all of it once when there is room again`() async throws {
        let (town, disk) = try await townOnSmallDisk()
        defer {
            disk.close()
            town.close()
        }
        try disk.fill()
        for _ in 0..<2 {
            let end = try await town.run("once", launcher: disk.launcher)
            #expect(end.status == 74 && end.errors.contains("is full") && end.errors.contains("Make room"), "\(end)")
        }
        #expect(try await meetFullDisk(town, disk) == (true, 0))
        try await expectToldOnce(town, disk)
    }

    @Test(.enabled(if: Privileges.canMount, Privileges.whyNot))
    func `STATE-15 what is seen when the disk has just filled is told when there is room, and once`() async throws {
        let (town, disk) = try await townOnSmallDisk()
        defer {
            disk.close()
            town.close()
        }
        // The disk fills between the question and the answer, once.
        town.far.on("/list") { [far = town.far] request in
            far.on("/list", nil)
            try? disk.fill()
            return far.answer(request)
        }
        #expect(try await meetFullDisk(town, disk) == (true, 0))
        try await expectToldOnce(town, disk)
    }

    @Test func `a folder that cannot be written is refused in words, and nothing is asked or sent`() async throws {
        let town = try FeedTown()
        defer { town.close() }
        town.far.show([1: "old"])
        #expect(try await town.run("once").status == 0)
        town.far.show([1: "new"])
        let before = try town.stateBytes()
        let end: BotProcess.End
        if geteuid() == 0 {
            guard Privileges.canMount else { return }
            let mount = try PrivateMount(
                on: town.state,
                "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\""
            )
            defer { mount.close() }
            end = try await town.run("once", launcher: mount.launcher)
        } else {
            chmod(town.state.path, 0o500)
            defer { chmod(town.state.path, 0o700) }
            end = try await town.run("once")
        }
        #expect(end.status == 74 && end.errors.contains("Give the bot's user write access"), "\(end)")
        #expect(town.far.arrivals.isEmpty)
        #expect(town.far.requests.count { $0.path == "/list" } == 1)
        #expect(try town.stateBytes() == before)
        #expect(try await town.run("once").status == 0)
        #expect(town.far.titles("one") == ["new"])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to be somebody else"))
    func `the state folder of another user is refused in words, and left as it is`() async throws {
        let town = try FeedTown()
        defer { town.close() }
        town.far.show([1: "old"])
        #expect(try await town.run("once").status == 0)
        let before = try town.stateBytes()
        let end = try await town.run("once", launcher: Privileges.stranger)
        #expect(end.status == 74 && end.errors.contains("Give the bot's user write access"), "\(end)")
        #expect(try town.stateBytes() == before)
    }

    enum Damage: String, CaseIterable, Sendable {
        case empty, nulls, cutInHalf, overwrittenInTheMiddle, byteOrderMark, garbage
        case lostJournal, garbageForJournal, halfAJournal

        /// The write-ahead log carries check sums: what is wrong in it is passed over, and an older memory goes on.
        var isOfJournal: Bool { self == .lostJournal || self == .garbageForJournal || self == .halfAJournal }

        func harm(_ state: URL) throws {
            let database = state.appending(path: "state.sqlite")
            let journal = state.appending(path: "state.sqlite-wal")
            let data = try Data(contentsOf: isOfJournal ? journal : database)
            switch self {
            case .empty: try Data().write(to: database)
            case .nulls: try Data(count: 4096).write(to: database)
            case .cutInHalf: try data.prefix(data.count / 2 / 4096 * 4096).write(to: database)
            case .overwrittenInTheMiddle:
                var harmed = data
                let middle = data.count / 2 / 4096 * 4096
                harmed.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0x5A, count: 4096))
                try harmed.write(to: database)
            case .byteOrderMark: try (Data([0xEF, 0xBB, 0xBF]) + data).write(to: database)
            case .garbage: try Data("<!DOCTYPE html>".utf8).write(to: database)
            case .lostJournal: try FileManager.default.removeItem(at: journal)
            case .garbageForJournal: try Data(repeating: 0x5A, count: data.count).write(to: journal)
            case .halfAJournal: try data.prefix(data.count / 2).write(to: journal)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `STATE-03 STATE-04 STATE-16 a damaged memory floods nobody, the admin hears of it, and news are told again`(
        damage: Damage
    ) async throws {
        let town = try FeedTown(send: ["one"])
        defer { town.close() }
        let marks = Dictionary(uniqueKeysWithValues: (1...37).map { ($0, "mark \($0)") })
        town.far.show(marks)
        if damage.isOfJournal {
            let hasLearnt = try await onThread {
                let bot = try town.start("run")
                defer {
                    bot.signal(SIGKILL)
                    bot.wait()
                }
                return bot.line(with: "first look") != nil
            }
            #expect(hasLearnt)
        } else {
            #expect(try await town.run("once").status == 0)
        }
        try damage.harm(town.state)

        let missed = Dictionary(uniqueKeysWithValues: (38...40).map { ($0, "mark \($0)") })
        town.far.show(marks.merging(missed) { first, _ in first })
        let end = try await town.run("once")
        #expect(end.status == 0, "\(end.errors)")
        if !damage.isOfJournal {
            #expect(town.far.titles("one") == [])
            #expect(town.far.titles("admin").count == 1 && end.errors.contains("set aside"), "\(end.errors)")
            #expect(try town.stateBytes().keys.count { $0.contains(".damaged-") } == 1)
        }
        // An older memory may know the 37 and not the three.
        #expect(Set(town.far.titles("one")).isSubset(of: missed.values))
        town.far.forgetArrivals()
        town.far.show(marks.merging(missed) { first, _ in first }.merging([41: "mark 41"]) { first, _ in first })
        for _ in 0..<2 { #expect(try await town.run("once").status == 0) }
        #expect(town.far.titles("one") == ["mark 41"])
        #expect(town.far.titles("admin") == [])
    }

    @Test func `a memory of a later version is refused with its number, and left as it is`() async throws {
        let town = try FeedTown()
        defer { town.close() }
        #expect(try await town.run("once").status == 0)
        let database = town.state.appending(path: "state.sqlite")
        var data = try Data(contentsOf: database)
        // The user version stands at byte 60 of the file's header (https://www.sqlite.org/fileformat.html, section 1.3).
        data.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try data.write(to: database)
        for command in ["once", "status"] {
            let end = try await town.run(command)
            #expect(end.status == 74 && end.errors.contains("format 99"), "\(end)")
        }
        #expect(try Data(contentsOf: database) == data)
    }

    @Test func `STATE-08 after SIGKILL the next run begins at once, whoever has the number of the dead process now`()
        async throws
    {
        let town = try FeedTown()
        defer { town.close() }
        let status = try await onThread {
            let bot = try town.start("run")
            _ = bot.line(with: "started")
            bot.signal(SIGKILL)
            return bot.wait().status
        }
        #expect(status == -SIGKILL)
        let lock = town.state.appending(path: "engine.lock")
        #expect(FileManager.default.fileExists(atPath: lock.path))
        #expect(try await town.run("once").status == 0)
        try Data("\(getpid())\n".utf8).write(to: lock)
        #expect(try await town.run("once").status == 0)
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `STATE-14 stopped in the middle of five deliveries, the rest comes after the next start, and nothing twice`(
        signal: Int32
    ) async throws {
        let town = try FeedTown(send: ["one"])
        defer { town.close() }
        town.far.show([0: "there"])
        #expect(try await town.run("once").status == 0)
        try await makePollsDue(in: town.state)
        town.far.show(Dictionary(uniqueKeysWithValues: (0...5).map { ($0, $0 == 0 ? "there" : "mark \($0)") }))
        // The far end takes its time; the signal comes while it does.
        town.far.on("/hook/one") { _ in
            var answer = ServedAnswer.text("ok")
            answer.delay = .milliseconds(500)
            return answer
        }
        let status = try await onThread {
            let bot = try town.start("run")
            let pid = bot.pid
            town.far.onArrival { _ in kill(pid, signal) }
            return bot.wait().status
        }
        #expect(status == (signal == SIGTERM ? 0 : -SIGKILL))
        town.far.onArrival(nil)
        town.far.on("/hook/one", nil)
        #expect(town.far.arrivals.count == 1)
        #expect(try await town.deliveries(in: [.queued]).count == 4)
        #expect(try await town.deliveries(in: [.delivered]).count == (signal == SIGTERM ? 1 : 0))

        #expect(try await town.run("once").status == 0)
        #expect(Set(town.far.arrivals).count == 5)
        #expect(town.far.arrivals.count == (signal == SIGTERM ? 5 : 6))
    }
}
