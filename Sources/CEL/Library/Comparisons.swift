import Values

/// `== != < <= > >=` and `in`.
extension FunctionTable {
    /// The overloads with which numbers of different kinds compare, where the host allows it.
    static let acrossNumbers: [FunctionEntry.Overload] = {
        let numbers: [CELType] = [.int, .uint, .double]
        return numbers.flatMap { left in
            numbers.compactMap { right in left == right ? nil : FunctionEntry.Overload([left, right], .bool) }
        }
    }()

    mutating func addComparisons() {
        let anyPair = [FunctionEntry.Overload.of(.parameter("A"), .parameter("A"), gives: .bool)]
        add("_==_", anyPair, .binary { meter, left, right in .bool(Comparison.areEqual(left, right, &meter)) })
        add("_!=_", anyPair, .binary { meter, left, right in .bool(!Comparison.areEqual(left, right, &meter)) })
        let ordered: [CELType] = [.bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration]
        let overloads = ordered.map { FunctionEntry.Overload([$0, $0], .bool) }
        for relation in Relation.allCases {
            add(
                relation.rawValue,
                overloads,
                .binary { meter, left, right in relation.holds(left, right, &meter) }
            )
        }
        add(
            "@in",
            [
                .of(.parameter("A"), .list(.parameter("A")), gives: .bool),
                .of(.parameter("A"), .map(key: .parameter("A"), value: .parameter("B")), gives: .bool),
            ],
            .binary(Self.isIn)
        )
        describe(Self.comparisonDocumentation)
    }

    @Sendable private static func isIn(_ meter: inout Meter, _ element: Datum, _ collection: Datum) -> Datum {
        switch collection {
        case .map(let map): return .bool(map.value(of: element) != nil)
        case .list(let list):
            for position in 0..<list.count {
                guard meter.charge(1) else { return meter.failure }
                if Comparison.areEqual(list[position], element, &meter) { return .bool(true) }
            }
            return .bool(false)
        default: return .noOverload("@in", [element, collection])
        }
    }
}

/// The ordering operators.
enum Relation: String, CaseIterable, Sendable {
    case less = "_<_"
    case atMost = "_<=_"
    case greater = "_>_"
    case atLeast = "_>=_"

    @inline(__always)
    func holds(_ left: Datum, _ right: Datum, _ meter: inout Meter) -> Datum {
        guard let order = Comparison.order(left, right) else { return .noOverload(rawValue, [left, right]) }
        return .bool(holds(order))
    }

    @inline(__always)
    func holds(_ order: Comparison.Order) -> Bool {
        switch self {
        case .less: order == .less
        case .atMost: order == .less || order == .equal
        case .greater: order == .greater
        case .atLeast: order == .greater || order == .equal
        }
    }
}

extension FunctionTable {
    fileprivate static let comparisonDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "_==_", "Whether two values are equal; numbers of any kind, texts letter by letter.",
            "1 == 1.0 && [1, 2] == [1, 2]"
        ),
        (
            "_!=_", "Whether two values differ.",
            #""MAT" != "mat""#
        ),
        (
            "_<_", "Whether the first comes before the second; times: is earlier.",
            "5.5 < 6.0"
        ),
        (
            "_<=_", "Whether the first does not come after the second.",
            #"duration("50m") <= duration("1h")"#
        ),
        (
            "_>_", "Whether the first comes after the second.",
            #""b" > "a""#
        ),
        (
            "_>=_", "Whether the first does not come before the second.",
            "6 >= 6"
        ),
        (
            "@in", "Whether a list holds a value, or a map a key.",
            #""MAT" in ["MAT", "ENG"] && "a" in {"a": 1}"#
        ),
    ]
}
