import Values

/// Everything of WebUntis below `/WebUntis/` that is not JSON-RPC (protocols, WebUntis 2).
extension SimulatorState {
    mutating func answerWebUntis(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        guard !request.isBodyTooLong else { return .text("request entity too large", status: 413) }
        let path = String(request.path.dropFirst("/WebUntis/".count))
        switch (request.method, path) {
        case ("POST", "jsonrpc.do"): return answerRPC(request, at: now)
        case ("POST", "jsonrpc_intern.do"): return answerMobile(request, at: now)
        case ("POST", "j_spring_security_check"): return answerForm(request, at: now)
        case ("POST", "api/mobile/v2/\(School.loginName)/authentication"): return answerAppLogin(request, at: now)
        case ("GET", "api/public/v1/login-meta"):
            return .json(["anonymousLoginEnabled": false, "ssoLoginEnabled": false])
        case ("GET", "api/token/new"): return answerToken(request, at: now)
        case ("GET", _) where path.hasPrefix("api/rest/view/"):
            return answerView(request, String(path.dropFirst("api/rest/view/".count)), at: now)
        case ("GET", _) where path.hasPrefix("api/"):
            return answerCookieAPI(request, String(path.dropFirst("api/".count)), at: now)
        default: return Self.viewError(404, "NOT_FOUND")
        }
    }

    /// A token for a session: the text itself. Without a session the login page, with status 200.
    private mutating func answerToken(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        guard let account = sessionAccount(request, at: now) else {
            return .text(
                "<!DOCTYPE html>\n<html><head><title>WebUntis</title></head><body>login</body></html>",
                type: "text/html;charset=UTF-8"
            )
        }
        return .text(webUntis.makeToken(for: account, isStandalone: false, at: now))
    }

    /// The app's own login, whose token needs no cookies beside it.
    private mutating func answerAppLogin(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        guard let body = request.json, let name = body["username"].string, let password = body["password"].string else {
            return Self.viewError(400, "VALIDATION_ERROR", ["username", "password"])
        }
        guard let account = try? logIn(name, password, at: now) else {
            return Self.viewError(401, "INVALID_CREDENTIALS")
        }
        return .json([
            "jwt": .string(webUntis.makeToken(for: account, isStandalone: true, at: now)),
            "isPasswordChangeRequired": false, "isEmailUpdateRequired": false,
        ])
    }

    // MARK: The view API, with bearer

    private enum Bearer {
        case missing
        case stale(Account)
        case holds(Account)
    }

    private mutating func bearer(_ request: ServedRequest, at now: Timestamp) -> Bearer {
        guard let token = request.bearer else { return .missing }
        switch webUntis.state(of: token, at: now) {
        case .invalid: return .missing
        case .expired(let name): return school.account(name).map { .stale($0) } ?? .missing
        case .holds(let name, let isStandalone):
            guard let account = school.account(name) else { return .missing }
            if isStandalone { return .holds(account) }
            return sessionAccount(request, at: now)?.userName == name ? .holds(account) : .missing
        }
    }

    private mutating func answerView(_ request: ServedRequest, _ path: String, at now: Timestamp) -> ServedAnswer {
        let isTimetable = path == "v1/timetable/entries"
        switch bearer(request, at: now) {
        case .missing: return Self.viewError(401, "UNAUTHORIZED")
        case .stale(let account):
            // With a token at its end the timetable says so; lists come back empty with status 200 (protocols, WebUntis 0.2).
            let isList = path.hasPrefix("v1/messages") || path.hasPrefix("v1/dashboard")
            guard isList else { return Self.viewError(401, "UNAUTHORIZED") }
            let answer = viewAnswer(request, path, account, at: now)
            let emptied = (try? Value(json: answer.body))?.withEmptyLists
            return answer.status == 200 ? .json(emptied ?? .null) : answer
        case .holds(let account):
            if let kind = Self.deniedKind(of: path), isOn(.denied(kind)) { return Self.viewError(403, "FORBIDDEN") }
            return isTimetable ? answerEntries(request, account, at: now) : viewAnswer(request, path, account, at: now)
        }
    }

    private func viewAnswer(_ request: ServedRequest, _ path: String, _ account: Account, at now: Timestamp)
        -> ServedAnswer
    {
        switch path {
        case "v1/app/data": return .json(appData(account, at: now))
        case "v3/mobile/data": return .json(mobileData(account, at: now))
        case "v1/schoolyears": return .json(.list(school.calendar.years.map(Self.viewYear)))
        case "v1/messages": return answerInbox(request, account)
        case "v1/messages/status": return .json(["unreadMessagesCount": .number(inbox(account).count { !$0.isRead })])
        case "v1/messages/sent": return .json(["sentMessages": []])
        case "v1/messages/drafts": return .json(["draftMessages": []])
        case "v1/dashboard/cards":
            return .json(["dashboardCards": .list(dayMessages(on: school.date(at: now)).map(Self.card))])
        case "v2/calendar-entry/detail": return answerDetail(request, account, at: now)
        default:
            guard path.hasPrefix("v1/messages/") else { return Self.viewError(404, "NOT_FOUND") }
            return answerMessage(path.split(separator: "/").dropFirst(2).joined(separator: "/"), account)
        }
    }

    /// The kind of data that an address belongs to: what `fault denied KIND` names.
    static func deniedKind(of path: String) -> String? {
        let kinds = [
            ("timetable", "timetable"), ("calendar-entry", "timetable"), ("messages", "messages"), ("grade", "grades"),
            ("absence", "absences"), ("classregevents", "events"), ("exams", "exams"), ("homeworks", "homework"),
            ("news", "news"), ("dashboard", "news"),
        ]
        return kinds.first { path.contains($0.0) }?.1
    }

    // MARK: The older API, with cookies

    private mutating func answerCookieAPI(_ request: ServedRequest, _ path: String, at now: Timestamp) -> ServedAnswer {
        guard let account = sessionAccount(request, at: now) else { return .loginPage }
        if let kind = Self.deniedKind(of: path), isOn(.denied(kind)) {
            return .json(["errors": [["code": "FORBIDDEN", "title": "Unerlaubter Zugriff"]]], status: 403)
        }
        let answer = cookieAnswer(request, path, account, at: now)
        // A token at its end, or one that is none, empties the lists of these too.
        guard let token = request.bearer, answer.status == 200 else { return answer }
        guard case .holds(account.userName, _) = webUntis.state(of: token, at: now) else {
            return .json((try? Value(json: answer.body))?.withEmptyLists ?? .null)
        }
        return answer
    }

    private func cookieAnswer(_ request: ServedRequest, _ path: String, _ account: Account, at now: Timestamp)
        -> ServedAnswer
    {
        switch path {
        case "app/config":
            let person: Value = ["id": .number(account.personID), "type": .number(account.personType)]
            let user: Value = ["personId": .number(account.personID), "persons": [person]]
            return .json(["data": ["loginServiceConfig": ["user": user]]])
        case "daytimetable/config":
            return .json(["data": ["klasseId": .number(Self.klasseID(of: account, in: school))]])
        case "classreg/grade/grading/list": return answerGradeLessons(request, account)
        case "classreg/grade/grading/lesson": return answerGradeLesson(request, account)
        case "classreg/grade/gradeList": return answerGradeList(request, account)
        case "classreg/absences/students": return answerAbsences(request, account)
        case "classreg/classregevents": return answerRegisterEvents(request, account)
        case "classreg/classservices": return .json(["data": ["classRoles": [], "personKlasseLinks": []]])
        case "exams": return answerExams(request, account)
        case "homeworks/lessons": return answerHomework(request, account)
        case "public/news/newsWidgetData": return answerNews(request, at: now)
        default: return Self.viewError(404, "NOT_FOUND")
        }
    }

    // MARK: Errors and parameters

    static func viewError(_ status: Int, _ code: String, _ paths: [String] = []) -> ServedAnswer {
        let complaints = paths.map { path -> Value in ["path": .string(path), "errorMessage": "must not be null"] }
        return .json(
            [
                "errorCode": .string(code), "requestId": "00000000", "traceId": "0000000000000000",
                "validationErrors": .list(complaints),
            ],
            status: status
        )
    }

    /// A day of the query; a complaint where it is missing or none.
    static func day(_ request: ServedRequest, _ name: String) -> Result<CalendarDate, QueryError> {
        guard let day = request.argument(name).flatMap({ CalendarDate(webUntis: $0) }) else {
            return .failure(QueryError(name: name))
        }
        return .success(day)
    }

    /// An argument that is missing or unreadable.
    struct QueryError: Error, Sendable {
        let name: String
        var answer: ServedAnswer { SimulatorState.viewError(400, "VALIDATION_ERROR", [name]) }
    }

    /// The student a request is about, if the account may see that one.
    func student(_ request: ServedRequest, _ account: Account, argument: String = "studentId") -> Result<
        Student, QueryAnswer
    > {
        guard let id = request.argument(argument).flatMap({ Int($0) }) else {
            return .failure(QueryAnswer(answer: Self.viewError(400, "VALIDATION_ERROR", [argument])))
        }
        guard account.students.contains(id), let student = school.student(id) else {
            // Refusals of this API come with status 200 (protocols, WebUntis 5, no. 15).
            let errors: Value = ["errors": [["code": "INTERNAL_ERROR", "title": "Unerlaubter Zugriff"]]]
            return .failure(QueryAnswer(answer: .json(errors)))
        }
        return .success(student)
    }

    struct QueryAnswer: Error, Sendable {
        let answer: ServedAnswer
    }
}
