import Foundation
import Testing
import Values

/// Every known fault of notifiers is answered by a test that carries its id in its name.
@Suite struct CaseLedgerTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// The catalogue, beside this repository or where the environment says; nil where there is none.
    private static let catalogue: Data? = {
        let beside = tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared").path
        let shared = ProcessInfo.processInfo.environment["POKYH_SHARED"] ?? beside
        return try? Data(contentsOf: URL(filePath: shared).appending(path: "cases/cases.jsonl"))
    }()

    /// Faults of parts that this product does not have, and why no test can meet them.
    private static let elsewhere = [
        "TMPL-07": "nothing here writes calendar files", "TMPL-08": "nothing here writes calendar files",
    ]

    private func names() throws -> [String] {
        let files = FileManager.default.enumerator(at: Self.tests, includingPropertiesForKeys: nil)
        var names: [String] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            names += text.matches(of: /func\s+`([^`\n]+)`/).map { String($0.output.1) }
        }
        return names
    }

    @Test(.enabled(if: catalogue != nil, "there is no catalogue of cases beside the repository"))
    func `every known case is in the name of a test`() throws {
        let lines = try #require(Self.catalogue).split(separator: UInt8(ascii: "\n"))
        let ids = try lines.map { try Value(json: Array($0))["id"].string ?? "" }
        #expect(!ids.isEmpty && !ids.contains(""))
        let named = Set(try names().flatMap { $0.matches(of: /[A-Z]+-\d\d/).map { String($0.output) } })
        let missing = ids.filter { !named.contains($0) && Self.elsewhere[$0] == nil }
        #expect(missing == [])
        // An id that the catalogue does not know is a slip of the pen.
        let areas = Set(ids.map { $0.prefix { $0 != "-" } })
        let unknown = named.subtracting(ids).filter { areas.contains($0.prefix { $0 != "-" }) }
        #expect(unknown.sorted() == [])
    }
}
