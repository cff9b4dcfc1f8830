import CEL
import Values

/// What libFuzzer calls with each input: the bytes are a source, which is compiled against declared and free variables, evaluated,
/// and explained. Nothing may crash, and nothing may take long.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let source = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    for (environment, activation) in CELFuzz.environments {
        guard let program = try? CELProgram.compile(source, in: environment) else { continue }
        let (plain, explained) = (program.evaluate(activation), program.explain(activation).result)
        // A traced plan computes no constants early, so that it may come to the limit sooner. NaN differs from itself: texts are
        // compared.
        if !CELFuzz.isCostLimit(plain), !CELFuzz.isCostLimit(explained) {
            precondition("\(plain)" == "\(explained)", "explaining changes the result")
        }
    }
    return 0
}

enum CELFuzz {
    static func isCostLimit(_ result: Result<Value, CELError>) -> Bool {
        if case .failure(let error) = result { return error.kind == .costLimit }
        return false
    }

    private static let lesson = RecordShape(
        "lesson",
        fields: [
            FieldShape("state", .string), FieldShape("start", .timestamp), FieldShape("hours", .double),
            FieldShape("teachers", .list(.string)), FieldShape("info", .string, optional: true),
        ]
    )

    private static let values: [String: Value] = [
        "lesson": [
            "state": "CANCELLED", "start": .timestamp(Timestamp(seconds: 1_796_000_000)), "hours": 1.5,
            "teachers": ["Rossi", "Gruber"],
        ],
        "i": 7, "u": .uint(3), "d": 2.5, "s": "häß", "b": true, "l": [1, 2, 3], "m": ["a": 1, "b": [true, nil]],
        "x": 1.5,
        "now": .timestamp(Timestamp(seconds: 1_796_000_000)), "y": .bytes([0, 255]), "r": .duration(.hours(2)),
    ]

    /// One environment that checks, and one that leaves everything to the evaluation. The limit keeps one input short.
    static let environments: [(CELEnvironment, CELActivation)] = [true, false].map { isChecked in
        var options = CELEnvironment.Options()
        options.isChecked = isChecked
        options.costLimit = 20_000
        let types: [(String, CELType)] = [
            ("lesson", .record(lesson)), ("i", .int), ("u", .uint), ("d", .double), ("s", .string), ("b", .bool),
            ("l", .list(.int)),
            ("m", .map(key: .string, value: .dyn)), ("x", .dyn), ("now", .timestamp), ("y", .bytes), ("r", .duration),
        ]
        let environment = CELEnvironment(variables: types.map { CELVariable($0.0, $0.1) }, options: options)
        return (environment, CELActivation(values, in: environment))
    }
}
