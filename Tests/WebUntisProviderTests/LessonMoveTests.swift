import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// Lessons that move or make room for others, under their own ids and under new ones.
@Suite struct LessonMoveTests: TimetablePolls {
    private let mat = Row(1, at: "07:50-08:40", "MAT")
    private let deu = Row(2, at: "08:40-09:30", "DEU")

    @Test
    func `a lesson whose row at the new time names the old one is one move, although its old row and id are gone`()
        async throws
    {
        let origin = (start: "2026-11-30T07:50", end: "2026-11-30T08:40")
        for (date, line) in [("2026-11-30", "MAT 14:05–14:55"), ("2026-12-02", "MAT 14:05–14:55")] {
            let moved = Row(9, on: date, at: "14:05-14:55", "MAT").with { $0.origin = origin }
            let told = try await told([[mat, deu], [deu, moved]])
            #expect(told[0].map(\.line) == ["lesson.moved \(line)"])
            #expect(told[0].first?.oldText("time") == "07:50–08:40")
            #expect(told[0].first?.record.fields["old_start"] == told[0].first?.old?.fields["start"])
        }
    }

    @Test func `a period id that turns up on another day is that lesson moved`() async throws {
        let moved = mat.with { ($0.date, $0.start, $0.end) = ("2026-12-02", "10:35", "11:25") }
        #expect(try await lines([[mat, deu], [deu, moved]]) == [["lesson.moved MAT 10:35–11:25"]])
    }

    @Test func `two lessons that swap their times are two moves, under new ids or old ones`() async throws {
        for ids in [[Int64(1), 2], [101, 102]] {
            let swapped = [
                mat.with { ($0.ids, $0.start, $0.end) = ([ids[0]], "08:40", "09:30") },
                deu.with { ($0.ids, $0.start, $0.end) = ([ids[1]], "07:50", "08:40") },
            ]
            #expect(
                try await lines([[mat, deu], swapped])[0].sorted() == [
                    "lesson.moved DEU 07:50–08:40", "lesson.moved MAT 08:40–09:30",
                ]
            )
        }
    }

    @Test func `a double lesson that moves under new ids is one move, in whatever order its rows come`() async throws {
        let double = [mat, mat.with { ($0.ids, $0.start, $0.end) = ([3], "08:40", "09:30") }]
        let moved = [Row(11, at: "14:05-14:55", "MAT"), Row(12, at: "14:55-15:45", "MAT")]
        let later = deu.with { ($0.start, $0.end) = ("10:35", "11:25") }
        for rows in [moved, moved.reversed()] {
            let told = try await told([double + [later], rows + [later]])
            #expect(told[0].map(\.line) == ["lesson.moved MAT 14:05–15:45"])
            let record = try #require(told[0].first?.record)
            #expect(record.fields["old_start"] == .timestamp(try #require(Timestamp(rfc3339: "2026-11-30T06:50:00Z"))))
            #expect(record.fields["old_end"] == .timestamp(try #require(Timestamp(rfc3339: "2026-11-30T08:30:00Z"))))
        }
    }

    @Test func `a lesson that moves under a new id and gets a stand-in is told once with both`() async throws {
        let moved = Row(9, at: "14:05-14:55", "MAT").with { ($0.teachers, $0.removedTeachers) = (["VER"], ["ROS"]) }
        let told = try await told([[mat, deu], [deu, moved]])
        #expect(told[0].map(\.line) == ["lesson.moved MAT 14:05–14:55"])
        let changed = try #require(told[0].first).changes.map(\.field)
        #expect(Set(["start", "end", "teachers"]).isSubset(of: changed))
    }

    @Test func `of two lessons of a subject the one that moved is told, not the other`() async throws {
        let late = Row(3, at: "12:15-13:05", "MAT")
        let moved = Row(9, at: "13:15-14:05", "MAT")
        let told = try await told([[mat, deu, late], [mat, deu, moved]])
        #expect(told[0].map(\.line) == ["lesson.moved MAT 13:15–14:05"])
        #expect(told[0].first?.oldText("time") == "12:15–13:05")
        // One goes for good, the other moves: the nearer one has moved.
        let both = try await self.told([[mat, deu, late], [deu, moved]])
        #expect(both[0].map(\.line) == ["lesson.moved MAT 13:15–14:05", "lesson.removed MAT 07:50–08:40"])
    }

    @Test func `a cancelled lesson and a planned one of its subject elsewhere on the day are a move`() async throws {
        let told = try await told([[mat, deu], [mat.cancelled, deu, Row(9, at: "14:05-14:55", "MAT")]])
        #expect(told[0].map(\.line) == ["lesson.moved MAT 14:05–14:55"])
        #expect(told[0].first?.oldText("state") == "planned")
    }

    @Test func `another lesson in the place of one that is gone is one replacement, and so is the way back`()
        async throws
    {
        let other = Row(9, at: "07:50-08:40", "DEU").with { $0.room = "R4" }
        let told = try await told([[mat], [other], [mat]])
        #expect(told[0].map(\.line) == ["lesson.replaced MAT 07:50–08:40"])
        #expect(told[0].first?.text("new_subject") == "DEU" && told[0].first?.text("new_room") == "R4")
        #expect(told[1].map(\.line) == ["lesson.replaced DEU 07:50–08:40"])
        #expect(told[1].first?.text("new_subject") == "MAT")
    }

    @Test func `a replacement that is taken back is one lesson that takes place after all`() async throws {
        let other = Row(9, at: "07:50-08:40", "DEU")
        #expect(
            try await lines([[mat], [mat.cancelled, other], [mat]]) == [
                ["lesson.replaced MAT 07:50–08:40"], ["lesson.restored MAT 07:50–08:40"],
            ]
        )
    }

    @Test func `a lesson that takes place again says nothing of another one that is gone from the day`() async throws {
        // Nothing in the plan says that the two belong together: without the second message somebody would wait at 14:05.
        let later = Row(9, at: "14:05-14:55", "MAT")
        #expect(
            try await lines([[mat.cancelled, deu, later], [mat, deu]])[0] == [
                "lesson.restored MAT 07:50–08:40", "lesson.removed MAT 14:05–14:55",
            ]
        )
    }

    @Test func `a lesson of another group that comes and goes replaces nothing`() async throws {
        let english = Row(3, at: "07:50-08:40", "ENG").with { $0.groups = ["E1"] }
        let latin = Row(4, at: "07:50-08:40", "LAT").with { $0.groups = ["L1"] }
        #expect(
            try await lines([[english, deu], [latin, deu]])[0].sorted() == [
                "lesson.added LAT 07:50–08:40", "lesson.removed ENG 07:50–08:40",
            ]
        )
    }

    @Test func `a lesson that moved to another day under a new id and comes back is moved twice`() async throws {
        let moved = Row(9, on: "2026-12-02", at: "10:35-11:25", "MAT")
            .with { $0.origin = (start: "2026-11-30T07:50", end: "2026-11-30T08:40") }
        for back in [mat, mat.with { $0.ids = [12] }] {
            #expect(
                try await lines([[mat, deu], [deu, moved], [back, deu]]) == [
                    ["lesson.moved MAT 10:35–11:25"], ["lesson.moved MAT 07:50–08:40"],
                ]
            )
        }
    }
}
