import Values

/// The simulator's own addresses, below `/__simulator/`.
extension SimulatorState {
    static let controlPrefix = "/__simulator/"

    mutating func answerControl(_ request: ServedRequest, clock: Timestamp) -> ServedAnswer {
        // Pages of other origins must not steer the school through somebody's browser.
        guard request.header("origin") == nil else {
            return .text("requests from web pages are refused\n", status: 403)
        }
        switch (request.method, request.path.dropFirst(Self.controlPrefix.count)) {
        case ("POST", "command"):
            guard !request.isBodyTooLong else { return .text("that is too long for a command\n", status: 413) }
            do throws(CommandError) {
                let command = try SimulatorCommand.parse(String(decoding: request.body, as: UTF8.self))
                return .text(try perform(command, clock: clock) + "\n")
            } catch {
                return .text(error.description + "\n", status: 400)
            }
        case ("GET", "commands"): return .text(CommandCatalogue.help + "\n")
        case ("GET", "log"): return .json(.list(log.map(\.value)))
        case ("GET", "state"): return .json(stateValue(at: clock + clockOffset))
        default:
            let known = "POST /__simulator/command, GET /__simulator/commands, /__simulator/log, /__simulator/state"
            return .text("there is nothing here; there are: \(known)\n", status: 404)
        }
    }

    /// Carries a command out, on the school or on the server.
    mutating func perform(_ command: SimulatorCommand, clock: Timestamp) throws(CommandError) -> String {
        let now = clock + clockOffset
        switch command {
        case .fault(let fault): return try switchOn(fault, at: now)
        case .faultOff(let name):
            let ended = faults.filter { name == nil || $0.name == name }.map(\.name)
            faults.removeAll { name == nil || $0.name == name }
            faultsEnded = true
            if name == nil || name == "locked" { webUntis.unlockAll() }
            return ended.isEmpty ? "no such fault was on" : "off: " + ended.joined(separator: ", ")
        case .setClock(let day, let minute):
            let date = try school.chosenDate(day, at: now)
            let wanted = school.zone.instant(of: date, at: WallTime.midnight.adding(minutes: minute))
            clockOffset = wanted - clock
            return "it is \(clockText(wanted))"
        case .advanceClock(let seconds):
            clockOffset = clockOffset + .seconds(Int64(seconds))
            return "it is \(clockText(clock + clockOffset))"
        case .rateLimits(let areOn):
            pokyh.appliesLimits = areOn
            return areOn ? "POKYH's limits apply" : "POKYH's limits do not apply"
        default: return try school.perform(command, at: now)
        }
    }

    private mutating func switchOn(_ fault: Fault, at now: Timestamp) throws(CommandError) -> String {
        switch fault.kind {
        case .expired(let tokens):
            if tokens {
                webUntis.expireTokens()
                pokyh.expireTokens()
            } else {
                webUntis.sessions = [:]
                pokyh.refreshTokens = [:]
            }
            return tokens ? "every token has expired" : "every session has expired"
        case .locked(let userName): _ = try school.chosenAccount(userName)
        default: break
        }
        faults.append(fault)
        return "fault \(fault.name) is on" + (fault.path.map { " for \($0)" } ?? "")
    }

    private func clockText(_ instant: Timestamp) -> String {
        let reading = school.zone.reading(at: instant)
        return "\(reading.date.weekdayName) \(reading.date) \(reading.time)"
    }

    /// What somebody who points a bot at the school needs to know. Logins are invented, so they may be shown.
    private func stateValue(at now: Timestamp) -> Value {
        let logins = [School.anna, School.luca, School.paola, School.karl, School.rita]
        let accounts = logins.compactMap { login -> Value? in
            guard let account = school.account(login.userName) else { return nil }
            return [
                "user": .string(account.userName), "password": .string(account.password),
                "app_secret": .string(account.appSecret), "role": .string(account.role.rawValue),
                "students": .list(account.students.map { .number($0) }),
            ]
        }
        let local = [School.pokyhStudent, School.pokyhParent].map { login -> Value in
            ["user": .string(login.userName), "password": .string(login.password)]
        }
        let today = school.date(at: now)
        return [
            "now": .string(now.rfc3339),
            "local_time": .string(clockText(now)),
            "school": .string(School.loginName),
            "api_key": .string(School.apiKey),
            "accounts": .list(accounts),
            "pokyh_accounts": .list(local),
            "faults": .list(faults.map { .string($0.name) }),
            "lessons_today": .number(school.lessons(of: School.annasClass, on: today).count),
            "is_school_day": .bool(school.calendar.isSchoolDay(today)),
            "import_time": .int(school.importTime.milliseconds),
        ]
    }
}
