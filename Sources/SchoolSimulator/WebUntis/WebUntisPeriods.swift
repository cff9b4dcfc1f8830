import Values

/// `getTimetable` of JSON-RPC.
extension SimulatorState {
    func rpcTimetable(_ params: Value, _ account: Account, at now: Timestamp) throws(RPCError) -> Value {
        let isExtended = !params["options"].isNull
        let options = isExtended ? params["options"] : params
        let element = isExtended ? options["element"] : params
        guard let type = element["type"].wholeNumber, (1...5).contains(type) else {
            throw RPCError(code: -7001, message: "invalid elementType: \(element["type"].plainText)")
        }
        guard let id = element["id"].wholeNumber else { throw RPCError(code: -7002, message: "invalid elementId") }
        guard mayRead(type, id, account) else { throw RPCError.noRight("getTimetable") }
        let today = school.date(at: now)
        let start = Self.day(options["startDate"]) ?? today
        let end = Self.day(options["endDate"]) ?? start
        guard start <= end, let year = school.calendar.year(containing: start), year.contains(end) else {
            throw RPCError.badDates
        }
        guard end <= today.adding(days: school.horizonDays) || account.role == .teacher else { throw RPCError.noDate }
        let fields = { (kind: String) -> [String] in
            options[kind].list?.compactMap(\.string) ?? ["id"]
        }
        let lessons = lessons(type, id, from: start, to: end)
        return .list(lessons.flatMap { periods($0, fields: fields, isDetailed: isExtended) })
    }

    /// Students and guardians read the timetable of their own, its class and any room; teachers everything.
    func mayRead(_ type: Int, _ id: Int, _ account: Account) -> Bool {
        if account.role == .teacher { return true }
        switch type {
        case 5: return account.students.contains(id)
        case 1: return account.students.contains { school.student($0)?.klasse == id }
        default: return false
        }
    }

    /// The lessons of an element (1 class, 2 teacher, 3 subject, 4 room, 5 student) in both days and between, in order.
    func lessons(_ type: Int, _ id: Int, from start: CalendarDate, to end: CalendarDate) -> [Lesson] {
        let klasse = type == 5 ? school.student(id)?.klasse : type == 1 ? id : nil
        var lessons: [Lesson] = []
        var date = start
        while date <= end {
            if let klasse {
                lessons += school.lessons(of: klasse, on: date)
            } else if type != 5 {
                let ofDay = school.klassen.flatMap { school.lessons(of: $0.id, on: date) }
                lessons += ofDay.filter { lesson in
                    switch type {
                    case 2: lesson.teacher.current == id
                    case 3: lesson.subject.current == id
                    default: lesson.room.current == id
                    }
                }
            }
            date = date.adding(days: 1)
        }
        return lessons
    }

    /// A lesson as rows, one for every id. Keys that say nothing are left out, as WebUntis does.
    private func periods(_ lesson: Lesson, fields: (String) -> [String], isDetailed: Bool) -> [Value] {
        lesson.periods(school.calendar.bells).map { period in
            var row: ValueMap = [
                "id": .number(period.id), "date": .number(lesson.slot.date.compactNumber),
                "startTime": .number(period.start.compactNumber), "endTime": .number(period.end.compactNumber),
            ]
            for (key, value) in periodElements(lesson, fields: fields) { row[key] = value }
            if lesson.kind == .exam { row["lstype"] = "ex" }
            if lesson.isCancelled {
                row["code"] = "cancelled"
            } else if lesson.kind == .additional || lesson.kind == .event || lesson.movedFrom != nil {
                row["code"] = "irregular"
            }
            if isDetailed {
                if let info = lesson.info { row["info"] = .string(info) }
                if !lesson.substitutionText.isEmpty { row["substText"] = .string(lesson.substitutionText) }
                if lesson.course > 0 { row["lsnumber"] = .number(lesson.course) }
            }
            row["activityType"] = lesson.kind == .event ? "Veranstaltung" : "Unterricht"
            return .map(row)
        }
    }

    /// `kl`, `te`, `su` and `ro`. Who replaces somebody carries the other's id and name beside; nobody has id 0.
    func periodElements(_ lesson: Lesson, fields: (String) -> [String]) -> [(String, Value)] {
        let klasse = school.klasse(lesson.klasse).map { ($0.id, $0.name, $0.longName) }
        return [
            ("kl", .list([Self.element(klasse, instead: nil, fields("klasseFields"))].compactMap { $0 })),
            (
                "te",
                filling(lesson.teacher, fields("teacherFields")) { id in
                    school.teacher(id).map { ($0.id, $0.name, $0.displayName) }
                }
            ),
            (
                "su",
                filling(lesson.subject, fields("subjectFields")) { id in
                    school.subject(id).map { ($0.id, $0.name, $0.longName) }
                }
            ),
            (
                "ro",
                filling(lesson.room, fields("roomFields")) { id in school.room(id).map { ($0.id, $0.name, $0.longName) }
                }
            ),
        ]
    }

    private typealias Named = (id: Int, name: String, longName: String)

    private func filling(_ filling: Filling, _ fields: [String], _ find: (Int?) -> Named?) -> Value {
        if filling.current == nil, filling.planned == nil { return [] }
        let current = find(filling.current) ?? (0, "---", "")
        let planned = filling.isChanged ? find(filling.planned) : nil
        return .list([Self.element(current, instead: planned, fields)].compactMap { $0 })
    }

    private static func element(_ named: Named?, instead planned: Named?, _ fields: [String]) -> Value? {
        guard let named else { return nil }
        var row = ValueMap()
        row["id"] = .number(named.id)
        if fields.contains("name") { row["name"] = .string(named.name) }
        if fields.contains("longname") { row["longname"] = .string(named.longName) }
        if let planned {
            row["orgid"] = .number(planned.id)
            if fields.contains("name") { row["orgname"] = .string(planned.name) }
        }
        return .map(row)
    }
}
