import Values

/// `POST /WebUntis/jsonrpc.do?school=…`: JSON-RPC 2.0 (protocols, WebUntis 1).
extension SimulatorState {
    mutating func answerRPC(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        guard let call = request.json, let method = call["method"].string else {
            return Self.rpcAnswer(id: .null, error: RPCError(code: -32700, message: "Parse error"))
        }
        guard request.argument("school")?.lowercased() == School.loginName else {
            let error = RPCError(code: -8500, message: "invalid schoolname")
            return Self.rpcAnswer(id: "error", error: error, status: 404)
        }
        do throws(RPCError) {
            if method == "authenticate" { return try authenticate(call, at: now) }
            let result = try result(of: method, call["params"], request, at: now)
            return .json(["jsonrpc": "2.0", "id": call["id"], "result": result])
        } catch {
            return Self.rpcAnswer(id: call["id"], error: error)
        }
    }

    static func rpcAnswer(id: Value, error: RPCError, status: Int = 200) -> ServedAnswer {
        let body: Value = ["message": .string(error.message), "code": .number(error.code)]
        return .json(["jsonrpc": "2.0", "id": id, "error": body], status: status)
    }

    private mutating func authenticate(_ call: Value, at now: Timestamp) throws(RPCError) -> ServedAnswer {
        let params = call["params"]
        guard let user = params["user"].string, !user.isEmpty else { throw RPCError.noUser }
        let account = try logIn(user, params["password"].string ?? "", at: now)
        let session = openSession(account, at: now)
        let result: Value = [
            "sessionId": .string(session.id), "personType": .number(account.personType),
            "personId": .number(account.personID), "klasseId": .number(Self.klasseID(of: account, in: school)),
        ]
        return .json(["jsonrpc": "2.0", "id": call["id"], "result": result], headers: session.cookies)
    }

    /// The class in a login: the student's, 0 for everybody else.
    static func klasseID(of account: Account, in school: School) -> Int {
        guard account.role == .student else { return 0 }
        return school.student(account.personID)?.klasse ?? 0
    }

    /// Methods with what answers them.
    private mutating func result(
        of method: String,
        _ params: Value,
        _ request: ServedRequest,
        at now: Timestamp
    ) throws(RPCError) -> Value {
        guard Self.methods.contains(method) else { throw RPCError(code: -32601, message: "Method not found") }
        guard let userName = webUntis.user(request.cookie("JSESSIONID"), at: now),
            let account = school.account(userName)
        else { throw RPCError.notAuthenticated }
        if isOn(.denied(method)) { throw RPCError.noRight(method) }
        switch method {
        case "logout":
            if let id = request.cookie("JSESSIONID") { webUntis.sessions[id] = nil }
            return .null
        case "getLatestImportTime": return .int(school.importTime.milliseconds)
        case "getTimetable": return try rpcTimetable(params, account, at: now)
        case "getSubstitutions": return try teachersOnly(account, method) { rpcSubstitutions(params, at: now) }
        case "getExams": return try teachersOnly(account, method) { rpcExams(params) }
        case "getTimetableWithAbsences": return try teachersOnly(account, method) { ["periodsWithAbsences": []] }
        case "getClassregEvents": return try teachersOnly(account, method) { rpcRegisterEvents() }
        case "getPersonId": return .number(rpcPersonID(params))
        default: return try directory(method, params, account, at: now)
        }
    }

    private static let methods: Set<String> = [
        "logout", "getLatestImportTime", "getTimetable", "getSubstitutions", "getExams", "getExamTypes",
        "getTimetableWithAbsences", "getClassregEvents", "getClassregCategories", "getClassregCategoryGroups",
        "getPersonId",
        "getSchoolyears", "getCurrentSchoolyear", "getTimegridUnits", "getHolidays", "getKlassen", "getTeachers",
        "getStudents", "getRooms", "getSubjects", "getDepartments", "getStatusData",
    ]

    func teachersOnly(_ account: Account, _ method: String, _ result: () -> Value) throws(RPCError) -> Value {
        guard account.role == .teacher else { throw RPCError.noRight(method) }
        return result()
    }

    // MARK: What only teachers may read

    private func rpcSubstitutions(_ params: Value, at now: Timestamp) -> Value {
        let today = school.date(at: now)
        let start = Self.day(params["startDate"]) ?? today
        let end = Self.day(params["endDate"]) ?? today
        let changed = school.lessons.values.joined().filter {
            start <= $0.slot.date && $0.slot.date <= end && ($0.isCancelled || $0.isChanged)
        }
        return .list(changed.sorted { $0.ids[0] < $1.ids[0] }.map { substitution($0) })
    }

    private func substitution(_ lesson: Lesson) -> Value {
        let type =
            if lesson.isCancelled {
                "cancel"
            } else if lesson.movedFrom != nil {
                "shift"
            } else if lesson.kind == .additional {
                "add"
            } else {
                lesson.teacher.isChanged ? "subst" : "rmchg"
            }
        var row: ValueMap = [
            "type": .string(type), "lsid": .number(lesson.course), "date": .number(lesson.slot.date.compactNumber),
            "startTime": .number(lesson.slot.start.compactNumber), "endTime": .number(lesson.slot.end.compactNumber),
        ]
        for (key, value) in periodElements(lesson, fields: { _ in ["id", "name"] }) { row[key] = value }
        if let from = lesson.movedFrom {
            row["reschedule"] = [
                "date": .number(from.date.compactNumber), "startTime": .number(from.start.compactNumber),
                "endTime": .number(from.end.compactNumber),
            ]
        }
        return .map(row)
    }

    private func rpcExams(_ params: Value) -> Value {
        let start = Self.day(params["startDate"]) ?? school.calendar.newest.start
        let end = Self.day(params["endDate"]) ?? school.calendar.newest.end
        let wanted = school.exams.filter { start <= $0.slot.date && $0.slot.date <= end }
        return .list(
            wanted.map { exam in
                let course = school.course(exam.course)
                let students = school.students.filter { $0.klasse == exam.klasse }.map(\.id)
                return [
                    "id": .number(exam.id), "classes": [.number(exam.klasse)],
                    "teachers": [.number(course?.teacher ?? 0)],
                    "students": .list((exam.students.isEmpty ? students : exam.students).map { .number($0) }),
                    "subject": .number(course?.subject ?? 0), "date": .number(exam.slot.date.compactNumber),
                    "startTime": .number(exam.slot.start.compactNumber),
                    "endTime": .number(exam.slot.end.compactNumber),
                ]
            }
        )
    }

    private func rpcRegisterEvents() -> Value {
        .list(
            school.registerEvents.map { event in
                let student = school.student(event.student)
                return [
                    "studentid": .text(student?.key), "surname": .text(student?.lastName),
                    "forname": .text(student?.foreName),
                    "date": .number(event.date.compactNumber), "subject": .string(event.subject),
                    "reason": .string(event.reason), "text": .string(event.text), "categoryId": 1,
                ]
            }
        )
    }

    /// The id of a person by name, 0 where there is none.
    private func rpcPersonID(_ params: Value) -> Int {
        let (last, first) = (params["sn"].string, params["fn"].string)
        if params["type"].wholeNumber == 2 {
            return school.teachers.first { $0.lastName == last && $0.foreName == first }?.id ?? 0
        }
        return school.students.first { $0.lastName == last && $0.foreName == first }?.id ?? 0
    }

    /// A day of a JSON-RPC parameter: 20261130 as a number or a text, or 2026-11-30.
    static func day(_ value: Value) -> CalendarDate? {
        if let number = value.integer { return CalendarDate(webUntis: String(number)) }
        return value.string.flatMap { CalendarDate(webUntis: $0) }
    }
}
