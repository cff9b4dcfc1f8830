import Values

/// Timetable, absences, homework and exams of the app's interface. Its times end in a `Z` although they are local.
extension SimulatorState {
    /// The type as a number or as its name.
    private func mobileElement(_ params: Value, _ account: Account) throws(RPCError) -> (type: Int, id: Int) {
        let names = ["CLASS": 1, "TEACHER": 2, "SUBJECT": 3, "ROOM": 4, "STUDENT": 5]
        let type = params["type"].wholeNumber ?? params["type"].string.flatMap { names[$0] }
        guard let type, (1...5).contains(type) else { throw RPCError(code: -7001, message: "invalid elementType") }
        guard let id = params["id"].wholeNumber else { throw RPCError(code: -7002, message: "invalid elementId") }
        guard mayRead(type, id, account) else { throw RPCError(code: -8509, message: "no right for timetable") }
        return (type, id)
    }

    private func mobileRange(_ params: Value) throws(RPCError) -> (start: CalendarDate, end: CalendarDate) {
        // The app also sends an instant; its day counts.
        let day = { (value: Value) -> CalendarDate? in Self.day(value) ?? CalendarDate(value.plainText.prefix(10)) }
        guard let start = day(params["startDate"]), let end = day(params["endDate"]), start <= end else {
            throw RPCError.noDate
        }
        return (start, end)
    }

    private func instant(_ date: CalendarDate, _ time: WallTime) -> Value { .string("\(date)T\(time)Z") }

    func mobileTimetable(_ params: Value, _ account: Account, at now: Timestamp) throws(RPCError) -> Value {
        let (type, id) = try mobileElement(params, account)
        let (start, end) = try mobileRange(params)
        let horizon = school.date(at: now).adding(days: school.horizonDays)
        let seen = lessons(type, id, from: start, to: min(end, horizon))
        return [
            "timetable": [
                "displayableStartDate": .string(school.calendar.newest.start.description),
                "displayableEndDate": .string(horizon.description),
                "periods": .list(seen.flatMap(mobilePeriods)),
            ],
            "masterData": ["timeStamp": .int(school.importTime.milliseconds)],
        ]
    }

    private func mobilePeriods(_ lesson: Lesson) -> [Value] {
        let fillings = [("TEACHER", lesson.teacher), ("SUBJECT", lesson.subject), ("ROOM", lesson.room)]
        var elements: [Value] = [["type": "CLASS", "id": .number(lesson.klasse), "orgId": .number(lesson.klasse)]]
        for (type, filling) in fillings where filling.planned != nil || filling.current != nil {
            elements.append([
                "type": .string(type), "id": .number(filling.current ?? 0), "orgId": .number(filling.planned ?? 0),
            ])
        }
        var states = [
            lesson.isCancelled ? "CANCELLED" : lesson.isChanged || lesson.kind == .event ? "IRREGULAR" : "REGULAR"
        ]
        if lesson.exam != nil { states.append("EXAM") }
        let exam = lesson.exam.flatMap { id in school.exams.first { $0.id == id } }
        return lesson.periods(school.calendar.bells).map { period in
            [
                "id": .number(period.id), "lessonId": .number(lesson.course),
                "startDateTime": instant(lesson.slot.date, period.start),
                "endDateTime": instant(lesson.slot.date, period.end),
                "elements": .list(elements),
                "text": [
                    "lesson": "", "substitution": .string(lesson.substitutionText), "info": .string(lesson.info ?? ""),
                ],
                "is": .list(states.map { .string($0) }), "can": ["READ"], "homeWorks": .null,
                "exam": exam.map {
                    ["id": .number($0.id), "examtype": .string($0.kind.longName), "name": .string($0.name)]
                } ?? .null,
                "blockHash": 0, "isOnlinePeriod": false, "onlinePeriodLink": .null,
            ]
        }
    }

    func mobileAbsences(_ params: Value, _ account: Account) throws(RPCError) -> Value {
        let (start, end) = try mobileRange(params)
        let own = school.absences.filter { absence in
            account.students.contains(absence.student) && absence.start <= end && start <= absence.end
        }
        let isWanted = { (absence: Absence) -> Bool in
            params[absence.excuse == nil ? "includeUnExcused" : "includeExcused"].bool ?? true
        }
        let rows = own.filter(isWanted).map { absence -> Value in
            [
                "id": .number(absence.id), "studentId": .number(absence.student),
                "klasseId": .number(school.student(absence.student)?.klasse ?? 0),
                "startDateTime": instant(absence.start, absence.from), "endDateTime": instant(absence.end, absence.to),
                "excused": .bool(absence.excuse != nil), "excuse": .null,
                "absenceReasonId": .number(absence.excuse == nil ? 0 : 2),
                "absenceReason": .string(absence.excuse?.reason ?? ""),
                "text": "", "owner": false,
            ]
        }
        return ["absences": .list(rows)]
    }

    func mobileHomework(_ params: Value, _ account: Account) throws(RPCError) -> Value {
        let (type, id) = try mobileElement(params, account)
        let (start, end) = try mobileRange(params)
        let klasse = type == 5 ? school.student(id)?.klasse : id
        let own = school.homework.filter { $0.klasse == klasse && $0.date <= end && start <= $0.due }
        let rows = own.map { task -> Value in
            [
                "id": .number(task.id), "lessonId": .number(task.course), "startDate": .string(task.date.description),
                "endDate": .string(task.due.description), "text": .string(task.text), "remark": "", "completed": false,
                "attachments": [],
            ]
        }
        let lessons = own.compactMap { school.course($0.course) }.map { course -> (Value, Value) in
            let lesson: Value = [
                "id": .number(course.number), "subjectId": .number(course.subject),
                "klassenIds": [.number(course.klasse)], "teacherIds": [.number(course.teacher)],
            ]
            return (.string(String(course.number)), lesson)
        }
        return ["homeWorks": .list(rows), "lessonsById": .map(ValueMap(lessons))]
    }

    func mobileExams(_ params: Value, _ account: Account) throws(RPCError) -> Value {
        let (type, id) = try mobileElement(params, account)
        let (start, end) = try mobileRange(params)
        let klasse = type == 5 ? school.student(id)?.klasse : id
        let own = school.exams.filter { $0.klasse == klasse && start <= $0.slot.date && $0.slot.date <= end }
        let rows = own.map { exam -> Value in
            let course = school.course(exam.course)
            return [
                "id": .number(exam.id), "examType": .string(exam.kind.longName),
                "startDateTime": instant(exam.slot.date, exam.slot.start),
                "endDateTime": instant(exam.slot.date, exam.slot.end),
                "subjectId": .number(course?.subject ?? 0), "klasseIds": [.number(exam.klasse)],
                "roomIds": [.number(course?.room ?? 0)], "teacherIds": [.number(course?.teacher ?? 0)],
                "invigilators": [],
                "name": .string(exam.name), "text": .string(exam.text),
            ]
        }
        return ["id": .number(id), "type": .string(type == 5 ? "STUDENT" : "CLASS"), "exams": .list(rows)]
    }
}
