import Foundation
import StrictYAML
import Testing
import Values

/// Wrong files, and what is said about them to the letter. A case is two files in `Golden`: `name.yaml` and `name.expected`.
///
/// With `RECORD_GOLDEN=1` in the environment the expected texts are written anew; read the difference before committing it.
struct GoldenTests {
    private static let folder = SharedData.packageRoot.appending(path: "Tests/StrictYAMLTests/Golden")

    static func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }

    @Test func `the golden cases are there`() {
        #expect(Self.names().count >= 35)
    }

    @Test(arguments: names())
    func `a wrong file is explained to the letter`(name: String) throws {
        let bytes = try Data(contentsOf: Self.folder.appending(path: "\(name).yaml"))
        let document = YAMLDocument.read(bytes: Array(bytes), file: "\(name).yaml")
        let text = ComplaintPrinter(document.source).text(document.complaints)
        let expected = Self.folder.appending(path: "\(name).expected")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: expected)
        }
        #expect(text == String(decoding: try Data(contentsOf: expected), as: UTF8.self))
        #expect(!document.complaints.isEmpty)
    }
}
