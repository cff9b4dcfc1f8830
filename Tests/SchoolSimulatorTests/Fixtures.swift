import Foundation
import Values

/// The answers of `fixtures/pokyh`: shapes that clients of WebUntis and POKYH rely on.
enum Fixtures {
    /// Beside these tests, below the folder of the environment, or in `../shared` beside the package.
    static let folder: URL? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var candidates = [package.appending(path: "Tests/Fixtures/pokyh")]
        if let shared = ProcessInfo.processInfo.environment["POKYH_SHARED"] {
            candidates.append(URL(filePath: shared).appending(path: "fixtures/pokyh"))
        }
        candidates.append(package.deletingLastPathComponent().appending(path: "shared/fixtures/pokyh"))
        return candidates.first { FileManager.default.fileExists(atPath: $0.appending(path: "index.json").path) }
    }()

    static func value(_ name: String) throws -> Value {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try Value(json: Data(contentsOf: folder.appending(path: name + ".json")))
    }
}

/// Where an answer has another shape than a fixture.
enum ShapeComparison {
    /// Differences, a line each. Keys and JSON types must agree; null stands for any type, and each element of a list must have the
    /// shape of some element of the fixture's.
    static func differences(_ answer: Value, _ fixture: Value, at path: String = "$") -> [String] {
        switch (answer, fixture) {
        case (.null, _), (_, .null): return []
        case (.map(let one), .map(let other)):
            let keys = Set(one.keys.compactMap(\.string))
            let wanted = Set(other.keys.compactMap(\.string))
            var found = keys.symmetricDifference(wanted).sorted().map { key in
                "\(path).\(key) is \(keys.contains(key) ? "too many" : "missing")"
            }
            for key in keys.intersection(wanted).sorted() {
                found += differences(answer[key], fixture[key], at: "\(path).\(key)")
            }
            return found
        case (.list(let one), .list(let other)):
            if one.isEmpty && !other.isEmpty { return ["\(path) is empty"] }
            return one.enumerated().flatMap { position, element -> [String] in
                let attempts = other.map { differences(element, $0, at: "\(path)[\(position)]") }
                return attempts.min { $0.count < $1.count } ?? []
            }
        default:
            let kinds = [answer, fixture].map(kind)
            return kinds[0] == kinds[1] ? [] : ["\(path) is a \(kinds[0]), not a \(kinds[1])"]
        }
    }

    private static func kind(_ value: Value) -> String {
        switch value {
        case .int, .uint, .double: "number"
        default: value.kindName
        }
    }
}
