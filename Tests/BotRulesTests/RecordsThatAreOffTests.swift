import BotCore
import BotRules
import PokyhProvider
import Testing
import Values
import WebUntisProvider

/// `time_of` on the records of the real providers.
@Suite struct RecordsThatAreOffTests {
    static func told(_ field: String, _ source: SourceEntry, _ record: Record) -> Int {
        var installation = TestSchool.installation()
        installation.sources = [source]
        let text = """
            version: 1
            rules:
              - id: soon
                when: {time_of: {field: \(field), before: 10m}}
                message: {title: "soon"}
                send: [terminal]
            """
        var runner = RuleRunner(RuleFiles.load([TestSchool.file(text)], in: installation).book, at: "2026-12-01T07:00")
        runner.snapshots[source.name] = SourceView(records: [record], takenAt: runner.clock)
        runner.fire(through: "2026-12-01T07:45")
        return runner.messages.count
    }

    @Test(arguments: [("planned", 1), ("moved", 1), ("cancelled", 0)])
    func `nobody is reminded of a lesson that is cancelled`(state: String, count: Int) {
        let schema = WebUntisPlugins.timetable.schema(Settings(name: "t", values: ValueMap()))
        let source = TestSchool.source("timetable", schema, account: "rossi", school: TestSchool.school)
        let lesson = TestSchool.lessonRecord("MAT", "2026-12-01T07:50", state: state)
        #expect(Self.told("lesson.start", source, lesson) == count)
    }

    @Test(arguments: [(false, 1), (true, 0)])
    func `nobody is reminded of a to-do that is done`(isDone: Bool, count: Int) {
        let schema = PokyhPlugins.todos.schema(Settings(name: "t", values: ValueMap()))
        let source = TestSchool.source("todos", schema, account: "pokyh")
        let todo = Record(
            key: "1",
            type: "todo",
            fields: ["done": .bool(isDone), "due_at": .timestamp(TestSchool.instant("2026-12-01T07:50"))]
        )
        #expect(Self.told("todo.due_at", source, todo) == count)
    }
}
