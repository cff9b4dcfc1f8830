import BotCore
import BotState
import BotTestKit
import Foundation
import Testing
import Values

@Suite struct StoreContractTests {
    @Test func `the store on disk keeps the contract`() async throws {
        let folders = TemporaryFolders()
        defer { folders.remove() }
        let failures = await StoreConformance.failures {
            try await SQLiteStore.open(folder: folders.next(), at: Timestamp(seconds: 1_796_000_000))
        }
        #expect(failures == [])
    }

    @Test func `of two rows whose keys are two spellings of one word the first counts`() async throws {
        let folders = TemporaryFolders()
        defer { folders.remove() }
        let now = Timestamp(seconds: 1_796_000_000)
        let store = try await SQLiteStore.open(folder: folders.next(), at: now)
        let rows = ["Caf\u{E9}", "Cafe\u{301}"].map {
            StoredRecord(Record(key: $0, type: "item", fields: ["name": .string($0)]), revision: 1)
        }
        var commit = Commit(at: now)
        commit.sources = [SourceUpdate(source: "s", state: SourceState(), put: rows)]
        try await store.commit([commit])
        for answer in [[], [rows[0].record], [rows[1].record]] {
            #expect(try await store.records(of: "s", answer: answer).present.count == 1)
        }
        await store.close()
    }

    @Test func `the store without a disk keeps the contract`() async {
        let failures = await StoreConformance.failures { MemoryStore() }
        #expect(failures == [])
    }
}

/// Folders below one of the system's temporary folder, none of which exists before it is used.
final class TemporaryFolders: Sendable {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("pokyh-bot-\(UUID())").path

    func next() -> String { "\(root)/\(UUID())" }

    func remove() { try? FileManager.default.removeItem(atPath: root) }
}
