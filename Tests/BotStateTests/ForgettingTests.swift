import BotCore
import BotTestKit
import Foundation
import Testing
import Values

@testable import BotState

private let now = Timestamp(seconds: 1_796_000_000)

/// What is forgotten is in no file any more, and nothing else goes with it.
@Suite struct ForgettingTests {
    private let folders = TemporaryFolders()

    private func holds(_ text: String, in folder: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
            try Data(contentsOf: URL(filePath: "\(folder)/\(name)")).range(of: Data(text.utf8)) != nil
        }
    }

    /// A student with a lesson, told of through a sink.
    private func commit(_ student: Student, source: String, at instant: Timestamp) -> Commit {
        let record = Record(key: "\(student.id)/1", type: "lesson", fields: ["text": .string("Für \(student.name)")])
        var state = SourceState()
        state.isLearnt = true
        state.student = student
        var commit = Commit(at: instant)
        commit.sources = [SourceUpdate(source: source, state: state, put: [StoredRecord(record, revision: 1)])]
        let event = Event(
            id: "event-\(student.id)",
            worldID: "w",
            kind: "lesson.added",
            at: instant,
            source: source,
            account: "a",
            student: student,
            record: record,
            old: nil,
            changes: [],
            revision: 1
        )
        commit.events = [event]
        commit.notes = [RuleNote(rule: "r", about: event.id, outcome: .told, reason: "told \(student.name)")]
        let payload = Payload(
            id: "payload-\(student.id)",
            message: "m-\(student.id)",
            rule: "r",
            sink: "mail",
            recipient: "parent-\(student.id)@example.org",
            orderKey: "rule/r",
            createdAt: instant,
            text: "Neu: \(student.name)",
            content: ["body": .string(student.name)]
        )
        commit.payloads = [OutgoingPayload(payload)]
        commit.memory = ["r": .string("keeps"), "of-\(student.id)": .string(student.name)]
        commit.slots = [Slot(rule: "r", key: "\(source)/\(record.key)/x", due: instant, grace: .zero)]
        return commit
    }

    @Test
    func
        `a record that is forgotten alone is asked for again, although the far end would say that nothing has changed`()
        async throws
    {
        let store = try await SQLiteStore.open(folder: folders.next(), at: now)
        var commit = commit(Student(id: "11", name: "Anna"), source: "feed", at: now)
        commit.sources[0].state.memo = ["etag": "x"]
        try await store.commit(commit)
        #expect(try await store.forgetRecord("11/1", of: "feed", at: now))
        #expect(try await store.sources()["feed"]?.memo.isNull == true)
        #expect(try await store.sources()["feed"]?.isLearnt == true)
        await store.close()
    }

    @Test(
        arguments: [
            "Muster Anna", "O\"Neil \\ Käthe", "Ünal Şeyma", "李 小龍", "🦊 Fuchs", "DROP TABLE record;--", "%_% Wild",
            "A\u{0}B Null",
        ]
    )
    func `whatever the name, no byte of it is left, and the other student is as before`(name: String) async throws {
        defer { folders.remove() }
        let folder = folders.next()
        let store = try await SQLiteStore.open(folder: folder, at: now)
        let student = Student(id: "4711", name: name)
        let other = Student(id: "4712", name: "Muster Luca")
        // In one moment, so that nothing but what they are about tells the messages apart.
        try await store.commit(commit(student, source: "s1", at: now))
        try await store.commit(commit(other, source: "s2", at: now))
        // An earlier state of a row may be left in pages that were given back.
        for index in 0..<50 {
            var large = Commit(at: now)
            large.memory = ["large": .string(String(repeating: "\(name) \(index)", count: 200))]
            try await store.commit(large)
        }
        var cleared = Commit(at: now)
        cleared.memory = ["large": .null]
        try await store.commit(cleared)
        let traces = StudentTraces(ids: ["4711"], names: [name])
        let counts = try await store.forget(traces) { key, memory, sources in
            #expect(sources == ["s1"])
            return key == "of-4711" ? (.null, 1) : (memory, 0)
        }
        try await store.compact()
        #expect(counts.sources == ["s1"] && counts.records == 1 && counts.events == 1 && counts.notes == 1)
        #expect(counts.messages == 1 && counts.undelivered == 1 && counts.slots == 1 && counts.memories == 1)
        #expect(try await store.students() == [other])
        #expect(try await store.deliveries(in: [.queued], limit: 9).map(\.payload.id) == ["payload-4712"])
        #expect(try await store.events(since: now - .days(1), limit: 9).map(\.id) == ["event-4712"])
        #expect(try await store.keys(of: "s2") == ["4712/1"])
        #expect(try await store.policyMemory() == ["r": "keeps", "of-4712": "Muster Luca"])
        let text = name.contains("\u{0}") ? "B Null" : name
        #expect(try !holds(text, in: folder))
        #expect(try !holds("4711", in: folder))
        #expect(try holds("Muster Luca", in: folder))
        await store.close()
        #expect(try !holds(text, in: folder))
    }

    @Test func `a scheduled rule's message goes with the student whose data it holds, though it names nobody`()
        async throws
    {
        defer { folders.remove() }
        let folder = folders.next()
        let store = try await SQLiteStore.open(folder: folder, at: now)
        let (anna, luca) = (Student(id: "4711", name: "Muster Anna"), Student(id: "4712", name: "Muster Luca"))
        func scheduled(_ id: String, _ text: String, _ students: Set<Student>) -> OutgoingPayload {
            let payload = Payload(
                id: id,
                message: id,
                rule: "evening",
                sink: id.hasPrefix("sent") ? "mail" : "down",
                recipient: "",
                createdAt: now,
                text: text,
                content: ["body": .string(text)]
            )
            return OutgoingPayload(payload, students: students)
        }
        var commit = Commit(at: now)
        commit.payloads = [
            scheduled("sent-own", "Morgen: Geheimfach", [anna]), scheduled("waits-own", "Geheimfach", [anna]),
            scheduled("sent-joint", "Geheimfach und Turnen", [anna, luca]),
            scheduled("waits-joint", "Turnen", [anna, luca]),
            scheduled("waits-named", "Anna hat Geheimfach", [anna, luca]),
            scheduled("sent-other", "Turnen", [luca]), scheduled("sent-mensa", "Knödel", []),
        ]
        try await store.commit(commit)
        try await store.noteReload(["lines": ["there is no student 'Muster Anna'"]])
        let sent = try await store.claim(ClaimRequest(now: now, places: ["mail": 9])).payloads.map(\.payload.id)
        var settled = Commit(at: now)
        settled.settlements = sent.map { Settlement($0, .delivered(remoteID: ""), at: now) }
        try await store.commit(settled)
        #expect(try await store.students() == [anna, luca])
        let counts = try await store.forget(StudentTraces(ids: ["4711"], names: ["Muster Anna"])) { _, memory, _ in
            (memory, 0)
        }
        try await store.compact()
        #expect(counts.messages == 4 && counts.undelivered == 2)
        let left = try await store.deliveries(in: [.queued, .delivered], limit: 9).map(\.payload.id)
        #expect(left.sorted() == ["sent-mensa", "sent-other", "waits-joint"])
        for text in ["Geheimfach", "4711", "Anna"] { #expect(try !holds(text, in: folder), "\(text) is left") }
        #expect(try await store.students() == [luca])
        await store.close()
        #expect(try !holds("Geheimfach", in: folder))
    }

    @Test(arguments: [true, false])
    func `a scheduled rule's message out of a damaged state goes with its student, if the state had noted whose it is`(
        isNoted: Bool
    ) async throws {
        defer { folders.remove() }
        let (damaged, folder) = (folders.next(), folders.next())
        let old = try await SQLiteStore.open(folder: damaged, at: now)
        let payload = Payload(
            id: "p",
            message: "p",
            rule: "evening",
            sink: "mail",
            recipient: "",
            createdAt: now,
            text: "Geheimfach",
            content: ["body": "Geheimfach"]
        )
        var commit = Commit(at: now)
        commit.payloads = [OutgoingPayload(payload, students: [Student(id: "4711", name: "Muster Anna")])]
        try await old.commit(commit)
        await old.close()
        if !isNoted {
            let connection = try Connection(path: damaged + "/state.sqlite")
            try connection.execute("DROP TABLE subject")
            connection.close()
        }
        let store = try await SQLiteStore.open(folder: folder, at: now)
        #expect(try await store.recoverMessages(fromFile: damaged + "/state.sqlite", at: now) == 1)
        #expect(try await store.students().map(\.id) == (isNoted ? ["4711"] : []))
        let counts = try await store.forget(StudentTraces(ids: ["4711"], names: ["Muster Anna"])) { _, memory, _ in
            (memory, 0)
        }
        #expect(counts.messages == (isNoted ? 1 : 0))
        #expect(try await store.deliveries(in: [.queued], limit: 9).isEmpty == isNoted)
        await store.close()
    }

    @Test func `records of others that name the student stay, and are counted`() async throws {
        defer { folders.remove() }
        let store = try await SQLiteStore.open(folder: folders.next(), at: now)
        try await store.commit(commit(Student(id: "4711", name: "Muster Anna"), source: "s1", at: now))
        var commit = Commit(at: now)
        let record = Record(key: "9", type: "message", fields: ["text": "Anna Muster ist Klassensprecherin"])
        commit.sources = [SourceUpdate(source: "inbox", state: SourceState(), put: [StoredRecord(record, revision: 1)])]
        try await store.commit(commit)
        let traces = StudentTraces(ids: ["4711"], names: ["Muster Anna"])
        let counts = try await store.forget(traces) { _, memory, _ in (memory, 0) }
        #expect(counts.mentions == 1 && counts.records == 1)
        #expect(try await store.keys(of: "inbox") == ["9"])
        await store.close()
    }

    @Test func `a first name alone means nobody, a full name in any order means the student`() {
        let traces = StudentTraces(ids: ["4711"], names: ["Muster Anna", "Anna"])
        #expect(traces.isNamed(in: "… muster anna …") && traces.isNamed(in: "Anna Muster"))
        #expect(!traces.isNamed(in: "Anna Rossi") && !traces.isNamed(in: "Muster, Anna"))
        #expect(traces.isCalled(in: "Neu für Anna!") && !traces.isCalled(in: "Hannah und Annabell"))
        #expect(traces.isKey("4711/2026") && !traces.isKey("47110/2026") && !traces.isKey("x/4711/"))
        #expect(traces.isStudent(id: "4711", name: "") && traces.isStudent(id: "", name: "Anna"))
        #expect(!traces.isStudent(id: "5", name: "Anna"))
        let nobody = StudentTraces(ids: [""], names: [""])
        #expect(!nobody.isKey("/x") && !nobody.isNamed(in: "") && !nobody.isStudent(id: "", name: ""))
    }

    // MARK: Giving up by hand

    @Test func `what is given up by hand is never claimed, keeps its reason, and is not queued again`() async throws {
        defer { folders.remove() }
        let store = try await SQLiteStore.open(folder: folders.next(), at: now)
        try await store.commit(commit(Student(id: "1", name: "a b"), source: "s", at: now))
        try await store.commit(commit(Student(id: "2", name: "c d"), source: "t", at: now))
        #expect(try await store.drop(["payload-1", "none"], reason: "why", includingClaimed: false, at: now) == 1)
        let claim = try await store.claim(ClaimRequest(now: now, places: ["mail": 9]))
        #expect(claim.payloads.map(\.payload.id) == ["payload-2"])
        // It is being sent: only where no engine runs can it be taken back.
        #expect(try await store.drop(["payload-2"], reason: "why", includingClaimed: false, at: now) == 0)
        #expect(try await store.drop(["payload-2"], reason: "why", includingClaimed: true, at: now) == 1)
        let dropped = try await store.deliveries(in: [.dropped], limit: 9)
        #expect(dropped.count == 2 && dropped.allSatisfy { $0.attempts.last?.answer == "why" })
        #expect(try await store.requeue(nil, at: now) == 0)
        #expect(try await store.interrupted().isEmpty)
        await store.close()
    }

    // MARK: The folder

    @Test func `a look at the lock tells who holds it, and takes it from nobody`() async throws {
        defer { folders.remove() }
        let folder = folders.next()
        #expect(try SQLiteStore.holder(ofFolder: folder) == .nobody)
        let store = try await SQLiteStore.open(folder: folder, at: now)
        #expect(try SQLiteStore.holder(ofFolder: folder) == .engine(pid: getpid()))
        await #expect(throws: StateError.locked(pid: getpid())) { try await SQLiteStore.openAlone(folder: folder) }
        await store.close()
        #expect(try SQLiteStore.holder(ofFolder: folder) == .nobody)
        let alone = try await SQLiteStore.openAlone(folder: folder)
        await #expect(throws: StateError.locked(pid: getpid())) { try await SQLiteStore.open(folder: folder, at: now) }
        await alone.close()
    }

    @Test func `a damaged state says how many messages it took with it, or that this cannot be told`() async throws {
        defer { folders.remove() }
        let folder = folders.next()
        let store = try await SQLiteStore.open(folder: folder, at: now)
        try await store.commit(commit(Student(id: "1", name: "a b"), source: "s", at: now))
        var large = Commit(at: now)
        for index in 0..<2000 { large.memory["rule \(index)"] = .string(String(repeating: "x", count: 100)) }
        try await store.commit(large)
        await store.close()
        let file = URL(filePath: folder + "/state.sqlite")
        var bytes = try Data(contentsOf: file)
        let last = bytes.count - 4096
        bytes.replaceSubrange(last - 4096 * 8..<last, with: Data(repeating: 0x5A, count: 4096 * 8))
        try bytes.write(to: file)
        let fresh = try await SQLiteStore.open(folder: folder, at: now)
        let loss = try #require(try await fresh.memoryLoss())
        #expect(loss.contains("It holds 1 message not delivered"), "\(loss)")
        await fresh.close()
        try Data("no database".utf8).write(to: file)
        let second = try await SQLiteStore.open(folder: folder, at: now + .days(1))
        #expect(try await second.memoryLoss()?.contains("cannot be read any more") == true)
        await second.close()
    }

    @Test func `facts about a folder are found without changing it, whatever lies there`() async throws {
        defer { folders.remove() }
        let folder = folders.next()
        #expect(await StateFacts.gather(inFolder: folder).database == .missing)
        await (try SQLiteStore.open(folder: folder, at: now)).close()
        #expect(await StateFacts.gather(inFolder: folder).database == .sound)
        let file = URL(filePath: folder + "/state.sqlite")
        let connection = try Connection(path: file.path)
        try connection.execute("INSERT INTO policy VALUES ('r', '{'); PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        #expect(await StateFacts.gather(inFolder: folder).contents.unreadable == ["policy": 1])
        for (text, expected) in [("", "empty"), ("<!DOCTYPE html>", "not a database")] {
            try Data(text.utf8).write(to: file)
            guard case .damaged(let lines) = await StateFacts.gather(inFolder: folder).database else {
                Issue.record("'\(text)' is not seen as damage")
                continue
            }
            #expect(lines.joined().contains(expected))
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }
}
