import Values

/// The directories of JSON-RPC: years, bells, holidays, classes, people, rooms, subjects.
extension SimulatorState {
    func directory(_ method: String, _ params: Value, _ account: Account, at now: Timestamp) throws(RPCError) -> Value {
        switch method {
        case "getSchoolyears": return .list(school.calendar.years.map(Self.schoolYear))
        case "getCurrentSchoolyear": return Self.schoolYear(try currentYear(at: now))
        case "getTimegridUnits": return timeGrid
        case "getHolidays": return .list(school.calendar.holidays.map(Self.holiday))
        case "getKlassen": return try klassen(params, at: now)
        case "getStudents": return try studentDirectory(account)
        case "getTeachers": return try teachersOnly(account, method) { .list(school.teachers.map(Self.teacher)) }
        case "getRooms": return .list(school.rooms.map { Self.named($0.id, $0.name, $0.longName) })
        case "getSubjects": return .list(school.subjects.map { Self.named($0.id, $0.name, $0.longName) })
        case "getDepartments": return [["id": 1, "name": "TST", "longName": "Testfach"]]
        case "getStatusData": return Self.statusData
        case "getClassregCategories": return [["id": 1, "name": "Vermerk", "longName": "Vermerk", "groupId": 1]]
        case "getClassregCategoryGroups": return [["id": 1, "name": "Vermerke"]]
        default: return [["id": 1, "name": "SCH", "longName": "Schularbeit", "showInTimetable": true]]
        }
    }

    /// The year of today; between two years there is none, which WebUntis calls an error.
    func currentYear(at now: Timestamp) throws(RPCError) -> SchoolYear {
        guard let year = knownYear(at: now) else { throw RPCError.noSchoolYear }
        return year
    }

    func knownYear(at now: Timestamp) -> SchoolYear? {
        isOn(.betweenYears) ? nil : school.calendar.year(containing: school.date(at: now))
    }

    private static func schoolYear(_ year: SchoolYear) -> Value {
        [
            "id": .number(year.id), "name": .string(year.name), "startDate": .number(year.start.compactNumber),
            "endDate": .number(year.end.compactNumber),
        ]
    }

    private static func holiday(_ holiday: Holiday) -> Value {
        [
            "id": .number(holiday.id), "name": .string(holiday.name), "longName": .string(holiday.longName),
            "startDate": .number(holiday.start.compactNumber), "endDate": .number(holiday.end.compactNumber),
        ]
    }

    /// Days count from 1 for Sunday.
    private var timeGrid: Value {
        let units = school.calendar.bells.map { bell -> Value in
            [
                "name": .string(String(bell.number)), "startTime": .number(bell.start.compactNumber),
                "endTime": .number(bell.end.compactNumber),
            ]
        }
        return .list((2...6).map { ["day": .number($0), "timeUnits": .list(units)] })
    }

    private func klassen(_ params: Value, at now: Timestamp) throws(RPCError) -> Value {
        if let id = params["schoolyearId"].wholeNumber {
            // Classes of earlier years are not kept here.
            guard id == school.calendar.newest.id else { return [] }
        } else {
            _ = try currentYear(at: now)
        }
        return .list(
            school.klassen.map {
                [
                    "id": .number($0.id), "name": .string($0.name), "longName": .string($0.longName), "active": true,
                    "teacher1": .number($0.classTeacher),
                ]
            }
        )
    }

    /// Everybody for teachers, nobody for guardians; students have no right to it.
    private func studentDirectory(_ account: Account) throws(RPCError) -> Value {
        switch account.role {
        case .student: throw RPCError.noRight("getStudents")
        case .guardian: return []
        case .teacher:
            return .list(
                school.students.map {
                    [
                        "id": .number($0.id), "key": .string($0.key), "name": .string($0.name),
                        "foreName": .string($0.foreName), "longName": .string($0.lastName),
                        "gender": .string($0.isFemale ? "female" : "male"), "klasseId": .number($0.klasse),
                    ]
                }
            )
        }
    }

    private static func teacher(_ teacher: Teacher) -> Value {
        [
            "id": .number(teacher.id), "name": .string(teacher.name), "foreName": .string(teacher.foreName),
            "longName": .string(teacher.lastName), "title": "", "active": true, "dids": [["id": 1]],
        ]
    }

    private static func named(_ id: Int, _ name: String, _ longName: String) -> Value {
        ["id": .number(id), "name": .string(name), "longName": .string(longName), "alternateName": "", "active": true]
    }

    /// Colours of lesson types and codes: lists of objects with one key each.
    private static let statusData: Value = {
        let colours: Value = ["foreColor": "000000", "backColor": "f49f25"]
        let list = { (names: [String]) -> Value in .list(names.map { .map(ValueMap([(Value.string($0), colours)])) }) }
        return ["lstypes": list(["ls", "oh", "sb", "bs", "ex"]), "codes": list(["cancelled", "irregular"])]
    }()
}
