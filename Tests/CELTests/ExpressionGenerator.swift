import CEL
import Values

/// Makes expressions of a wanted type, correct ones, from literals, variables and functions.
struct ExpressionGenerator {
    var random: SeededGenerator
    private var locals: [(name: String, kind: Kind)] = []

    enum Kind: CaseIterable {
        case bool, int, uint, double, string, bytes, duration, timestamp, ints, strings, map, optional
    }

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static let environment = CELEnvironment(variables: [
        CELVariable("b", .bool), CELVariable("i", .int), CELVariable("u", .uint), CELVariable("d", .double),
        CELVariable("s", .string), CELVariable("t", .timestamp), CELVariable("l", .list(.int)),
        CELVariable("m", .map(key: .string, value: .int)), CELVariable("x", .dyn),
    ])
    static let activation = CELActivation(
        [
            "b": true, "i": 7, "u": .uint(3), "d": 2.5, "s": "häß", "t": .timestamp(Timestamp(seconds: 1_796_000_000)),
            "l": [1, 2, 3], "m": ["a": 1, "b": 2], "x": 1.5,
        ],
        in: environment
    )

    mutating func expression(depth: Int = 4) -> String {
        expression(of: Kind.allCases.randomElement(using: &random) ?? .bool, depth: depth)
    }

    mutating func expression(of kind: Kind, depth: Int) -> String {
        if depth <= 0 || Int.random(in: 0..<6, using: &random) == 0 { return leaf(kind) }
        if Int.random(in: 0..<8, using: &random) == 0 {
            return
                "(\(expression(of: .bool, depth: depth - 1)) ? \(expression(of: kind, depth: depth - 1)) : \(expression(of: kind, depth: depth - 1)))"
        }
        var text = ""
        var rest = Substring(Self.forms(kind).randomElement(using: &random) ?? "true").utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "$"), let mark = rest.first, let part = Self.marks[mark] {
                rest.removeFirst()
                text += "(\(expression(of: part, depth: depth - 1)))"
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return text
    }

    private mutating func leaf(_ kind: Kind) -> String {
        Self.leaves(kind).randomElement(using: &random) ?? "true"
    }

    /// What stands behind `$` for a part of each kind in a form. Forms are ASCII.
    private static let marks: [UInt8: Kind] = [
        UInt8(ascii: "B"): .bool, UInt8(ascii: "I"): .int, UInt8(ascii: "U"): .uint, UInt8(ascii: "D"): .double,
        UInt8(ascii: "S"): .string, UInt8(ascii: "Y"): .bytes, UInt8(ascii: "R"): .duration,
        UInt8(ascii: "T"): .timestamp,
        UInt8(ascii: "L"): .ints, UInt8(ascii: "P"): .strings, UInt8(ascii: "M"): .map, UInt8(ascii: "O"): .optional,
    ]

    private static func leaves(_ kind: Kind) -> [String] {
        switch kind {
        case .bool: ["true", "false", "b", "has(m.a)", "has(m.zz)"]
        case .int: ["0", "-1", "7", "0x1F", "9223372036854775807", "-9223372036854775808", "i", "m.a", "l[1]", "l[9]"]
        case .uint: ["0u", "3u", "18446744073709551615u", "u"]
        case .double: ["0.5", "-2.25", "1e300", "d", "0.0"]
        case .string: ["''", "'abc'", "\"ä\\n\"", "r'\\d+'", "s", "'''a'b'''"]
        case .bytes: ["b'abc'", "b'\\xff\\000'"]
        case .duration: ["duration('1h30m')", "duration('-5s')", "duration('0.5ms')"]
        case .timestamp: ["timestamp('2026-11-30T16:00:00Z')", "timestamp(0)", "t"]
        case .ints: ["[]", "[1, 2, 3]", "l", "[-5]"]
        case .strings: ["['a', 'b']", "[s]", "[]"]
        case .map: ["{'a': 1}", "{}", "m"]
        case .optional: ["optional.of(1)", "optional.none()", "m.?a", "m[?'q']", "l[?7]"]
        }
    }

    private static func forms(_ kind: Kind) -> [String] {
        switch kind {
        case .bool:
            [
                "$B && $B", "$B || $B", "!$B", "$I < $I", "$D >= $D", "$S == $S", "$I != $I", "$I in $L", "$S in $P",
                "$S.startsWith($S)", "$S.contains($S)", "$S.endsWith($S)", "$L.all(x, x > $I)", "$L.exists(x, x == $I)",
                "$P.exists_one(x, x == $S)", "$M.exists(k, v, v > $I)", "$O.hasValue()", "$T < $T", "$R <= $R",
                "$L == $L",
                "$M == $M", "$I == $D", "$B && $B && $B", "$S.matches('^[a-z]+$')", "$U > $U", "$Y == $Y", "$S in $M",
                "dyn($I) == $D",
                "$I == i && $B || $I < 3", "$O == $O",
            ]
        case .int:
            [
                "$I + $I", "$I - $I", "$I * $I", "$I / $I", "$I % $I", "-$I", "size($S)", "size($L)", "$L[0]",
                "int($D)", "int($S)",
                "$O.orValue($I)", "$S.indexOf($S)", "math.greatest($I, $I)", "math.abs($I)", "$T.getHours('+01:00')",
                "size($M)",
                "$M['a']", "cel.bind(y, $I, y + y)", "$R.getMinutes()", "int($U)", "math.bitAnd($I, $I)",
                "$S.lastIndexOf($S)",
            ]
        case .uint: ["$U + $U", "$U * $U", "uint($I)", "$U / $U", "$U - $U", "math.bitOr($U, $U)"]
        case .double: ["$D + $D", "$D / $D", "double($I)", "$D * $D", "math.floor($D)", "math.sqrt($D)", "-$D"]
        case .string:
            [
                "$S + $S", "string($I)", "string($D)", "$S.upperAscii()", "$S.replace('a', $S)", "$P.join(',')",
                "$S.substring(0, 1)",
                "$S.trim()", "$S.charAt(0)", "'%s-%d'.format([$S, $I])", "$S.reverse()", "string($R)", "string($T)",
                "strings.quote($S)",
                "base64.encode($Y)",
            ]
        case .bytes: ["$Y + $Y", "bytes($S)", "base64.decode('aGk=')"]
        case .duration: ["$R + $R", "$R - $R", "$T - $T"]
        case .timestamp: ["$T + $R", "$T - $R"]
        case .ints:
            [
                "$L + $L", "$L.map(x, x * 2)", "$L.filter(x, x > $I)", "[$I, $I]", "[?$O, $I]",
                "$L.map(x, x > 1, x - 1)",
                "$L.transformList(n, x, n + x)",
            ]
        case .strings: ["$P + $P", "$S.split(',')", "$P.filter(x, x != $S)", "[$S]", "$M.map(k, k)"]
        case .map: ["{'a': $I, 'c': $I}", "$M.transformMap(k, v, v + 1)", "{?'a': $O, 'z': $I}"]
        case .optional:
            [
                "optional.of($I)", "$O.or($O)", "$O.optMap(x, x + 1)", "$O.optFlatMap(x, optional.of(x))",
                "optional.ofNonZeroValue($I)",
            ]
        }
    }
}
