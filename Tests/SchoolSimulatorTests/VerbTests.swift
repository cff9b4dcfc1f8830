import SchoolSimulator
import Testing
import Values

@Suite struct VerbTests {
    /// The entry of a subject on Tuesday, 1 December.
    private func entry(_ subject: String, _ school: RunningSchool, day: String = "2026-12-01") throws -> Value {
        let entries = try school.entries(school.visitor(School.anna))
        return try #require(
            entries.first { entry in
                entry["position2"][0]["current"]["shortName"] == .string(subject)
                    && entry["duration"]["start"].string?.hasPrefix(day) == true
            }
        )
    }

    @Test func `a cancelled lesson is marked, and restored it is as before`() throws {
        let school = try RunningSchool()
        let before = try entry("MAT", school)
        try school.command("cancel MAT tomorrow because \"Lehrkraft erkrankt\"")
        let cancelled = try entry("MAT", school)
        #expect(cancelled["status"] == "CANCELLED")
        #expect(cancelled["substitutionText"] == "Lehrkraft erkrankt")
        #expect(cancelled["ids"] == before["ids"])
        try school.command("restore MAT tomorrow")
        #expect(try entry("MAT", school) == before)
    }

    @Test func `a replaced lesson is cancelled and another stands in its place, until it is restored`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.anna)
        let count = try school.entries(visitor).count
        try school.command("replace DEU tomorrow with INF by BEI")
        let old = try entry("DEU", school)
        let new = try entry("INF", school)
        #expect(old["status"] == "CANCELLED")
        #expect(new["type"] == "ADDITIONAL_PERIOD")
        #expect(new["duration"] == old["duration"])
        #expect(new["position1"][0]["current"]["shortName"] == "BEI")
        try school.command("restore DEU tomorrow")
        #expect(try school.entries(visitor).count == count)
    }

    @Test func `a moved lesson says where it was`() throws {
        let school = try RunningSchool()
        let before = try entry("MAT", school)
        try school.command("move MAT tomorrow to 15:05 on wednesday")
        let visitor = try school.visitor(School.anna)
        let moved = try #require(try school.entries(visitor).first { $0["statusDetail"] == "MOVED" })
        #expect(moved["duration"] == ["start": "2026-12-02T15:05", "end": "2026-12-02T15:55"])
        #expect(moved["moved"] == before["duration"])
        #expect(moved["ids"] == before["ids"])
    }

    @Test func `another room and another teacher stand beside those who were planned`() throws {
        let school = try RunningSchool()
        try school.command("room ITA tomorrow T205")
        let room = try entry("ITA", school)
        #expect(room["status"] == "CHANGED")
        #expect(room["position3"][0]["current"]["status"] == "ADDED")
        #expect(room["position3"][0]["removed"]["shortName"] == "T102")
        try school.command("teacher ENG tomorrow nobody")
        let teacher = try entry("ENG", school)
        #expect(teacher["position1"][0]["current"].isNull)
        #expect(teacher["position1"][0]["removed"]["status"] == "REMOVED")
        #expect(teacher["statusDetail"] == "SUBSTITUTED")
    }

    @Test func `lessons are added, removed, annotated and covered by events`() throws {
        let school = try RunningSchool()
        try school.command("add ENG tomorrow at 15:05")
        try school.command("remove GES tomorrow")
        try school.command("text ITA tomorrow \"Bring the atlas\"")
        try school.command("event wednesday from 07:50 to 13:05 saying Excursion")
        let entries = try school.entries(school.visitor(School.anna))
        let tuesday = entries.filter { $0["duration"]["start"].string?.hasPrefix("2026-12-01") == true }
        #expect(tuesday.contains { $0["duration"]["start"] == "2026-12-01T15:05" && $0["type"] == "ADDITIONAL_PERIOD" })
        #expect(!tuesday.contains { $0["position2"][0]["current"]["shortName"] == "GES" })
        #expect(tuesday.contains { $0["lessonInfo"] == "Bring the atlas" })
        let wednesday = entries.filter { $0["duration"]["start"].string?.hasPrefix("2026-12-02") == true }
        let event = try #require(wednesday.first { $0["type"] == "EVENT" })
        #expect(event["lessonInfo"] == "Excursion")
        #expect(wednesday.count { $0["status"] == "CANCELLED" } == wednesday.count - 1)
    }

    @Test func `a spoilt lesson has no times until it is restored`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.anna)
        try school.command("spoil MAT tomorrow")
        #expect(try school.entries(visitor).count { $0["duration"].isNull } == 1)
        try school.command("restore MAT tomorrow")
        #expect(try school.entries(visitor).count { $0["duration"].isNull } == 0)
    }

    @Test func `a new import changes every id and nothing else`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.anna)
        let before = try school.entries(visitor)
        try school.command("reimport")
        let after = try school.entries(visitor)
        func withoutIDs(_ entries: [Value]) -> [Value] {
            entries.map { entry in
                var map = entry.map ?? ValueMap()
                map["ids"] = nil
                return .map(map)
            }
        }
        #expect(withoutIDs(before) == withoutIDs(after))
        let old = Set(before.flatMap { $0["ids"].list ?? [] })
        #expect(old.isDisjoint(with: after.flatMap { $0["ids"].list ?? [] }))
    }

    @Test func `the import time moves with every change of the timetable, and with nothing else`() throws {
        let school = try RunningSchool()
        let cookies = try school.cookies(School.anna)
        func importTime() throws -> Int64 {
            try #require(school.rpc("getLatestImportTime", [:], cookies)["result"].integer)
        }
        var last = try importTime()
        for line in ["message a b", "grade anna MAT 7", "reminder 5 x"] { try school.command(line) }
        #expect(try importTime() == last)
        for line in ["cancel MAT next", "room ENG next T205", "text MAT next x", "exam DEU next", "reimport"] {
            try school.command(line)
            let now = try importTime()
            #expect(now > last, "\(line)")
            last = now
        }
    }

    @Test func `marks are given, changed and deleted under one id`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.karl)
        let path = "/WebUntis/api/classreg/grade/gradeList?personId=4711&startDate=20260901&endDate=20270630"
        func grades() throws -> [Value] {
            try #require(school.client.get(path, visitor).json?["data"].list).map { $0["grade"] }
        }
        let before = try grades()
        try school.command("grade anna MAT 8.25 for Functions as oral")
        let given = try #require(try grades().first { grade in !before.contains(grade) })
        #expect(given["mark"]["name"] == "8,25")
        #expect(given["mark"]["markDisplayValue"] == 8.25)
        #expect(given["examType"]["longname"] == "Mündliche Prüfung")
        try school.command("grade-change anna MAT 9")
        let changed = try #require(try grades().first { $0["id"] == given["id"] })
        #expect(changed["mark"]["name"] == "9")
        try school.command("grade-delete anna MAT")
        #expect(try grades() == before)
    }

    @Test func `a message arrives in every family's inbox and is read in one`() throws {
        let school = try RunningSchool()
        try school.command("message Hello \"<p>We &amp; you</p>\" from Office")
        try school.command("read last by paola.muster")
        let path = "/WebUntis/api/rest/view/v1/messages?pageSize=100&start=0"
        for (login, isRead) in [(School.paola, true), (School.anna, false)] {
            let inbox = try #require(try school.client.get(path, school.visitor(login)).json?["incomingMessages"].list)
            #expect(inbox[0]["subject"] == "Hello")
            #expect(inbox[0]["contentPreview"] == "We &amp; you")
            #expect(inbox[0]["sender"]["displayName"] == "Office")
            #expect(inbox[0]["isMessageRead"] == .bool(isRead))
        }
    }

    @Test func `an absence is noted, excused, and encoded in either way`() throws {
        let school = try RunningSchool()
        let visitor = try school.visitor(School.paola)
        let path =
            "/WebUntis/api/classreg/absences/students?studentId=4711&startDate=20260901&endDate=20270630&excuseStatusId=-1"
        func newest() throws -> Value {
            try #require(school.client.get(path, visitor).json?["data"]["absences"].list?.last)
        }
        try school.command("absence anna today from 14:05 to 14:55")
        #expect(try newest()["startTime"] == 1405)
        #expect(try newest()["isExcused"] == false)
        try school.command("excuse anna because Dentist")
        #expect(try newest()["excuse"]["isExcused"] == true)
        #expect(try newest()["reason"] == "Dentist")
        try school.command("absence-times minutes")
        #expect(try newest()["startTime"] == 845)
    }

    @Test func `an exam, homework, an entry and the news appear where clients look for them`() throws {
        let school = try RunningSchool()
        for line in [
            "exam ITA tomorrow named \"Test 2\"", "homework MAT tomorrow \"p. 47\"", "note anna ENG Forgotten",
            "news Heating Works",
        ] { try school.command(line) }
        let visitor = try school.visitor(School.anna)
        #expect(try entry("ITA", school)["exam"]["name"] == "Test 2")
        let base = "/WebUntis/api/"
        let exams = try school.client.get(base + "exams?studentId=4711&startDate=20261201&endDate=20261201", visitor)
        #expect(exams.json?["data"]["exams"][0]["name"] == "Test 2")
        let homework = try school.client.get(base + "homeworks/lessons?startDate=20261130&endDate=20261205", visitor)
        #expect(homework.json?["data"]["homeworks"].list?.contains { $0["text"] == "p. 47" } == true)
        let events = "classreg/classregevents?studentId=4711&startDate=20261130&endDate=20261130"
        #expect(
            try school.client.get(base + events, visitor).json?["data"]["rows"][0]["eventReasonName"] == "Forgotten"
        )
        let news = try school.client.get(base + "public/news/newsWidgetData?date=20261130", visitor)
        #expect(news.json?["data"]["messagesOfDay"].list?.last?["subject"] == "Heating")
    }

    @Test func `reminders, to-dos and dishes appear in the backend`() throws {
        let school = try RunningSchool()
        for line in [
            "reminder 30 Helmet saying \"The red one\"", "todo anna-muster Book due 90",
            "todo-done anna-muster \"Buch zurückgeben\"",
            "dish today Lasagne en Lasagna price 4.5", "dish-rename today Lasagne Moussaka",
        ] { try school.command(line) }
        let member = try school.member(School.pokyhStudent)
        let reminders = try school.client.get("/classes/\(school.classID(member))/reminders", member).json
        let reminder = try #require(reminders?.list?.first { $0["title"] == "Helmet" })
        #expect(reminder["remindAt"] == "2026-11-30T06:15:00.000Z")
        #expect(reminder["notifiedAt"].isNull)
        let toDos = try school.client.get("/users/anna-muster/todos", member).json
        #expect(toDos?.list?.first { $0["title"] == "Book" }?["dueAt"] == "2026-11-30T07:15:00.000Z")
        #expect(toDos?.list?.first { $0["title"] == "Buch zurückgeben" }?["done"] == true)
        let dishes = try #require(try school.client.get("/dishes").json?["menu"]["dishes"].list)
        let dish = try #require(dishes.first { $0["name"]["de"] == "Moussaka" })
        #expect(dish["price"] == 4.5)
        school.advance(.minutes(31))
        let later = try school.client.get("/classes/\(school.classID(member))/reminders", member).json
        #expect(later?.list?.first { $0["title"] == "Helmet" }?["notifiedAt"] == "2026-11-30T06:15:30.000Z")
        school.advance(.hours(25))
        let fresh = try school.member(School.pokyhStudent)
        let archived = try school.client.get("/classes/\(school.classID(fresh))/reminders", fresh).json
        #expect(archived?.list?.contains { $0["title"] == "Helmet" } == false)
    }

    @Test func `menus are published for days without one, and past ones roll to new dates under their ids`() throws {
        let school = try RunningSchool()
        func dates() throws -> [String: String] {
            let dishes = try #require(try school.client.get("/dishes").json?["menu"]["dishes"].list)
            return Dictionary(uniqueKeysWithValues: dishes.map { ($0["id"].plainText, $0["date"].plainText) })
        }
        let before = try dates()
        try school.command("menu publish")
        #expect(Set(try dates().values).count == Set(before.values).count + 5)
        try school.command("menu roll")
        let rolled = try dates()
        for (id, date) in before where date < "2026-11-30" { #expect(rolled[id] ?? "" > "2026-12-24") }
    }
}
