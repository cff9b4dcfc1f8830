import BotCore
import BotTestKit
import PokyhProvider
import Testing
import Values

@Suite struct ReminderTests {
    private static let reminders = "GET /classes/5a6b7c8d9e0f1a2b3c4d5e6f/reminders"
    private static let todos = "GET /users/testina.musterhofer/todos"

    @Test func `a new and a deleted reminder are told, the server's own marks are not`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer(Self.reminders, "backend_reminders")
        var source = try Household(backend).source(PokyhPlugins.reminders)
        #expect(try await source.poll().isEmpty)
        try await backend.answer(Self.reminders, "backend_reminders_after")
        let told = try await source.poll()
        #expect(
            told.map { "\($0.kind) \($0.text("title"))" } == [
                "reminder.added DEU-Schularbeit", "reminder.removed Sportzeug",
            ]
        )
        #expect(try await source.poll().isEmpty)
    }

    @Test func `a reminder is due at its instant and shown in local time`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer(Self.reminders, "backend_reminders")
        var source = try Household(backend).source(PokyhPlugins.reminders, ["student": "Anna"])
        _ = try await source.poll()
        let next = try #require(try source.query("reminders.next")["reminders"]?.list)
        let due = try #require(Timestamp(rfc3339: "2026-11-30T16:00:00Z"))
        #expect(next.first?["remind_at"] == .timestamp(due) && next.first?["time"] == "17:00" && next.count == 2)
        #expect(source.lastSnapshot?.student == Student(id: "9f1c2d3e4f5061728394a5b6c7d8e9f0", name: "Anna"))
        #expect(try source.query("reminders.next", at: due + .seconds(1))["reminders"]?.list?.count == 1)
    }

    @Test func `reminders that are a day old are archived, not deleted`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer(Self.reminders, "backend_reminders")
        var source = try Household(backend).source(PokyhPlugins.reminders)
        _ = try await source.poll()
        await backend.answer(Self.reminders, .json([]))
        #expect(try await source.poll(at: Fixtures.monday + .days(5)).isEmpty)
    }

    @Test func `to-dos are told when they are new, done or deleted, not when they are archived`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer(Self.todos, "backend_todos")
        var source = try Household(backend).source(PokyhPlugins.todos)
        #expect(try await source.poll().isEmpty)
        #expect(
            try source.query("todos.due")["todos"]?.list?.map { $0["title"] } == [
                "Praktikumsvertrag abgeben", "Buch zurückgeben",
            ]
        )
        try await backend.answer(Self.todos, "backend_todos_after")
        let told = try await source.poll()
        #expect(
            told.map { "\($0.kind) \($0.text("title"))" } == [
                "todo.done Buch zurückgeben", "todo.added Helm mitbringen",
            ]
        )
        await backend.answer(
            Self.todos,
            .json([["id": "22222222-0000-4000-8000-000000000001", "title": "x", "done": false, "dueAt": nil]])
        )
        #expect(try await source.poll().map(\.kind) == ["todo.changed", "todo.removed"])
    }

    @Test func `a new class is a new era`() async throws {
        let backend = try ScriptedBackend()
        try await backend.answer(Self.reminders, "backend_reminders")
        var source = try Household(backend).source(PokyhPlugins.reminders)
        _ = try await source.poll()
        #expect(source.lastSnapshot?.era == "5a6b7c8d9e0f1a2b3c4d5e6f")
        await backend.answer(
            "GET /auth/me",
            .json(["stableUid": "u2", "username": "anna", "classId": nil, "role": "student"])
        )
        #expect(await failure { _ = try await source.poll() }?.disposition == .unavailable)
    }

    @Test(arguments: ["{}", "null", "<p>", "[{\"id\":1}]"]) func `answers of another form are errors or counted`(
        body: String
    ) async throws {
        let backend = try ScriptedBackend()
        await backend.answer(Self.reminders, HTTPResponse(status: 200, body: Array(body.utf8)))
        var source = try Household(backend).source(PokyhPlugins.reminders)
        let error = await failure { _ = try await source.poll() }
        #expect(error != nil || source.lastSnapshot?.unreadable == 1)
    }
}
