import Values

/// `POST /WebUntis/jsonrpc_intern.do`: the app's JSON-RPC (protocols, WebUntis 3), and the search for schools.
extension SimulatorState {
    mutating func answerMobile(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        guard let call = request.json, let method = call["method"].string ?? request.argument("m") else {
            return Self.rpcAnswer(id: .null, error: RPCError(code: -32700, message: "Parse error"))
        }
        guard request.argument("school")?.lowercased() == School.loginName else {
            return Self.rpcAnswer(id: "error", error: RPCError(code: -8500, message: "invalid schoolname"))
        }
        // Parameters come as a list of one object.
        let params = call["params"][0]
        do throws(RPCError) {
            var cookies: [(name: String, value: String)] = []
            let result = try mobileResult(method, params, &cookies, at: now)
            return .json(["jsonrpc": "2.0", "id": call["id"], "result": result], headers: cookies)
        } catch {
            return Self.rpcAnswer(id: call["id"], error: error)
        }
    }

    private mutating func mobileResult(
        _ method: String,
        _ params: Value,
        _ cookies: inout [(name: String, value: String)],
        at now: Timestamp
    ) throws(RPCError) -> Value {
        switch method {
        case "getAppInfo":
            return ["wuVersion": "2027.0.2", "mobileApiVersion": "2.0.0", "wuMobileApiVersion": "4.0.0"]
        case "getAppSharedSecret":
            guard let user = params["userName"].string, !user.isEmpty else { throw RPCError.noUser }
            return .string(try logIn(user, params["password"].string ?? "", at: now).appSecret)
        default: break
        }
        guard Self.mobileMethods.contains(method) else { throw RPCError(code: -32601, message: "Method not found") }
        let account = try logIn(oneTime: params["auth"], at: now)
        if isOn(.denied(method)) { throw RPCError.noRight(method) }
        cookies = openSession(account, at: now).cookies
        switch method {
        case "getAuthToken": return ["token": .string(webUntis.makeToken(for: account, isStandalone: true, at: now))]
        case "getUserData2017": return userData(account)
        case "getTimetable2017": return try mobileTimetable(params, account, at: now)
        case "getStudentAbsences2017": return try mobileAbsences(params, account)
        case "getHomeWork2017": return try mobileHomework(params, account)
        case "getExams2017": return try mobileExams(params, account)
        case "getMessagesOfDay2017": return mobileNews(params, at: now)
        case "getOfficeHours2017": return ["officeHours": []]
        default: return ["dataByTTId": [:], "referencedStudents": []]
        }
    }

    private static let mobileMethods: Set<String> = [
        "getAuthToken", "getUserData2017", "getTimetable2017", "getStudentAbsences2017", "getHomeWork2017",
        "getExams2017",
        "getMessagesOfDay2017", "getOfficeHours2017", "getPeriodData2017",
    ]

    private func userData(_ account: Account) -> Value {
        let named = { (id: Int, name: String, longName: String) -> Value in
            ["id": .number(id), "name": .string(name), "longName": .string(longName), "active": true]
        }
        let teachers = school.teachers.map { teacher -> Value in
            [
                "id": .number(teacher.id), "name": .string(teacher.name), "firstName": .string(teacher.foreName),
                "lastName": .string(teacher.lastName), "active": true,
            ]
        }
        let masterData: Value = [
            "timeStamp": .int(school.importTime.milliseconds),
            "klassen": .list(school.klassen.map { named($0.id, $0.name, $0.longName) }),
            "rooms": .list(school.rooms.map { named($0.id, $0.name, $0.longName) }),
            "subjects": .list(school.subjects.map { named($0.id, $0.name, $0.longName) }),
            "teachers": .list(teachers), "holidays": .null,
            "schoolyears": .list(school.calendar.years.map(Self.mobileYear)),
            "timeGrid": mobileTimeGrid,
            "absenceReasons": [["id": 2, "name": "Krankheit", "longName": "Krankheit", "active": true]],
            "excuseStatuses": [["id": 1, "name": "e", "longName": "entschuldigt", "excused": true, "active": true]],
        ]
        let children = account.role == .guardian ? account.students.compactMap { school.student($0) } : []
        let childValues = children.map { student -> Value in
            ["id": .number(student.id), "firstName": .string(student.foreName), "lastName": .string(student.lastName)]
        }
        let klasse = Self.klasseID(of: account, in: school)
        let kind = account.role == .teacher ? "TEACHER" : account.role == .student ? "STUDENT" : "LEGAL_GUARDIAN"
        return [
            "masterData": masterData,
            "userData": [
                "elemType": .string(kind), "elemId": .number(account.personID),
                "displayName": .string(account.displayName),
                "schoolName": .string(School.loginName), "departmentId": 1, "children": .list(childValues),
                "klassenIds": klasse == 0 ? [] : [.number(klasse)], "rights": [],
            ],
            "settings": ["showAbsenceReason": true, "showAbsenceText": true],
        ]
    }

    private static func mobileYear(_ year: SchoolYear) -> Value {
        [
            "id": .number(year.id), "name": .string(year.name), "startDate": .string(year.start.description),
            "endDate": .string(year.end.description),
        ]
    }

    private var mobileTimeGrid: Value {
        let units = school.calendar.bells.map { bell -> Value in
            [
                "label": .string(String(bell.number)), "startTime": .string("T\(bell.start)"),
                "endTime": .string("T\(bell.end)"),
            ]
        }
        return ["days": .list(["MON", "TUE", "WED", "THU", "FRI"].map { ["day": $0, "units": .list(units)] })]
    }

    private func mobileNews(_ params: Value, at now: Timestamp) -> Value {
        let date = Self.day(params["date"]) ?? school.date(at: now)
        let rows = dayMessages(on: date).map { message -> Value in
            [
                "id": .number(message.id), "subject": .string(message.subject), "body": .string(message.text),
                "attachments": [],
            ]
        }
        return ["messages": .list(rows)]
    }

    /// `searchSchool`, in JSON-RPC without a school in the address.
    func answerSchoolSearch(_ request: ServedRequest) -> ServedAnswer {
        guard let call = request.json, call["method"].string == "searchSchool" else {
            return Self.rpcAnswer(id: .null, error: RPCError(code: -32700, message: "Parse error"))
        }
        let params = call["params"][0]
        let term = (params["search"].string ?? params["schoolname"].string ?? "").lowercased()
        let isKnownID = params["tenantid"].plainText == School.tenant || params["schoolid"].plainText == School.tenant
        guard isKnownID || term.count >= 3 else {
            return Self.rpcAnswer(id: call["id"], error: RPCError(code: -6003, message: "too many results"))
        }
        let isFound = isKnownID || School.displayName.lowercased().contains(term) || School.loginName.contains(term)
        let host = request.header("host") ?? "127.0.0.1"
        let found: Value = [
            "server": .string(host), "loginName": .string(School.loginName), "displayName": .string(School.displayName),
            "address": "39042 Beispielstadt, Musterweg 1", "schoolId": 987_654, "tenantId": .string(School.tenant),
            "serverUrl": .string("http://\(host)/WebUntis/"), "mobileServiceUrl": .null,
            "useMobileServiceUrlAndroid": false,
        ]
        return .json([
            "jsonrpc": "2.0", "id": call["id"], "result": ["size": 0, "schools": isFound ? [found] : []],
        ])
    }
}
