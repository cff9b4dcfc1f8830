import Foundation
import Liquid
import Testing
import Values

/// The conformance suite golden-liquid, which others made; read from the shared folder, never committed.
struct GoldenLiquidTests {
    /// Tests that we fail on purpose, by name.
    static let refused = [
        "tags, case, unexpected when token":
            "wants 'and' between values of 'when' to be skipped; the same template must be refused by 'unexpected when token, strict2'"
    ]

    static var suite: URL {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shared = ProcessInfo.processInfo.environment["POKYH_SHARED"].map { URL(filePath: $0) }
        return (shared ?? root.deletingLastPathComponent().appending(path: "shared"))
            .appending(path: "conformance/liquid/golden_liquid.json")
    }

    static var isPresent: Bool { FileManager.default.fileExists(atPath: suite.path) }

    @Test(
        .enabled(if: isPresent, "the shared folder with golden-liquid is not here; set POKYH_SHARED to run its suite")
    )
    func `golden-liquid renders as the reference implementation does, but for one test that contradicts another`()
        throws
    {
        let tests = try #require(try Value(json: Array(Data(contentsOf: Self.suite)))["tests"].list)
        #expect(tests.count == 1054)
        var failures: [String: String] = [:]
        for test in tests {
            if let failure = Self.failure(of: test) { failures[test["name"].string ?? "?"] = failure }
        }
        for (name, failure) in failures where Self.refused[name] == nil { Issue.record("\(name): \(failure)") }
        for name in Self.refused.keys where failures[name] == nil {
            Issue.record("'\(name)' passes: take it off the list")
        }
    }

    private static func failure(of test: Value) -> String? {
        var options = LiquidOptions(strictness: .lax)
        for pair in test["templates"].map ?? [:] { options.partials[pair.key.string ?? ""] = pair.value.string }
        let mustFail = test["invalid"].bool == true
        let wanted = test["results"].list?.compactMap(\.string) ?? [test["result"].string ?? ""]
        do {
            let template = try LiquidTemplate(parsing: test["template"].string ?? "", options: options)
            let context = LiquidContext(zone: .utc, locale: .en, now: Rendering.now)
            let text = try template.render(test["data"].map ?? [:], context: context)
            if mustFail { return "is rendered as \(text.debugDescription), but must be refused" }
            return wanted.contains(text) ? nil : "is \(text.debugDescription), but should be one of \(wanted)"
        } catch {
            return mustFail ? nil : "is refused: \(error)"
        }
    }
}
