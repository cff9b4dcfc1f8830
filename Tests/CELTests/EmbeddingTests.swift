import CEL
import Testing
import Values

/// What hosts do with the language.
@Suite struct EmbeddingTests {
    @Test(
        arguments: [
            ("lesson.start - now < days(2)", true), ("local(lesson.start).hour < 24", true),
            ("lesson.hours == 1", true),
            ("lesson.hours in [1, 2] && lesson.period == 1.0 && lesson.hours > 0", true), ("item.price > 2.5", true),
            ("changes.exists(c, c.field == 'room')", true), ("lesson.classes.exists(k, k.startsWith('3A'))", true),
            ("lesson.start.getHours('Europe/Rome') >= 0", true), ("lesson.subject.matches('^MA')", true),
            ("size(lesson.teachers.filter(t, t != 'Rossi')) == 1", true),
            (
                "cel.bind(m, lesson.start - event.at, m > duration('1h') && m < duration('1d'.replace('d', 'h') + '0m') || true)",
                true
            ),
        ] as [(String, Bool)]
    )
    func `conditions of rules give what they say`(source: String, due: Bool) throws {
        let program = try CELProgram.compile(source, in: School.environment, expecting: .bool)
        #expect(program.test(School.activation) == .success(due))
    }

    @Test func `the example of the README works`() throws {
        let lesson = RecordShape(
            "lesson",
            fields: [
                FieldShape("state", .string), FieldShape("hours", .double), FieldShape("info", .string, optional: true),
            ]
        )
        let environment = CELEnvironment(variables: [CELVariable("lesson", shape: .record(lesson))])
        let source = "lesson.state == 'CANCELLED' && lesson.hours > 0.5"
        let program = try CELProgram.compile(source, in: environment, expecting: .bool)
        let activation = CELActivation(["lesson": ["state": "CANCELLED", "hours": 1.0]], in: environment)
        #expect(program.test(activation) == .success(true))
    }

    @Test func `all mistakes are told at once, in the order of the source`() {
        let error = #expect(throws: CELComplaints.self) {
            try CELProgram.compile("lesson.a == 1 && lesson.b == 2 || foo(3)", in: School.environment)
        }
        #expect(error?.complaints.map(\.span) == [0..<8, 17..<25, 34..<37])
    }

    @Test func `a program tells which variables and fields it reads`() throws {
        let source = "lesson.start - now < days(2) && has(lesson.info) && changes.exists(c, c.field == lesson['state'])"
        let program = try CELProgram.compile(source, in: School.environment)
        #expect(program.references == ["lesson", "lesson.start", "now", "lesson.info", "changes", "lesson.state"])
        #expect(try !CELProgram.compile("lesson.exam", in: School.environment).references.contains("now"))
    }

    @Test(arguments: [
        ("lesson.hours", CELType.double), ("lesson.teachers", .list(.string)), ("lesson.start - now", .duration),
        ("[1, 2.0]", .list(.dyn)), ("{'a': 1}", .map(key: .string, value: .int)), ("lesson.?info", .optional(.string)),
        ("changes.map(c, c.field)", .list(.string)), ("local(now)", .record(School.clock)), ("item.x", .dyn),
    ])
    func `the type of a result is known when it is compiled`(source: String, type: CELType) throws {
        #expect(try CELProgram.compile(source, in: School.environment).resultType == type)
    }

    @Test func `the host says which type it needs`() throws {
        _ = try CELProgram.compile(
            "lesson.date == '' || true",
            in: CELEnvironment(variables: [CELVariable("lesson", .dyn)]),
            expecting: .bool
        )
        _ = try CELProgram.compile("item.x", in: School.environment, expecting: .string)
        #expect(throws: CELComplaints.self) {
            try CELProgram.compile("lesson.period", in: School.environment, expecting: .string)
        }
    }

    @Test func `a condition that gives no bool is an error, not false`() throws {
        let program = try CELProgram.compile("item.price", in: School.environment, expecting: .bool)
        guard case .failure(let error) = program.test(School.activation) else {
            return #expect(Bool(false), "no error")
        }
        #expect(error.message == "a condition gives a bool, not int")
    }

    @Test(arguments: [
        ("( 1+2 )*3 // sum", "(1 + 2) * 3"), ("lesson . state=='a'", "lesson.state == \"a\""),
        ("!( lesson.exam )", "!lesson.exam"),
    ])
    func `an expression can be written in one way`(source: String, due: String) throws {
        #expect(try CELProgram.compile(source, in: School.environment).canonicalSource == due)
    }

    @Test func `errors say what happened and where`() throws {
        let program = try CELProgram.compile("lesson.exam || item.cost > 2", in: School.environment)
        #expect(
            program.test(School.activation) == .failure(CELError(.missing, "there is no 'cost' in it", span: 15..<24))
        )
    }

    @Test func `a function of the host may fail`() throws {
        let failing = CELFunction("fails", overloads: [.init([.int], .bool)]) { _ in
            .failure(CELError(.host, "no network"))
        }
        let environment = CELEnvironment(functions: [failing])
        let activation = CELActivation([:] as [String: Value], in: environment)
        #expect(try CELProgram.compile("fails(1) || true", in: environment).test(activation) == .success(true))
        let result = try CELProgram.compile("fails(1)", in: environment).test(activation)
        #expect(result == .failure(CELError(.host, "no network", span: 0..<8)))
    }

    @Test func `a function of the host replaces the standard one of its name`() throws {
        let duration = CELFunction("duration", overloads: [.init([.string], .duration)]) { arguments in
            .success(.duration(arguments[0].string == "a lesson" ? .minutes(50) : .zero))
        }
        let environment = CELEnvironment(functions: [duration])
        let activation = CELActivation([:] as [String: Value], in: environment)
        let program = try CELProgram.compile("duration('a lesson')", in: environment)
        #expect(program.evaluate(activation) == .success(.duration(.minutes(50))))
    }

    @Test func `functions of the host may be receiver-style and have several overloads`() throws {
        let shout = CELFunction(
            "shout",
            overloads: [
                .init([.string], .string, receiverStyle: true), .init([.string, .int], .string, receiverStyle: true),
            ]
        ) { arguments in
            .success(
                .string(
                    (arguments[0].string ?? "")
                        + String(repeating: "!", count: Int(arguments.dropFirst().first?.integer ?? 1))
                )
            )
        }
        let environment = CELEnvironment(functions: [shout])
        let activation = CELActivation([:] as [String: Value], in: environment)
        #expect(
            try CELProgram.compile("'a'.shout() + 'b'.shout(3)", in: environment).evaluate(activation)
                == .success("a!b!!!")
        )
        #expect(throws: CELComplaints.self) { try CELProgram.compile("shout('a')", in: environment) }
    }

    @Test func `an environment can be extended, and what is bound stays bound`() throws {
        let event = try CELProgram.compile("lesson.exam", in: School.environment)
        let extended = School.environment.adding(variables: [
            CELVariable("vars.early", .bool), CELVariable("vars.n", .int),
        ])
        let rule = try CELProgram.compile("vars.early && !lesson.exam && vars.n == 2", in: extended, expecting: .bool)
        let activation = School.activation.adding(["vars.early": true, "vars.n": 2], in: extended)
        #expect(rule.test(activation) == .success(true))
        #expect(event.test(activation) == .success(false))
    }

    @Test func `values that are bound for another environment are an error`() throws {
        let program = try CELProgram.compile("1 == 1", in: CELEnvironment())
        guard case .failure(let error) = program.test(School.activation) else {
            return #expect(Bool(false), "no error")
        }
        #expect(error.kind == .unbound)
    }

    @Test func `a variable without a value is an error where it is used`() throws {
        let environment = CELEnvironment(variables: [CELVariable("a", .int), CELVariable("b", .bool)])
        let activation = CELActivation(["b": true], in: environment)
        #expect(try CELProgram.compile("a > 1 || b", in: environment).test(activation) == .success(true))
        let result = try CELProgram.compile("a > 1", in: environment).test(activation)
        #expect(result == .failure(CELError(.unbound, "'a' has no value", span: 0..<1)))
    }

    @Test func `a value of the wrong kind is an error, never a crash`() throws {
        let activation = CELActivation(["lesson": 3, "changes": "x", "now": nil, "event": []], in: School.environment)
        for source in [
            "lesson.state == 'x'", "changes.exists(c, c.field == 'x')", "now < lesson.start", "event.kind == 'x'",
            "has(lesson.info)", "local(now).hour < 3", "size(lesson.teachers) > 1",
        ] {
            guard case .failure = try CELProgram.compile(source, in: School.environment).test(activation) else {
                #expect(Bool(false), "no error for \(source)")
                continue
            }
        }
    }

    @Test func `without checking, mistakes show when the expression is evaluated`() throws {
        var options = CELEnvironment.Options()
        options.isChecked = false
        let environment = CELEnvironment(options: options)
        let activation = CELActivation([:] as [String: Value], in: environment)
        #expect(try CELProgram.compile("foo(1) || true", in: environment).test(activation) == .success(true))
        guard case .failure = try CELProgram.compile("1 + 'a' == 2", in: environment).test(activation) else {
            return #expect(Bool(false), "no error")
        }
    }

    @Test func `comparing numbers across types can be switched off`() throws {
        var options = CELEnvironment.Options()
        options.comparesNumbersAcrossTypes = false
        #expect(throws: CELComplaints.self) { try CELProgram.compile("1 < 1.5", in: CELEnvironment(options: options)) }
    }
}
