import CEL
import Testing
import Values

/// Optional fields: read only where they are known to be there.
@Suite struct GuardTests {
    @Test(arguments: [
        "has(lesson.info) && lesson.info == 'x'",
        "lesson.info == 'x' && has(lesson.info)",
        "!has(lesson.info) || lesson.info == 'x'",
        "has(lesson.info) ? lesson.info == 'x' : lesson.exam",
        "!has(lesson.info) ? lesson.exam : lesson.info == 'x'",
        "!(has(lesson.info) && lesson.info == 'x')",
        "has(lesson.info) && (lesson.exam || lesson.info == 'x')",
        "has(lesson.info) && lesson['info'] == 'x'",
        "has(lesson.room) && has(lesson.room.floor) && lesson.room.floor > 1",
        "changes.exists(c, has(c.old) && c.old == 'x')",
        "changes.all(c, !has(c.old) || c.old == 'x')",
        "lesson.?info.orValue('') == 'x'",
        "lesson.?room.floor.orValue(0) > 1",
        "lesson.?info.hasValue()",
        "!(!has(lesson.info) || lesson.info == 'x')",
    ])
    func `a guarded field may be read`(source: String) throws {
        _ = try CELProgram.compile(source, in: School.environment, expecting: .bool)
    }

    @Test(arguments: [
        "lesson.info == 'x'",
        "has(lesson.info) || lesson.info == 'x'",
        "!has(lesson.info) && lesson.info == 'x'",
        "has(lesson.info) ? lesson.exam : lesson.info == 'x'",
        "has(old.info) && lesson.info == 'x'",
        "(has(lesson.info) || lesson.exam) && lesson.info == 'x'",
        "changes.exists(c, has(c.old)) && changes.exists(c, c.old == 'x')",
        "changes.exists(c, has(lesson.info) && c.old == 'x')",
        "has(lesson.room) && lesson.room.floor > 1",
        "lesson.exam && lesson['info'] == 'x'",
        "changes.exists(c, has(c.old) && changes.exists(c, c.old == 'x'))",
    ])
    func `an unguarded field is refused`(source: String) {
        #expect(throws: CELComplaints.self) { try CELProgram.compile(source, in: School.environment, expecting: .bool) }
    }

    @Test func `null in an optional field counts as missing`() throws {
        let environment = CELEnvironment(variables: [CELVariable("lesson", .record(School.lesson))])
        let program = try CELProgram.compile("has(lesson.info)", in: environment)
        let withNull = CELActivation(["lesson": ["info": nil]], in: environment)
        #expect(program.test(withNull) == .success(false))
        #expect(program.test(CELActivation(["lesson": ["info": ""]], in: environment)) == .success(true))
    }

    @Test func `fields are found wherever they stand in a record`() throws {
        let values: Value = ["room": ["floor": 2, "name": "R1"], "x": 1, "info": "i", "text": "t", "state": "S"]
        let environment = CELEnvironment(variables: [CELVariable("lesson", .record(School.lesson))])
        let activation = CELActivation(["lesson": values], in: environment)
        for source in [
            "lesson.state == 'S'", "lesson.text == 't'", "lesson.?room.?floor == optional.of(2)", "!has(lesson.exam)",
        ] {
            #expect(try CELProgram.compile(source, in: environment).test(activation) == .success(true), "\(source)")
        }
    }
}
