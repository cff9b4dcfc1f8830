import Digests
import SchoolSimulator
import Testing
import Values

@Suite(.enabled(if: Fixtures.folder != nil, "the fixtures are in ../shared, which is absent"))
struct ShapeTests {
    private static let school = "school=\(School.loginName)"
    private static let year = "startDate=20260901&endDate=20270630"

    /// Differences from a fixture, but for keys that the server may leave out or add.
    private func expectSame(_ answer: Value?, _ fixture: String, except keys: [String] = []) throws {
        let found = ShapeComparison.differences(try #require(answer), try Fixtures.value(fixture))
        let left = found.filter { line in !keys.contains { line.contains(".\($0) is") } }
        #expect(left == [], "\(fixture)")
    }

    @Test(arguments: [
        ("anna.muster", "anna-geheim", "untis_rpc_authenticate_student_with_class"),
        ("paola.muster", "paola-geheim", "untis_rpc_authenticate_guardian"),
        ("rita.rossi", "rita-geheim", "untis_rpc_authenticate_teacher"),
        ("anna.muster", "wrong", "untis_rpc_error_bad_credentials"),
    ])
    func `a login is answered as WebUntis answers it`(user: String, password: String, fixture: String) throws {
        let school = try RunningSchool()
        let answer = try school.rpc(
            "authenticate",
            ["user": .string(user), "password": .string(password), "client": "x"]
        )
        try expectSame(answer, fixture)
        let recorded = try Fixtures.value(fixture)
        #expect(answer["result"]["personType"] == recorded["result"]["personType"])
        #expect(answer["error"]["code"] == recorded["error"]["code"])
    }

    @Test(arguments: [
        ("getKlassen", "untis_rpc_getKlassen"), ("getSchoolyears", "untis_rpc_getSchoolyears"),
        ("getCurrentSchoolyear", "untis_rpc_getCurrentSchoolyear"), ("getStudents", "untis_rpc_error_no_right"),
        ("logout", "untis_rpc_logout"),
    ])
    func `a call of a student is answered as WebUntis answers it`(method: String, fixture: String) throws {
        let school = try RunningSchool()
        let answer = try school.rpc(method, [:], school.cookies(School.anna))
        try expectSame(answer, fixture, except: ["teacher1"])
        #expect(answer["error"]["code"] == (try Fixtures.value(fixture))["error"]["code"])
    }

    @Test func `students are listed for teachers, not for guardians, and nothing without a session`() throws {
        let school = try RunningSchool()
        let all = try school.rpc("getStudents", [:], school.cookies(School.rita))
        try expectSame(all, "untis_rpc_getStudents_two_children")
        let none = try school.rpc("getStudents", [:], school.cookies(School.paola))
        #expect(none["result"] == (try Fixtures.value("untis_rpc_getStudents_guardian_empty"))["result"])
        let refused = try school.rpc("getStudents")
        try expectSame(refused, "untis_rpc_error_not_authenticated")
        #expect(refused["error"]["code"] == -8520)
    }

    @Test(arguments: [
        ("api/rest/view/v1/app/data", "untis_app_data_student"),
        (
            "api/rest/view/v1/timetable/entries?start=2026-11-30&end=2026-12-12&format=1&resourceType=STUDENT"
                + "&resources=4711&periodTypes=&timetableType=MY_TIMETABLE&layout=START_TIME",
            "untis_timetable_week_after"
        ),
        ("api/classreg/grade/grading/list?studentId=4711&schoolyearId=17", "untis_grades_list"),
        (
            "api/classreg/absences/students?studentId=4711&\(year)&excuseStatusId=-1&pageSize=100",
            "untis_absences_after"
        ),
        ("api/rest/view/v1/messages?pageSize=100&start=0", "untis_messages_inbox"),
        ("api/rest/view/v1/messages/70002", "untis_message_detail"),
        ("api/classreg/classregevents?studentId=4711&startDate=20260908&endDate=20270612", "untis_classregevents"),
        ("api/exams?studentId=4711&klasseId=-1&startDate=20261130&endDate=20270109", "untis_exams"),
        ("api/homeworks/lessons?startDate=20261130&endDate=20261230", "untis_homeworks"),
        ("api/public/news/newsWidgetData?date=20261130", "untis_newswidget"),
    ])
    func `an address of WebUntis answers in the recorded shape`(path: String, fixture: String) throws {
        let school = try RunningSchool()
        for line in ["cancel MAT next", "replace DEU next with INF", "move INF next to 15:05", "room ITA next T205"] {
            try school.command(line)
        }
        try school.command("teacher ENG next BEI because Covered")
        try school.command("absence anna today")
        let answer = try school.client.get("/WebUntis/\(path)", school.visitor(School.anna))
        #expect(answer.status == 200)
        try expectSame(answer.json, fixture)
    }

    @Test func `grades of a lesson, and a guardian's app data, have the recorded shape`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.paola)
        let list = try school.client.get(
            "/WebUntis/api/classreg/grade/grading/list?studentId=4711&schoolyearId=17",
            visitor
        )
        let lessons = try #require(list.json?["data"]["lessons"].list)
        let math = try #require(lessons.first { $0["subjects"] == "Mathematik" }?["id"].integer)
        let path = "/WebUntis/api/classreg/grade/grading/lesson?studentId=4711&lessonId=\(math)"
        try expectSame(try school.client.get(path, visitor).json, "untis_grades_lesson_61001")
        let appData = try school.client.get("/WebUntis/api/rest/view/v1/app/data", visitor).json
        try expectSame(appData, "untis_app_data_guardian")
        #expect(appData?["user"]["students"].list?.map { $0["id"] } == [4711, 4712])
    }

    @Test func `the details of an exam have the recorded shape`() throws {
        let school = try RunningSchool()
        try school.command("exam MAT tomorrow named Test")
        try school.command("homework MAT tomorrow \"p. 1\"")
        let visitor = try school.visitor(School.anna)
        let range = "startDateTime=2026-12-01T07:00:00&endDateTime=2026-12-01T17:00:00"
        let path = "/WebUntis/api/rest/view/v2/calendar-entry/detail?elementId=4711&elementType=5&\(range)"
        let entries = try #require(try school.client.get(path, visitor).json?["calendarEntries"].list)
        let exam = try #require(entries.first { $0["type"] == "EXAM" })
        try expectSame(["calendarEntries": [exam]], "untis_calendar_entry_detail")
    }

    @Test func `days that are not published, and years between, say so in the recorded way`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.anna)
        try school.command("horizon 0")
        let path = "/WebUntis/api/rest/view/v1/timetable/entries?start=2026-12-01&end=2026-12-02&format=1"
        let answer = try school.client.get(path + "&resourceType=STUDENT&resources=4711", visitor).json
        try expectSame(answer, "untis_timetable_not_allowed")
        #expect(answer?["days"].list?.map { $0["status"] } == ["NOT_ALLOWED", "NOT_ALLOWED"])
        try school.command("fault between-years")
        let refused = try school.rpc("getKlassen", [:], visitor)
        try expectSame(refused, "untis_rpc_error_schoolyear_null")
        #expect(refused["error"]["message"] == "schoolyear is null")
    }

    @Test func `a token is the text of the recorded kind, a dead session gets the recorded page`() throws {
        let school = try RunningSchool()
        let answer = try school.client.get("/WebUntis/api/token/new", school.cookies(School.anna))
        let recorded = try Fixtures.value("untis_token_new")
        #expect(answer.header("Content-Type") == recorded["headers"]["Content-Type"].string)
        #expect(answer.text.split(separator: ".").count == 3)
        let page = try school.client.get("/WebUntis/api/token/new")
        #expect(page.status == 200)
        #expect(page.text == (try Fixtures.value("untis_token_new_html"))["bodyText"].string)
        let login = try school.client.get("/WebUntis/api/app/config")
        #expect(login.text == (try Fixtures.value("untis_html_login_page"))["bodyText"].string)
    }
}
