import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// What timetables say from poll to poll, and what is told of it.
@Suite struct LessonChangeTests: TimetablePolls {
    private let mat = Row(1, at: "07:50-08:40", "MAT")
    private let deu = Row(2, at: "08:40-09:30", "DEU")

    @Test func `DIFF-03 a window that moves each day tells nothing by itself`() async throws {
        let week = (0..<8).map {
            Row(Int64(10 + $0), on: CalendarDate(dayNumber: 20_787 + Int64($0)).description, at: "07:50-08:40", "MAT")
        }
        let sunday = Fixtures.monday - .hours(6) - .minutes(10)
        let extra = Row(99, on: "2026-12-03", at: "14:05-14:55", "SPO")
        let changed = week.filter { $0.date != "2026-12-04" } + [extra]
        let told = try await told(
            [week, week, changed],
            lookAhead: 6,
            at: [sunday, sunday + .minutes(20), sunday + .minutes(70)]
        )
        #expect(told[0].isEmpty)
        #expect(told[1].map(\.line) == ["lesson.added SPO 14:05–14:55", "lesson.removed MAT 07:50–08:40"])
    }

    @Test func `DIFF-04 cancelled, restored and cancelled again are three events`() async throws {
        let told = try await told([[mat], [mat.cancelled], [mat], [mat.cancelled]])
        #expect(told.map { $0.map(\.kind) } == [["lesson.cancelled"], ["lesson.restored"], ["lesson.cancelled"]])
        #expect(told.compactMap(\.first?.revision) == [2, 3, 4])
    }

    @Test func `DIFF-06 a teacher who is missing is told once, then the lesson that vanishes`() async throws {
        let missing = mat.with { ($0.teachers, $0.removedTeachers) = ([], ["ROS"]) }
        let placeholder = mat.with { $0.teachers = ["---"] }
        let told = try await told([[mat, deu], [missing, deu], [placeholder, deu], [deu]])
        #expect(told.map { $0.map(\.kind) } == [["lesson.teacher_changed"], [], ["lesson.removed"]])
        #expect(told[0].first?.text("old_teacher") == "ROS" && told[0].first?.text("teacher") == "")
    }

    @Test func `DIFF-07 a lesson with another in its place is one replacement`() async throws {
        let sport = Row(1, at: "07:50-08:40", "SPO")
        let german = Row(9, at: "07:50-08:40", "DEU").with { $0.room = "R4" }
        for replacement in [german, german.additional] {
            let told = try await told([[sport], [sport.cancelled, replacement]])
            #expect(told[0].map(\.kind) == ["lesson.replaced"])
            let record = try #require(told[0].first).record
            #expect(
                record.fields["subject"] == "SPO" && record.fields["new_subject"] == "DEU"
                    && record.fields["new_room"] == "R4"
            )
            #expect(record.key == "4711/2026-11-30/1")
        }
    }

    @Test func `a replacement that comes after the cancellation upgrades it`() async throws {
        let other = Row(9, at: "07:50-08:40", "DEU").additional
        #expect(
            try await lines([[mat], [mat.cancelled], [mat.cancelled, other], [mat.cancelled]]) == [
                ["lesson.cancelled MAT 07:50–08:40"], ["lesson.replaced MAT 07:50–08:40"],
                ["lesson.cancelled MAT 07:50–08:40"],
            ]
        )
    }

    @Test func `a substituted row that is new over a cancelled lesson replaces it`() async throws {
        let other = Row(9, at: "07:50-08:40", "DEU").with { ($0.status, $0.removedTeachers) = ("CHANGED", ["XX"]) }
        #expect(try await lines([[mat], [mat.cancelled, other]]) == [["lesson.replaced MAT 07:50–08:40"]])
    }

    @Test func `a move that is taken back is one lesson that takes place after all`() async throws {
        let later = Row(9, at: "14:05-14:55", "MAT").additional
        let told = try await lines([[mat, deu], [mat.cancelled, deu, later], [mat, deu]])
        #expect(told.last == ["lesson.restored MAT 07:50–08:40"])
    }

    @Test func `two thousand changes at once are told one by one`() async throws {
        let school = try ScriptedSchool()
        let rows = (0..<10).flatMap { day in
            (0..<200).map { hour in
                let start = WallTime(hour: 6 + hour / 60, minute: hour % 60)?.description ?? ""
                let date = CalendarDate(dayNumber: 20_787 + Int64(day)).description
                return Row(Int64(day * 1000 + hour + 1), on: date, at: "\(start)-23:00", "S\(hour)").cancelled
            }
        }
        await school.show(rows)
        let source = try Household(school).source(WebUntisPlugins.timetable)
        let snapshot = try await source.provider.fetch(FetchRequest(now: Fixtures.monday, zone: Fixtures.rome))
        let records = try #require(snapshot.records)
        let changes = records.map { record in
            var old = record
            old.fields["state"] = "planned"
            let field = FieldChange(field: "state", old: "planned", new: "cancelled")
            return Change(.changed, old: old, new: record, fields: [field], revision: 2)
        }
        let context = InterpretationContext(now: Fixtures.monday, zone: Fixtures.rome)
        let told = source.provider.interpret(Difference(changes: changes, before: [], after: records), in: context)
        #expect(told.count == 2000)
    }

    @Test func `an event over five cancelled lessons is one replacement`() async throws {
        let lessons = ["MAT", "DEU", "ITA", "ENG", "SPO"].enumerated().map { index, subject in
            Row(
                Int64(index + 1),
                at: "\(["07:50-08:40", "08:40-09:30", "09:30-10:20", "10:35-11:25", "11:25-12:15"][index])",
                subject
            )
        }
        let event = Row(50, at: "07:55-13:10", nil).with {
            ($0.type, $0.name, $0.room, $0.teachers) = ("EVENT", "Lehrausgang", nil, [])
        }
        let told = try await told([lessons, lessons.map(\.cancelled) + [event]])
        #expect(told[0].map(\.line) == ["lesson.replaced MAT, DEU, ITA, ENG, SPO 07:50–12:15"])
        #expect(told[0].first?.text("new_subject") == "Lehrausgang")
    }

    @Test func `parallel groups are lessons of their own and replace nothing`() async throws {
        let english = Row(3, at: "07:50-08:40", "ENG").with { $0.groups = ["E1"] }
        let mathematics = mat.with { $0.groups = ["M1"] }
        #expect(
            try await lines([[mathematics, english], [mathematics.cancelled, english]]) == [
                ["lesson.cancelled MAT 07:50–08:40"]
            ]
        )
    }

    @Test func `a cancelled lesson and an additional one of its subject on the day are a move`() async throws {
        let later = Row(9, at: "14:05-14:55", "MAT").additional
        let told = try await told([[mat, deu], [mat.cancelled, deu, later]])
        #expect(told[0].map(\.line) == ["lesson.moved MAT 14:05–14:55"])
        #expect(
            told[0].first?.record.fields["old_start"]
                == .timestamp(try #require(Timestamp(rfc3339: "2026-11-30T06:50:00Z")))
        )
    }

    @Test func `a lesson that goes and comes back at another time is a move, with its id or without`() async throws {
        let later = Row(9, at: "14:05-14:55", "MAT")
        let same = mat.with { ($0.start, $0.end) = ("14:05", "14:55") }
        for moved in [later, same] {
            let told = try await told([[mat, deu], [deu, moved]])
            #expect(told[0].map(\.line) == ["lesson.moved MAT 14:05–14:55"])
            #expect(told[0].first?.oldText("time") == "07:50–08:40")
        }
    }

    @Test func `DIFF-09 the order of rows, teachers and keys says nothing`() async throws {
        let pair = mat.with { $0.teachers = ["AB", "CD"] }
        let swapped = mat.with { $0.teachers = ["CD", "AB"] }
        #expect(try await lines([[pair, deu], [deu, swapped]]) == [[]])
    }

    @Test func `DIFF-14 two spellings of one letter are no change`() async throws {
        let composed = mat.with { $0.teachers = ["M\u{FC}ller"] }
        let decomposed = mat.with { $0.teachers = ["Mu\u{308}ller\u{A0}"] }
        #expect(try await lines([[composed], [decomposed]]) == [[]])
    }

    @Test func `DIFF-15 a lesson that changes in two ways is told once with both`() async throws {
        let changed = mat.with { ($0.room, $0.end) = ("T205", "08:45") }
        let told = try await told([[mat], [changed]])
        #expect(told[0].map(\.kind) == ["lesson.moved"])
        #expect(told[0].first?.changes.map(\.field) == ["end", "rooms"])
    }

    @Test func `DIFF-16 blanks at the end of a remark are no change, another remark is`() async throws {
        let one = mat.with { $0.text = "Bitte Buch mitbringen" }
        let same = mat.with { $0.text = "Bitte  Buch mitbringen\u{A0}\n" }
        let other = mat.with { $0.text = "Bitte Heft mitbringen" }
        #expect(try await lines([[one], [same], [other]]) == [[], ["lesson.text_changed MAT 07:50–08:40"]])
    }

    @Test func `DIFF-19 three periods of one lesson are cancelled in one message`() async throws {
        let periods = ["07:50-08:40", "08:40-09:30", "09:45-10:35"].enumerated().map {
            Row(Int64($0.offset + 1), at: $0.element, "MAT")
        }
        let told = try await told([periods, periods.map(\.cancelled)])
        #expect(told[0].map(\.line) == ["lesson.cancelled MAT 07:50–10:35"])
        #expect(told[0].first?.record.key == "4711/2026-11-30/1")
    }

    @Test func `the second half of a merged block that falls out is one cancellation of that half`() async throws {
        let block = Row(1, 2, at: "07:50-09:30", "MAT")
        let halves = [Row(1, at: "07:50-08:40", "MAT"), Row(2, at: "08:40-09:30", "MAT").cancelled]
        #expect(
            try await lines([[block], halves, [block]]) == [
                ["lesson.cancelled MAT 08:40–09:30"], ["lesson.restored MAT 08:40–09:30"],
            ]
        )
        let odd = Row(1, 2, at: "08:00-09:35", "MAT")
        let parts = [Row(1, at: "08:00-08:45", "MAT"), Row(2, at: "08:50-09:35", "MAT").cancelled]
        #expect(try await lines([[odd], parts]) == [["lesson.cancelled MAT 08:50–09:35"]])
    }

    @Test(arguments: [false, true])
    func `bells that the school tells newly or no more move no double lesson`(hasBellsFirst: Bool) async throws {
        let school = try ScriptedSchool()
        let whole = try Fixtures.json("untis_app_data_student")
        var year = try #require(whole["currentSchoolYear"].map)
        year["timeGrid"] = .null
        var bare = try #require(whole.map)
        bare["currentSchoolYear"] = .map(year)
        await school.show([Row(1, 2, at: "07:50-09:30", "MAT")])
        var memory: SourceMemory?
        var spans: [Int] = []
        for hasBells in [hasBellsFirst, !hasBellsFirst] {
            await school.answer("app/data", hasBells ? whole : .map(bare))
            var source = try Household(school).source(WebUntisPlugins.timetable, ["trust_import": .duration(.zero)])
            if let memory { source.memory = memory }
            #expect(try await source.poll().isEmpty)
            spans.append(source.lastSnapshot?.records?.count ?? 0)
            memory = source.memory
        }
        #expect(Set(spans) == [1, 2] || Set(spans) == [2])
    }

    @Test func `new ids for unchanged lessons are silent, a new id with a new room is a new room`() async throws {
        let renumbered = [mat.with { $0.ids = [101] }, deu.with { ($0.ids, $0.room) = ([102], "T9") }]
        #expect(try await lines([[mat, deu], renumbered]) == [["lesson.room_changed DEU 08:40–09:30"]])
    }

    @Test func `a new row with a planned room beside it is a change of room, not a lesson more`() async throws {
        let new = Row(9, at: "10:35-11:25", "ITA").with {
            ($0.room, $0.removedRoom, $0.status) = ("T2", "T1", "CHANGED")
        }
        #expect(try await lines([[mat], [mat, new]]) == [["lesson.room_changed ITA 10:35–11:25"]])
    }

    @Test(arguments: [0, 1, 2])
    func `a plan imported anew is told once, not lesson by lesson, even if it was empty for a moment`(
        emptyPolls: Int
    ) async throws {
        let school = try ScriptedSchool()
        var source = try Household(school).source(
            WebUntisPlugins.timetable,
            ["look_ahead": .duration(.days(5)), "trust_import": .duration(.zero)]
        )
        let hours = ["07:50-08:40", "08:40-09:30", "09:30-10:20"]
        func week(_ first: Int64, _ subject: String) -> [Row] {
            (0..<5).flatMap { day in
                hours.enumerated().map { hour, time in
                    Row(
                        first + Int64(day * 10 + hour),
                        on: CalendarDate(dayNumber: 20_787 + Int64(day)).description,
                        at: time,
                        subject
                    )
                }
            }
        }
        await school.show(week(100, "MAT"))
        _ = try await source.poll()
        await school.moveImportTime()
        await school.show([])
        for _ in 0..<emptyPolls { #expect(try await source.poll().isEmpty) }
        await school.show(week(500, "DEU"))
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["timetable.reimported"])
        #expect(told.first?.record.fields["removed"] == 15 && told.first?.record.fields["week"] == "2026-11-30")
    }

    @Test func `siblings in one class never share a key`() async throws {
        let school = try ScriptedSchool(login: "untis_rpc_authenticate_guardian", appData: "untis_app_data_guardian")
        await school.show([mat])
        let home = try Household(school)
        var keys: Set<String> = []
        var worldKeys: Set<String?> = []
        for child in ["4711", "4712"] {
            var source = try home.source(WebUntisPlugins.timetable, ["student": .string(child)])
            _ = try await source.poll()
            keys.formUnion(source.lastSnapshot?.records?.map(\.key) ?? [])
            worldKeys.formUnion(source.lastSnapshot?.records?.map(\.worldKey) ?? [])
        }
        #expect(keys.count == 2 && worldKeys.count == 1)
        #expect(await school.count("rpc:authenticate") == 1)
    }
}
