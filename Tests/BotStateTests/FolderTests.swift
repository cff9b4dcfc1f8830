import BotCore
import BotTestKit
import CSQLite
import Foundation
import Glibc
import Testing
import Values

@testable import BotState

private let now = Timestamp(seconds: 1_796_000_000)

/// What the folder does for the files in it. Each test has folders of its own.
@Suite struct FolderTests {
    private let folders = TemporaryFolders()

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func commit(_ id: String) -> Commit {
        var commit = Commit(at: now)
        commit.memory = [id: "remembered"]
        return commit
    }

    @Test func `SEC-05 nobody else can read the folder or its files, while it is open and after`() async throws {
        defer { folders.remove() }
        let folder = folders.next()
        let store = try await SQLiteStore.open(folder: folder, at: now)
        try await store.commit(commit("a"))
        #expect(mode(folder) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["engine.lock", "state.sqlite", "state.sqlite-shm", "state.sqlite-wal"])
        for name in names { #expect(mode("\(folder)/\(name)") == 0o600) }
        await store.close()
    }

    @Test func `a folder that others can read is closed to them`() async throws {
        defer { folders.remove() }
        let folder = folders.next()
        await (try SQLiteStore.open(folder: folder, at: now)).close()
        chmod(folder, 0o755)
        chmod(folder + "/state.sqlite", 0o644)
        let store = try await SQLiteStore.open(folder: folder, at: now)
        #expect(mode(folder) == 0o700)
        #expect(mode(folder + "/state.sqlite") == 0o600)
        await store.close()
    }

    @Test func `whoever asks a store that has been closed gets an error`() async throws {
        defer { folders.remove() }
        let store = try await SQLiteStore.open(folder: folders.next(), at: now)
        try await store.commit(commit("own"))
        await store.close()
        await #expect(throws: StateError.self) { try await store.commit(commit("late")) }
        await #expect(throws: StateError.self) { try await store.policyMemory() }
        await #expect(throws: StateError.self) { try await store.records(for: [RecordQuestion("a", answer: [])]) }
        await store.close()
    }

    @Test func `STATE-16 a second engine is refused and told which process holds the folder, a small command is not`()
        async throws
    {
        defer { folders.remove() }
        let folder = folders.next()
        let store = try await SQLiteStore.open(folder: folder, at: now)
        await #expect(throws: StateError.locked(pid: getpid())) { try await SQLiteStore.open(folder: folder, at: now) }

        let beside = try await SQLiteStore.openBeside(folder: folder)
        #expect(try await store.changedElsewhere() == false)
        try await store.commit(commit("own"))
        #expect(try await store.changedElsewhere() == false)
        try await beside.commit(commit("other"))
        #expect(try await store.changedElsewhere())
        #expect(try await store.changedElsewhere() == false)
        #expect(try await store.policyMemory()["other"] == "remembered")
        await beside.close()
        await store.close()

        let next = try await SQLiteStore.open(folder: folder, at: now)
        #expect(try await next.policyMemory().count == 2)
        await next.close()
    }

    @Test func `STATE-08 a lock file that a dead process left behind stops nobody`() async throws {
        defer { folders.remove() }
        let folder = folders.next()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "1\n".write(toFile: folder + "/engine.lock", atomically: false, encoding: .utf8)
        let store = try await SQLiteStore.open(folder: folder, at: now)
        await store.close()
    }

    @Test func `a small command without a state says that there is none yet, and makes none`() async throws {
        let folder = folders.next()
        await #expect(throws: StateError.self) { try await SQLiteStore.openBeside(folder: folder) }
        #expect(mode(folder) == nil)
    }

    enum Damage: CaseIterable {
        case empty, nulls, cutInHalf, overwrittenInTheMiddle, text, otherDatabase
    }

    @Test(arguments: Damage.allCases)
    func `STATE-03 STATE-16 a damaged state is set aside whole and a new one begins that says so`(damage: Damage)
        async throws
    {
        defer { folders.remove() }
        let folder = folders.next()
        let file = folder + "/state.sqlite"
        let store = try await SQLiteStore.open(folder: folder, at: now)
        var large = Commit(at: now)
        for index in 0..<2000 { large.memory["rule \(index)"] = .string(String(repeating: "x", count: 100)) }
        try await store.commit(large)
        await store.close()
        try harm(file, damage)

        let fresh = try await SQLiteStore.open(folder: folder, at: now)
        #expect(try await fresh.policyMemory() == [:])
        let loss = try #require(try await fresh.memoryLoss())
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".damaged-") }
        #expect(kept.count == 1)
        #expect(loss.contains(kept[0]))
        var told = Commit(at: now)
        told.acknowledgesLoss = true
        try await fresh.commit(told)
        #expect(try await fresh.memoryLoss() == nil)
        await fresh.close()
    }

    private func harm(_ file: String, _ damage: Damage) throws {
        let url = URL(fileURLWithPath: file)
        let data = try Data(contentsOf: url)
        switch damage {
        case .empty: try Data().write(to: url)
        case .nulls: try Data(count: 4096).write(to: url)
        case .cutInHalf: try data.prefix(data.count / 2 / 4096 * 4096).write(to: url)
        case .overwrittenInTheMiddle:
            var harmed = data
            let middle = data.count / 2 / 4096 * 4096
            harmed.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0x5A, count: 4096))
            try harmed.write(to: url)
        case .text: try Data("<!DOCTYPE html>".utf8).write(to: url)
        case .otherDatabase:
            try FileManager.default.removeItem(atPath: file)
            try StateFolder.makePrivateFile(file)
            let other = try Connection(path: file)
            try other.execute("CREATE TABLE t (x)")
            other.close()
        }
    }

    @Test func `a state of a later version is refused and left as it is`() async throws {
        defer { folders.remove() }
        let folder = folders.next()
        await (try SQLiteStore.open(folder: folder, at: now)).close()
        let connection = try Connection(path: folder + "/state.sqlite")
        try connection.execute("PRAGMA user_version = 99")
        connection.close()
        let expected = StateError.newer(found: 99, known: Schema.version)
        await #expect(throws: expected) { try await SQLiteStore.open(folder: folder, at: now) }
        await #expect(throws: expected) { try await SQLiteStore.openBeside(folder: folder) }
    }

    @Test func `a state of an earlier version is brought up to date and keeps what it holds`() async throws {
        defer { folders.remove() }
        let folder = folders.next()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try StateFolder.makePrivateFile(folder + "/state.sqlite")
        let connection = try Connection(path: folder + "/state.sqlite")
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA application_id = 0x706B7968")
        try connection.execute(Schema.migrations[0])
        try connection.execute(
            """
            PRAGMA user_version = 1;
            INSERT INTO policy VALUES ('r', '"remembered"');
            INSERT INTO source VALUES
            ('s', 1, '', 'null', '', NULL, NULL, '', '', '', 'null', 5000, 5000, NULL, '{}');
            INSERT INTO record VALUES ('s', 'gone', NULL, 2, 0, 'lesson', 'null', NULL, NULL);
            INSERT INTO record VALUES ('s', 'here', NULL, 1, 1, 'lesson', '{}', NULL, NULL);
            INSERT INTO payload VALUES
            (1, 'p', 'p', 'r', 'mail', '', 1, 1, '', 'l', 5, NULL, 't', '"c"', 0, 0, 'dead', 5, 1, NULL);
            """
        )
        connection.close()
        let store = try await SQLiteStore.open(folder: folder, at: now)
        #expect(try await store.memoryLoss() == nil)
        #expect(try await store.policyMemory() == ["r": "remembered"])
        #expect(try await store.requeue(["p"], at: now) == 1)
        let claim = try await store.claim(ClaimRequest(now: now, places: ["mail": 1]))
        #expect(claim.payloads.map(\.queuedAt) == [now])
        #expect(try await store.records(of: "s", from: nil, answer: []).gone == ["gone": 2])
        let names = NamesInUse(sources: ["s"], sinks: [], rules: [])
        try await store.prune(before: Timestamp(milliseconds: 5001) + .days(365), keeping: names)
        let found = try await store.records(of: "s", from: nil, answer: [])
        #expect(found.gone == [:])
        #expect(found.present.map(\.record.key) == ["here"])
        await store.close()
    }

    @Test func `STATE-15 a full disk is a full disk, what was stored stays, and there is room again later`()
        async throws
    {
        defer { folders.remove() }
        let store = try await SQLiteStore.open(folder: folders.next(), at: now)
        try await store.commit(commit("before"))
        try await store.limitPages(to: 50)
        var large = Commit(at: now)
        large.memory = ["large": .string(String(repeating: "x", count: 1 << 20))]
        await #expect {
            try await store.commit(large)
        } throws: { error in
            if case .diskFull? = error as? StateError { true } else { false }
        }
        #expect(try await store.policyMemory() == ["before": "remembered"])
        try await store.limitPages(to: 100_000)
        try await store.commit(large)
        #expect(try await store.policyMemory().count == 2)
        await store.close()
    }

    @Test func `a folder that is a file is refused in words`() async throws {
        defer { folders.remove() }
        try FileManager.default.createDirectory(atPath: folders.root, withIntermediateDirectories: true)
        let file = folders.next()
        try Data().write(to: URL(fileURLWithPath: file))
        await #expect(throws: StateError.self) { try await SQLiteStore.open(folder: file, at: now) }
    }
}

extension SQLiteStore {
    /// As if the disk had room for no more.
    fileprivate func limitPages(to count: Int) throws(StateError) {
        try connection.execute("PRAGMA max_page_count = \(count)")
    }
}
