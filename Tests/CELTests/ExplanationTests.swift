import CEL
import Testing
import Values

/// Why a condition is what it is.
@Suite struct ExplanationTests {
    private func explain(_ source: String) throws -> CELExplanation {
        try CELProgram.compile(source, in: School.environment).explain(School.activation)
    }

    private func text(_ step: CELExplanation.Step, of source: String) -> String {
        String(decoding: Array(source.utf8)[step.span], as: UTF8.self)
    }

    @Test(
        arguments: [
            ("lesson.state == 'CANCELLED' && lesson.period > 2", ["lesson.period > 2"]),
            ("lesson.state == 'REGULAR' || lesson.period > 2", ["lesson.state == 'REGULAR'", "lesson.period > 2"]),
            ("!(lesson.period == 1)", ["lesson.period == 1"]),
            ("lesson.exam ? true : lesson.period == 5", ["lesson.exam", "lesson.period == 5"]),
            ("lesson.exam || lesson.period == 1", ["lesson.period == 1"]),
            ("item.cost > 2 && true", ["item.cost > 2"]),
        ] as [(String, [String])]
    )
    func `the parts that decided are named`(source: String, due: [String]) throws {
        let explanation = try explain(source)
        #expect(explanation.deciding.map { text($0, of: source) } == due)
    }

    @Test func `a deciding comparison has its operands`() throws {
        let source = "lesson.state == 'CANCELLED' && lesson.period > 2"
        let deciding = try #require(try explain(source).deciding.first)
        #expect(deciding.value == .success(false))
        #expect(deciding.parts.map { text($0, of: source) } == ["lesson.period"])
        #expect(deciding.parts.map(\.value) == [.success(1)])
    }

    @Test(arguments: [
        "lesson.state == 'CANCELLED' && lesson.period > 2", "changes.map(c, c.field)", "item.cost", "1 / 0 == 1",
        "lesson.?info.orValue('none')", "[1, 2, 3].all(x, x > 1)", "cel.bind(x, 2, x * x)",
    ])
    func `an explained evaluation has the result of a plain one`(source: String) throws {
        let program = try CELProgram.compile(source, in: School.environment)
        #expect(program.explain(School.activation).result == program.evaluate(School.activation))
    }

    @Test func `long loops are cut short`() throws {
        let environment = CELEnvironment(variables: [CELVariable("list", .list(.int))])
        let list = Value.list((0..<3000).map { .int($0) })
        let explanation = try CELProgram.compile("list.all(x, x >= 0)", in: environment).explain(
            CELActivation(["list": list], in: environment)
        )
        #expect(explanation.isCutShort)
        #expect(explanation.result == .success(true))
    }
}
