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
