@testable import CEL
import Testing
import Values

/// What holds for every expression, tried with some thousand of them.
@Suite struct PropertyTests {
    private static let perSeed = 150

    @Test(arguments: 0..<10)
    func `printing a tree and parsing it gives the same tree`(seed: Int) throws {
        var generator = ExpressionGenerator(seed: UInt64(seed))
        for _ in 0..<Self.perSeed {
            let source = generator.expression()
            let root = try Parser.parse(source).root
            let printed = Printer.text(root)
            #expect(Self.tree(try Parser.parse(printed).root) == Self.tree(root), "\(source)\n\(printed)")
        }
    }

    @Test(arguments: [
        "a.?b[?c].d", ".a.b", "-(-1)", "-(1)", "--1", "!(!a)", "(-1).f()", "a ? b : c ? d : e", "(a ? b : c) ? d : e",
        "a - (b - c)",
        "(a && b) && c", "a && (b || c)", "a.`b-c`", "has(a.`b/c`)", "T{a: 1, ?b: c}", "a.b.C{}", "[?a, b]", "{?a: b}",
        "a in b in c",
        "1.5.f()", "r'\\n' + '''\n'''", "b'\\377'", "a.exists(x, y, x)", "a.transformMapEntry(x, y, x > 1, {x: y})",
        "-a.b", "(-a).b",
        "a.optFlatMap(x, x)", "-0.0", "1e-7", "'\\\\\"'", "a[-1]", "!a == b", "-(9223372036854775807)", "1u - 2u",
        "a == (b == c)",
    ])
    func `the corners of the grammar print and parse to the same tree`(source: String) throws {
        let root = try Parser.parse(source).root
        let printed = Printer.text(root)
        #expect(Self.tree(try Parser.parse(printed).root) == Self.tree(root), "\(printed)")
    }

    @Test(arguments: 0..<10)
    func `computing constants early never changes a result`(seed: Int) throws {
        var generator = ExpressionGenerator(seed: UInt64(100 + seed))
        for _ in 0..<Self.perSeed {
            let source = generator.expression()
            func result(folds: Bool) throws -> Datum {
                var compiler = Compiler(environment: ExpressionGenerator.environment, source: source, expecting: nil)
                compiler.folds = folds
                return try compiler.program().evaluateToDatum(ExpressionGenerator.activation)
            }
            #expect(Self.text(try result(folds: true)) == Self.text(try result(folds: false)), "\(source)")
        }
    }

    @Test(arguments: 0..<10)
    func `a value has the type that the checker found`(seed: Int) throws {
        var generator = ExpressionGenerator(seed: UInt64(200 + seed))
        for _ in 0..<Self.perSeed {
            let source = generator.expression()
            let program = try CELProgram.compile(source, in: ExpressionGenerator.environment)
            let value = program.evaluateToDatum(ExpressionGenerator.activation)
            #expect(
                value.isError || Self.has(value, program.resultType),
                "\(source): \(program.resultType) but \(value)"
            )
        }
    }

    @Test(arguments: 0..<5)
    func `an explained evaluation has the same result`(seed: Int) throws {
        var generator = ExpressionGenerator(seed: UInt64(300 + seed))
        for _ in 0..<Self.perSeed {
            let source = generator.expression()
            let program = try CELProgram.compile(source, in: ExpressionGenerator.environment)
            let plain = program.evaluate(ExpressionGenerator.activation)
            #expect("\(program.explain(ExpressionGenerator.activation).result)" == "\(plain)", "\(source)")
        }
    }

    @Test(arguments: 0..<5)
    func `an evaluation costs no more than was estimated, where everything is known`(seed: Int) throws {
        var generator = ExpressionGenerator(seed: UInt64(400 + seed))
        for _ in 0..<Self.perSeed {
            let source = generator.expression()
            let program = try CELProgram.compile(source, in: ExpressionGenerator.environment)
            var meter = Meter(limit: 1_000_000)
            _ = program.plan.run(ExpressionGenerator.activation, &meter)
            #expect(meter.spent <= program.estimatedCost.most, "\(source)")
            #expect(program.estimatedCost.least <= program.estimatedCost.most, "\(source)")
        }
    }

    // MARK: Comparing

    private static func has(_ value: Datum, _ type: CELType) -> Bool {
        guard value.fits(type) else { return false }
        switch (value, type) {
        case (.list(let list), .list(let element)): return list.elements.allSatisfy { has($0, element) }
        case (.map(let map), .map(let key, let element)):
            return map.pairs.allSatisfy { has($0.key, key) && has($0.value, element) }
        case (.optional(let boxed), .optional(let wrapped)): return boxed.map { has($0.value, wrapped) } ?? true
        default: return true
        }
    }

    /// A value as text; errors by kind and place.
    private static func text(_ value: Datum) -> String {
        switch value {
        case .error(let failure): "\(failure.error.kind) \(failure.error.message) \(failure.error.span)"
        case .list(let list): "[\(list.elements.map(text).joined(separator: ", "))]"
        case .map(let map): "{\(map.pairs.map { "\(text($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
        case .optional(let boxed): "optional \(boxed.map { text($0.value) } ?? "none")"
        default: "\(value)"
        }
    }

    /// A tree without places and numbers.
    private static func tree(_ node: Node) -> String {
        let parts = node.parts.map(tree).joined(separator: " ")
        switch node.kind {
        case .literal(let literal): return "\(literal)"
        case .identifier(let name, let isAbsolute): return "(name \(name) \(isAbsolute))"
        case .select(_, let field, let isOptional): return "(select \(parts) \(field) \(isOptional))"
        case .presence(_, let field, let isOptional): return "(has \(parts) \(field) \(isOptional))"
        case .index(_, _, let isOptional): return "(index \(parts) \(isOptional))"
        case .call(let function, let target, _): return "(call \(function) \(target != nil) \(parts))"
        case .and: return "(and \(parts))"
        case .or: return "(or \(parts))"
        case .conditional: return "(if \(parts))"
        case .list(let elements): return "(list \(elements.map(\.isOptional)) \(parts))"
        case .map(let entries): return "(map \(entries.map(\.isOptional)) \(parts))"
        case .message(let name, let fields):
            return "(message \(name) \(fields.map { "\($0.name)\($0.isOptional)" }) \(parts))"
        case .comprehension(let comprehension):
            return
                "(\(comprehension.macro) \(comprehension.variables.map(\.name)) \(comprehension.filter != nil) \(parts))"
        case .bind(let variable, _, _): return "(bind \(variable.name) \(parts))"
        case .optionalMap(_, let variable, _, let isFlat): return "(optMap \(variable.name) \(isFlat) \(parts))"
        }
    }
}
