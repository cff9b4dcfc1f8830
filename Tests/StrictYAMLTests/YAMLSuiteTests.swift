import Testing
import Values

@testable import StrictYAML

/// The public YAML test suite, scored over the strict subset.
struct YAMLSuiteTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let yaml: [UInt8]
        let mustFail: Bool
        let events: [String]

        var testDescription: String { id }
    }

    private static let isThere = cases() != nil
    private static let absent: Comment = "the YAML test suite is not beside the package (POKYH_SHARED)"

    @Test(.enabled(if: isThere, absent))
    func `what the suite calls wrong is refused`() throws {
        for item in try #require(Self.cases()) where item.mustFail {
            let document = YAMLDocument.read(bytes: item.yaml, file: item.id)
            #expect(!document.isUsable, "\(item.id)")
        }
    }

    @Test(.enabled(if: isThere, absent))
    func `what is valid in the subset is read as the suite says`() throws {
        let refused = YAMLSuiteExceptions.refusals.reduce(into: Set()) { $0.formUnion($1.cases) }
        for item in try #require(Self.cases()) where !item.mustFail && !refused.contains(item.id) {
            let document = YAMLDocument.read(bytes: item.yaml, file: item.id)
            #expect(document.isUsable, "\(item.id): \(document.complaints)")
            let expected = Self.tree(item.events)
            let tree = document.root.map(Self.tree) ?? []
            let isSame = tree == (expected.isEmpty ? ["="] : expected)
            #expect(isSame != YAMLSuiteExceptions.readOtherwise.contains(item.id), "\(item.id): \(tree)")
        }
    }

    @Test(.enabled(if: isThere, absent), arguments: YAMLSuiteExceptions.refusals.indices)
    func `what the subset leaves out is refused for that reason`(index: Int) throws {
        let refusal = YAMLSuiteExceptions.refusals[index]
        for item in try #require(Self.cases()) where refusal.cases.contains(item.id) {
            let document = YAMLDocument.read(bytes: item.yaml, file: item.id)
            #expect(!document.isUsable, "\(item.id)")
            #expect(
                document.complaints.contains { $0.message.contains(refusal.complaint) },
                "\(item.id), \(refusal.reason)"
            )
        }
    }

    @Test(.enabled(if: isThere, absent))
    func `the places inside every scalar of the suite are known`() throws {
        var count = 0
        for item in try #require(Self.cases()) {
            let document = YAMLDocument.read(bytes: item.yaml, file: item.id)
            for (node, scalar) in document.root.map(Self.scalars) ?? [] {
                let layout = ScalarLayout(of: scalar, at: node.span, in: document.source)
                #expect(layout.text == Array(scalar.text.utf8), "\(item.id): \(scalar)")
                count += 1
            }
        }
        #expect(count > 700)
    }

    private static func scalars(of node: YAMLNode) -> [(YAMLNode, YAMLScalar)] {
        switch node.content {
        case .refused: []
        case .scalar(let scalar): [(node, scalar)]
        case .sequence(let items): items.flatMap(scalars)
        case .mapping(let pairs): pairs.flatMap { scalars(of: $0.key) + scalars(of: $0.value) }
        }
    }

    static func cases() -> [Case]? {
        guard let bytes = SharedData.bytes("conformance/yaml/yaml-test-suite.json"), let suite = try? Value(json: bytes)
        else {
            return nil
        }
        return suite.list?.map { item in
            let id = item["id"].string ?? ""
            let number = item["n"].integer ?? 0
            return Case(
                id: number == 0 ? id : "\(id)/\(number)",
                yaml: Array((item["yaml"].string ?? "").utf8),
                mustFail: item["fail"].bool ?? false,
                events: item["events"].list?.compactMap(\.string) ?? []
            )
        }
    }

    /// A tree in the suite's event lines, without styles.
    static func tree(_ node: YAMLNode) -> [String] {
        switch node.content {
        case .refused: ["refused"]
        case .scalar(let scalar): ["=" + scalar.text]
        case .sequence(let items): ["["] + items.flatMap(tree) + ["]"]
        case .mapping(let pairs): ["{"] + pairs.flatMap { tree($0.key) + tree($0.value) } + ["}"]
        }
    }

    /// The suite's events in the same form.
    static func tree(_ events: [String]) -> [String] {
        events.compactMap { line in
            switch line.prefix(4) {
            case "+SEQ": "["
            case "-SEQ": "]"
            case "+MAP": "{"
            case "-MAP": "}"
            case "=VAL": "=" + unescaped(line.dropFirst(5).drop { !":'\"|>".contains($0) }.dropFirst())
            case "=ALI": "alias"
            default: nil
            }
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var iterator = text.unicodeScalars.makeIterator()
        while let scalar = iterator.next() {
            guard scalar == "\\" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            switch iterator.next() {
            case "n": result += "\n"
            case "t": result += "\t"
            case "r": result += "\r"
            case "b": result += "\u{8}"
            case let other?: result.unicodeScalars.append(other)
            case nil: break
            }
        }
        return result
    }
}
