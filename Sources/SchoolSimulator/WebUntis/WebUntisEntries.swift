import Values

/// `GET /WebUntis/api/rest/view/v1/timetable/entries` (protocols, WebUntis 2.1).
extension SimulatorState {
    func answerEntries(_ request: ServedRequest, _ account: Account, at now: Timestamp) -> ServedAnswer {
        let start: CalendarDate
        let end: CalendarDate
        switch (Self.day(request, "start"), Self.day(request, "end")) {
        case (.success(let first), .success(let last)): (start, end) = (first, last)
        case (.failure(let error), _), (_, .failure(let error)): return error.answer
        }
        guard start <= end, let format = request.argument("format").flatMap({ Int($0) }) else {
            return Self.viewError(400, "VALIDATION_ERROR", [start <= end ? "format" : "end"])
        }
        guard let type = Self.resourceTypes[request.argument("resourceType") ?? ""] else {
            return Self.viewError(400, "VALIDATION_ERROR", ["resourceType"])
        }
        guard let id = request.argument("resources").flatMap({ Int($0) }) else {
            return Self.viewError(400, "VALIDATION_ERROR", ["resources"])
        }
        guard mayRead(type, id, account), let resource = resource(type, id) else {
            return Self.viewError(403, "NO_TIMETABLES_AVAILABLE_FOR_YOUR_USER")
        }
        // A year and a half at most: the longest that any client asks for is a school year.
        let last = min(end, start.adding(days: 550))
        let horizon = account.role == .teacher ? last : school.date(at: now).adding(days: school.horizonDays)
        var days: [Value] = []
        var date = start
        while date <= last {
            days.append(day(date, type, id, resource, format: format, horizon: horizon))
            date = date.adding(days: 1)
        }
        return .json(["format": .number(format), "days": .list(days), "errors": []])
    }

    private static let resourceTypes = ["CLASS": 1, "TEACHER": 2, "ROOM": 4, "STUDENT": 5]

    private func resource(_ type: Int, _ id: Int) -> Value? {
        let names: (String, String, String)? =
            switch type {
            case 1: school.klasse(id).map { ($0.name, $0.longName, $0.name) }
            case 2: school.teacher(id).map { ($0.name, $0.lastName, $0.displayName) }
            case 4: school.room(id).map { ($0.name, $0.longName, $0.name) }
            default: school.student(id).map { ($0.name, $0.lastName, $0.displayName) }
            }
        return names.map { names in
            [
                "id": .number(id), "shortName": .string(names.0), "longName": .string(names.1),
                "displayName": .string(names.2),
            ]
        }
    }

    private func day(
        _ date: CalendarDate,
        _ type: Int,
        _ id: Int,
        _ resource: Value,
        format: Int,
        horizon: CalendarDate
    ) -> Value {
        let isPublished = date <= horizon
        let isInYear = school.calendar.year(containing: date) != nil
        let name = Self.resourceTypes.first { $0.value == type }?.key ?? ""
        let entries = isPublished ? lessons(type, id, from: date, to: date).map { entry($0, format: format) } : []
        return [
            "date": .string(date.description), "resourceType": .string(name), "resource": resource,
            "status": .string(!isPublished ? "NOT_ALLOWED" : isInYear ? "REGULAR" : "NO_DATA"),
            "dayEntries": [], "gridEntries": .list(entries), "backEntries": [],
        ]
    }

    private func entry(_ lesson: Lesson, format: Int) -> Value {
        let exam = lesson.exam.flatMap { id in school.exams.first { $0.id == id } }
        var entry: ValueMap = [
            "ids": .list(lesson.ids.map { .number($0) }),
            "duration": ["start": .string(lesson.slot.startText), "end": .string(lesson.slot.endText)],
            "type": .string(lesson.kind.rawValue), "status": .string(Self.status(lesson)),
            "statusDetail": .text(Self.statusDetail(lesson)), "name": .null,
            "layoutStartPosition": 0, "layoutWidth": 1000, "layoutGroup": 0,
            "color": .string(lesson.isCancelled ? "#cccccc" : "#abcdef"),
            "notesAll": "", "icons": exam == nil ? [] : ["EXAM"],
        ]
        for (position, elements) in positions(lesson, format: format) { entry["position\(position)"] = elements }
        let isSubstituted = !lesson.substitutionText.isEmpty
        let text: Value = ["type": "SUBSTITUTION", "text": .string(lesson.substitutionText)]
        if lesson.isSpoilt { entry["duration"] = .null }
        entry["texts"] = isSubstituted ? [text] : []
        entry["lessonText"] = ""
        entry["lessonInfo"] = .text(lesson.info)
        entry["substitutionText"] = .string(lesson.substitutionText)
        entry["userName"] = .null
        entry["moved"] = lesson.movedFrom.map { ["start": .string($0.startText), "end": .string($0.endText)] } ?? .null
        entry["durationTotal"] = .null
        entry["link"] = .null
        if let exam {
            entry["exam"] = [
                "id": .number(exam.id), "name": .string(exam.name), "description": .string(exam.text),
                "typeLongName": .string(exam.kind.longName),
            ]
        }
        return .map(entry)
    }

    private static func status(_ lesson: Lesson) -> String {
        lesson.isCancelled ? "CANCELLED" : lesson.isChanged ? "CHANGED" : "REGULAR"
    }

    private static func statusDetail(_ lesson: Lesson) -> String? {
        if lesson.isCancelled { return nil }
        if lesson.movedFrom != nil { return "MOVED" }
        return lesson.teacher.isChanged ? "SUBSTITUTED" : nil
    }

    /// What stands in which position depends on the format: 2 puts the teacher third, all others first.
    private func positions(_ lesson: Lesson, format: Int) -> [(Int, Value)] {
        let teacher = placed("TEACHER", lesson.teacher) { id in
            school.teacher(id).map { ($0.name, $0.displayName) }
        }
        let subject = placed("SUBJECT", lesson.subject) { id in school.subject(id).map { ($0.name, $0.longName) } }
        let room = placed("ROOM", lesson.room) { id in school.room(id).map { ($0.name, $0.longName) } }
        let klasse = placed("CLASS", Filling(lesson.klasse)) { id in
            id.flatMap { school.klasse($0) }.map { ($0.name, $0.longName) }
        }
        let order = format == 2 ? [subject, room, teacher, klasse] : [teacher, subject, room, klasse]
        return (1...7).map { ($0, $0 <= order.count ? order[$0 - 1] : .null) }
    }

    private func placed(
        _ type: String,
        _ filling: Filling,
        _ find: (Int?) -> (name: String, longName: String)?
    ) -> Value {
        func element(_ id: Int?, _ status: String) -> Value {
            guard let id, let names = find(id) else { return .null }
            return [
                "type": .string(type), "status": .string(status), "shortName": .string(names.name),
                "longName": .string(names.longName), "displayName": .string(names.name), "displayNameLabel": .null,
            ]
        }
        if filling.current == nil, filling.planned == nil { return .null }
        let current = element(filling.current, filling.isChanged ? "ADDED" : "REGULAR")
        let removed = filling.isChanged ? element(filling.planned, "REMOVED") : .null
        return [["current": current, "removed": removed]]
    }

    /// `v2/calendar-entry/detail`: the entries of the first day of the range only (protocols, WebUntis 2).
    func answerDetail(_ request: ServedRequest, _ account: Account, at now: Timestamp) -> ServedAnswer {
        guard let type = request.argument("elementType").flatMap({ Int($0) }),
            let id = request.argument("elementId").flatMap({ Int($0) }),
            let start = request.argument("startDateTime"), let end = request.argument("endDateTime"),
            let date = CalendarDate(String(start.prefix(10)))
        else {
            return Self.viewError(
                400,
                "VALIDATION_ERROR",
                ["elementId", "elementType", "startDateTime", "endDateTime"]
            )
        }
        guard mayRead(type, id, account) else { return Self.viewError(403, "FORBIDDEN") }
        let wanted = lessons(type, id, from: date, to: date).filter {
            $0.slot.startText >= start.prefix(16) && $0.slot.endText <= end.prefix(16)
        }
        return .json(["calendarEntries": .list(wanted.map(detail))])
    }

    private func detail(_ lesson: Lesson) -> Value {
        let exam = lesson.exam.flatMap { id in school.exams.first { $0.id == id } }
        let homework = school.homework.filter { $0.course == lesson.course && $0.due == lesson.slot.date }
        var entry: ValueMap = [
            "id": .number(lesson.ids[0]), "startDateTime": .string(lesson.slot.startText + ":00"),
            "endDateTime": .string(lesson.slot.endText + ":00"), "type": .string(lesson.kind.rawValue),
            "status": .string(lesson.isCancelled ? "CANCELLED" : "TAKING_PLACE"),
        ]
        entry["exam"] =
            exam.map {
                [
                    "id": .number($0.id), "name": .string($0.name), "description": .string($0.text),
                    "typeLongName": .string($0.kind.longName),
                ]
            } ?? .null
        entry["homeworks"] = .list(
            homework.map {
                [
                    "id": .number($0.id), "text": .string($0.text), "completed": false,
                    "dateTime": .string("\($0.date)T00:00:00"), "dueDateTime": .string("\($0.due)T00:00:00"),
                ]
            }
        )
        entry["teachingContent"] = .null
        return .map(entry)
    }
}
