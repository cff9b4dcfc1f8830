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
        return try Value(json: Array(Data(contentsOf: folder.appending(path: name + ".json"))))
    }
}

/// Where an answer has another shape than a fixture.
enum ShapeComparison {
    static func differences(_ answer: Value, _ fixture: Value) -> [String] { differences(answer, [fixture], at: "$") }

    /// Differences, a line each. JSON types must be those of a sample, null stands for any. Keys that all samples have are needed, those
    /// that some have are allowed. The samples of a list's elements are the elements of all sample lists.
    private static func differences(_ answer: Value, _ samples: [Value], at path: String) -> [String] {
        let samples = samples.filter { !$0.isNull }
        if answer.isNull || samples.isEmpty { return [] }
        let kinds = Set(samples.map(kind))
        guard kinds.contains(kind(answer)) else {
            return ["\(path) is a \(kind(answer)), not a \(kinds.sorted().joined(separator: " or "))"]
        }
        if let list = answer.list {
            let lists = samples.compactMap(\.list)
            if list.isEmpty { return lists.contains { $0.isEmpty } ? [] : ["\(path) is empty"] }
            let elements = lists.flatMap { $0 }
            return list.enumerated().flatMap { differences($1, elements, at: "\(path)[\($0)]") }
        }
        guard let map = answer.map else { return [] }
        let maps = samples.compactMap(\.map).map { Set($0.keys.compactMap(\.string)) }
        let keys = Set(map.keys.compactMap(\.string))
        let allowed = maps.reduce(Set()) { $0.union($1) }
        let needed = maps.reduce(allowed) { $0.intersection($1) }
        let wrong =
            keys.subtracting(allowed).sorted().map { "\(path).\($0) is too many" }
            + needed.subtracting(keys).sorted().map { "\(path).\($0) is missing" }
        return wrong
            + keys.sorted().flatMap { key in
                differences(answer[key], samples.compactMap { $0.map?[key] }, at: "\(path).\(key)")
            }
    }

    private static func kind(_ value: Value) -> String {
        switch value {
        case .int, .uint, .double: "number"
        default: value.kindName
        }
    }
}
