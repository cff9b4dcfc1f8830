import BotCore
import BotTestKit
import Foundation
import Testing
import Values
import WebUntisProvider

/// A row of a timetable, written down as the server would send it.
struct Row: Sendable {
    var ids: [Int64]
    var date: String
    var start: String
    var end: String
    var subject: String?
    var teachers = ["ROS"]
    var removedTeachers: [String] = []
    var room: String? = "T101"
    var removedRoom: String?
    var classes = ["2.TST-A"]
    var groups: [String] = []
    var type = "NORMAL_TEACHING_PERIOD"
    var status = "REGULAR"
    var text = ""
    var name: String?
    /// From when to when it would have been, `2026-11-30T07:50`, where the row says that it was moved.
    var origin: (start: String, end: String)?

    init(_ ids: Int64..., on date: String = "2026-11-30", at time: String, _ subject: String?) {
        self.ids = ids
        self.date = date
        let ends = time.split(separator: "-").map(String.init)
        start = ends[0]
        end = ends[1]
        self.subject = subject
    }

    func with(_ change: (inout Row) -> Void) -> Row {
        var row = self
        change(&row)
        return row
    }

    var cancelled: Row { with { $0.status = "CANCELLED" } }
    var additional: Row { with { $0.type = "ADDITIONAL_PERIOD" } }

    var json: Value {
        var positions: [Value] = [
            .list(teachers.map { Self.element("TEACHER", $0) } + removedTeachers.map { Self.gone("TEACHER", $0) })
        ]
        positions.append(.list(subject.map { [Self.element("SUBJECT", $0)] } ?? []))
        if let room {
            positions.append([
                ["current": Self.names("ROOM", room), "removed": removedRoom.map { Self.names("ROOM", $0) } ?? .null]
            ])
        }
        positions.append(.list(classes.map { Self.element("CLASS", $0) }))
        positions.append(.list(groups.map { Self.element("STUDENT_GROUP", $0) }))
        var map: ValueMap = [
            "ids": .list(ids.map { .int($0) }),
            "duration": ["start": .string("\(date)T\(start)"), "end": .string("\(date)T\(end)")],
            "type": .string(type), "status": .string(status),
            "statusDetail": origin == nil ? .null : "MOVED",
            "name": name.map { .string($0) } ?? .null,
            "lessonText": .string(text), "texts": [],
            "moved": origin.map { ["start": .string($0.start), "end": .string($0.end)] } ?? .null,
        ]
        for (index, position) in positions.enumerated() { map["position\(index + 1)"] = position }
        return .map(map)
    }

    private static func element(_ type: String, _ name: String) -> Value {
        ["current": names(type, name), "removed": nil]
    }
    private static func gone(_ type: String, _ name: String) -> Value {
        ["current": nil, "removed": names(type, name)]
    }
    private static func names(_ type: String, _ name: String) -> Value {
        [
            "type": .string(type), "status": "REGULAR", "shortName": .string(name), "longName": .string(name),
            "displayName": .string(name),
        ]
    }
}

extension ScriptedSchool {
    /// Shows these rows for the days asked for, all other days empty; refuses ranges as the real server does.
    ///
    /// - Parameters:
    ///   - border: a day that no range may cross from the days before it (-8507).
    ///   - limit: the last day that is shown; ranges that end later are refused (-7004).
    func show(_ rows: [Row], border: CalendarDate? = nil, limit: CalendarDate? = nil) {
        answer("timetable/entries") { request in
            guard let start = CalendarDate(request.query["start"] ?? ""),
                let end = CalendarDate(request.query["end"] ?? "")
            else {
                return .json(["errorCode": "VALIDATION"], status: 400)
            }
            if let border, start < border, end >= border {
                return .json(["error": ["code": -8507, "message": "not in one year"]])
            }
            if let limit, end > limit { return .json(["error": ["code": -7004, "message": "no allowed date"]]) }
            let days = DateWindow(start, through: end).dates.map { date -> Value in
                let entries = rows.filter { $0.date == date.description }.map(\.json)
                return [
                    "date": .string(date.description), "status": "REGULAR",
                    "resource": ["id": .int(Int64(request.query["resources"] ?? "") ?? 0)],
                    "gridEntries": .list(entries), "dayEntries": [], "backEntries": [],
                ]
            }
            return .json(["format": 1, "days": .list(days), "errors": []])
        }
    }
}

/// Tests that show one timetable after the other.
protocol TimetablePolls {}

extension TimetablePolls {
    /// Polls one timetable after the other; what the polls after the first tell.
    func told(
        _ polls: [[Row]],
        lookAhead: Int64 = 5,
        at moments: [Timestamp] = []
    ) async throws -> [[Occurrence]] {
        let school = try ScriptedSchool()
        var source = try Household(school).source(
            WebUntisPlugins.timetable,
            ["look_ahead": .duration(.days(lookAhead)), "trust_import": .duration(.zero)]
        )
        var told: [[Occurrence]] = []
        for (index, rows) in polls.enumerated() {
            await school.show(rows)
            told.append(try await source.poll(at: index < moments.count ? moments[index] : Fixtures.monday))
        }
        #expect(told.first?.isEmpty == true)
        return Array(told.dropFirst())
    }

    func lines(_ polls: [[Row]]) async throws -> [[String]] { try await told(polls).map { $0.map(\.line) } }
}
