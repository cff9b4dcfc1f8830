import CELSuite
import Foundation
import Testing
import Values

/// The conformance suite of cel-spec, read from the shared folder.
@Suite struct ConformanceTests {
    static let folder: URL = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shared = ProcessInfo.processInfo.environment["POKYH_SHARED"].map { URL(fileURLWithPath: $0) }
        return (shared ?? root.deletingLastPathComponent().appending(path: "shared")).appending(path: "conformance/cel")
    }()

    static let isThere = FileManager.default.fileExists(atPath: folder.path)

    static let result: CELConformance = {
        var conformance = CELConformance()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names.sorted() where name.hasSuffix(".json") {
            guard let data = try? Data(contentsOf: folder.appending(path: name)),
                let suite = try? Value(json: Array(data))
            else {
                continue
            }
            conformance.run(file: String(name.dropLast(5)), suite)
        }
        return conformance
    }()

    @Test(.enabled(if: isThere, "the suite is not at ../shared/conformance/cel; POKYH_SHARED names another folder"))
    func `all tests of the core that need no protobuf pass`() {
        #expect(Self.result.core == CELConformance.Score(run: 1093, passed: 1093), "\(Self.result.failures)")
    }

    @Test(.enabled(if: isThere, "the suite is not at ../shared/conformance/cel; POKYH_SHARED names another folder"))
    func `all tests of the extensions pass`() {
        #expect(Self.result.extensionScore == CELConformance.Score(run: 555, passed: 555), "\(Self.result.failures)")
    }
}
