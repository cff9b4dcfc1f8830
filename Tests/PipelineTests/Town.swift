import BotCore
import Foundation
import Synchronization
import Values

/// A school for many accounts at once: it knows who asks, and a test says what each sees.
final class Town: HTTPClient {
    /// A row of the timetable.
    struct Lesson: Sendable {
        var id: Int64
        var date = "2026-12-01"
        var time: String
        var subject: String
        var teachers = ["ROS"]
        var room = "T101"
        var status = "REGULAR"

        init(_ id: Int64, _ time: String, _ subject: String) {
            self.id = id
            self.time = time
            self.subject = subject
        }

        var cancelled: Lesson { with { $0.status = "CANCELLED" } }

        func with(_ change: (inout Lesson) -> Void) -> Lesson {
            var lesson = self
            change(&lesson)
            return lesson
        }

        var json: Value {
            let ends = time.split(separator: "-").map { "\(date)T\($0)" }
            let element = { (type: String, name: String) -> Value in
                [
                    "current": [
                        "type": .string(type), "status": "REGULAR", "shortName": .string(name),
                        "longName": .string(name), "displayName": .string(name),
                    ],
                    "removed": nil,
                ]
            }
            return [
                "ids": [.int(id)], "duration": ["start": .string(ends[0]), "end": .string(ends[1])],
                "type": "NORMAL_TEACHING_PERIOD", "status": .string(status), "statusDetail": nil, "lessonText": "",
                "texts": [], "position1": .list(teachers.map { element("TEACHER", $0) }),
                "position2": [element("SUBJECT", subject)], "position3": [element("ROOM", room)],
                "position4": [element("CLASS", "3A-INF")],
            ]
        }
    }

    /// Who may log in: a student of its own, or a guardian of several.
    struct Person: Sendable {
        var id: Int64
        var children: [(id: Int64, name: String)] = []
    }

    private struct State {
        var people: [String: Person]
        /// By student; what stands under 0 is everybody's.
        var lessons: [Int64: [Lesson]] = [:]
        var grades: [Int64: [Value]] = [:]
        var exams: [Value] = []
        var dishes: [Value] = []
        var messages: [Value] = []
        /// Places that nobody may ask: `grading/list`.
        var denied: Set<String> = []
        /// The last day that the timetable shows; later ranges are refused.
        var limit: CalendarDate?
        var years: [Value] = [["id": 17, "name": "2026/2027", "startDate": 20_260_907, "endDate": 20_270_616]]
        /// Users whose requests fail, and how.
        var failing: [String: HTTPResponse] = [:]
        var loginErrors: [String: (code: Int64, text: String)] = [:]
        var requests: [String] = []
    }
    private let state: Mutex<State>

    init(_ people: [String: Person]) { state = Mutex(State(people: people)) }

    func show(_ lessons: [Lesson], to student: Int64 = 0) { state.withLock { $0.lessons[student] = lessons } }
    /// Marks of one lesson: id and mark.
    func grade(_ marks: [(id: Int64, mark: String)], of student: Int64) {
        let grades = marks.map { grade -> Value in
            [
                "id": .int(grade.id), "date": 20_261_110, "text": "Test",
                "mark": ["name": .string(grade.mark), "markDisplayValue": .double(Double(grade.mark) ?? 0)],
            ]
        }
        state.withLock { $0.grades[student] = grades }
    }
    func exams(_ exams: [Value]) { state.withLock { $0.exams = exams } }
    func messages(_ messages: [Value]) { state.withLock { $0.messages = messages } }
    func deny(_ place: String) { state.withLock { _ = $0.denied.insert(place) } }
    func limit(to date: CalendarDate) { state.withLock { $0.limit = date } }
    func dishes(_ dishes: [Value]) { state.withLock { $0.dishes = dishes } }
    func years(_ years: [Value]) { state.withLock { $0.years = years } }
    func fail(_ user: String, with response: HTTPResponse?) { state.withLock { $0.failing[user] = response } }
    func refuse(_ user: String, _ code: Int64, _ text: String) {
        state.withLock { $0.loginErrors[user] = (code, text) }
    }
    /// How often something was asked for: `anna authenticate`, `anna timetable/entries`.
    func count(_ request: String) -> Int { state.withLock { $0.requests.count { $0 == request } } }

    static let maintenance = HTTPResponse(
        status: 200,
        headers: [("Content-Type", "text/html")],
        body: Array("<!DOCTYPE html><title>Wartung</title>".utf8)
    )
    static let outage = HTTPResponse(status: 503)

    // MARK: Answers

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        let body = (try? Value(json: request.body ?? [])) ?? .null
        let cookie = request.headers.first { $0.name.lowercased() == "cookie" }?.value ?? ""
        let user =
            body["params"]["user"].string
            ?? cookie.split(separator: ";").lazy.map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix("JSESSIONID=") }.map { String($0.dropFirst(11)) } ?? ""
        return state.withLock { state in
            if let method = body["method"].string {
                state.requests.append("\(user) \(method)")
                return Self.rpc(method, body["id"], user, &state)
            }
            let path = String(request.url.prefix { $0 != "?" })
            let place = path.split(separator: "/").suffix(2).joined(separator: "/")
            state.requests.append("\(user) \(place)")
            if place == "token/new" {
                return HTTPResponse(status: 200, body: Array("header.\(user.filter { $0 != "." }).signature".utf8))
            }
            if let failure = state.failing[user] { return failure }
            if state.denied.contains(place) { return HTTPResponse(status: 403) }
            return Self.json(Self.document(place, Self.query(of: request.url), user, state))
        }
    }

    private static func rpc(_ method: String, _ id: Value, _ user: String, _ state: inout State) -> HTTPResponse {
        let result: Value
        switch method {
        case "authenticate":
            if let error = state.loginErrors[user] {
                return json(["id": id, "error": ["code": .int(error.code), "message": .string(error.text)]])
            }
            guard let person = state.people[user] else {
                return json(["id": id, "error": ["code": -8504, "message": "bad credentials"]])
            }
            result = [
                "sessionId": .string(user), "personType": person.children.isEmpty ? 5 : 12,
                "personId": .int(person.id),
            ]
        case "getSchoolyears": result = .list(state.years)
        case "getLatestImportTime": result = .int(Int64(state.requests.count))
        case "logout": result = .null
        default: return json(["id": id, "error": ["code": -8509, "message": "no right"]])
        }
        return json(["jsonrpc": "2.0", "id": id, "result": result])
    }

    private static func document(_ place: String, _ query: [String: String], _ user: String, _ state: State) -> Value {
        let student = Int64(query["resources"] ?? query["studentId"] ?? "") ?? 0
        if place.hasSuffix("/dishes") { return ["menu": ["dishes": .list(state.dishes)]] }
        switch place {
        case "app/data":
            let person = state.people[user] ?? Person(id: 0)
            let children = person.children.map { child -> Value in
                ["id": .int(child.id), "displayName": .string(child.name)]
            }
            return [
                "user": [
                    "person": ["id": .int(person.id), "displayName": "Musterhofer Testina"],
                    "roles": [children.isEmpty ? "STUDENT" : "LEGAL_GUARDIAN"], "students": .list(children),
                ],
                "tenant": ["id": "1"],
            ]
        case "timetable/entries":
            guard let start = CalendarDate(query["start"] ?? ""), let end = CalendarDate(query["end"] ?? "") else {
                return ["errorCode": "VALIDATION"]
            }
            if let limit = state.limit, end > limit { return ["error": ["code": -7004, "message": "no allowed date"]] }
            let lessons = state.lessons[student] ?? state.lessons[0] ?? []
            let days = DateWindow(start, through: end).dates.map { date -> Value in
                [
                    "date": .string(date.description), "status": "REGULAR", "resource": ["id": .int(student)],
                    "gridEntries": .list(lessons.filter { $0.date == date.description }.map(\.json)), "dayEntries": [],
                ]
            }
            return ["format": 1, "days": .list(days), "errors": []]
        case "grading/list": return ["data": ["lessons": [["id": 1, "subjects": "MAT"]]]]
        case "grading/lesson": return ["data": ["grades": .list(state.grades[student] ?? [])]]
        case "v1/messages": return ["incomingMessages": .list(query["start"] == "0" ? state.messages : [])]
        case "api/exams": return ["data": ["exams": .list(state.exams)]]
        default: return ["errorCode": "NOT_FOUND"]
        }
    }

    private static func query(of url: String) -> [String: String] {
        let pairs = url.drop { $0 != "?" }.dropFirst().split(separator: "&").map { $0.split(separator: "=") }
        return Dictionary(pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { first, _ in first }
    }

    private static func json(_ value: Value) -> HTTPResponse {
        HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: value.jsonBytes)
    }
}
