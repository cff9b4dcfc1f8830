import Values

/// Logging in to the POKYH backend, and who one is.
extension SimulatorState {
    /// Routes that need no user yet; nil for another.
    mutating func authentication(_ call: PokyhCall, _ request: ServedRequest) throws(PokyhError) -> ServedAnswer? {
        let hasServerKey = request.header("x-server-key") == School.serverKey
        switch call.route {
        case "POST auth/login":
            if let key = request.header("x-server-key"), key != School.serverKey {
                throw PokyhError(403, "Invalid server key")
            }
            if !hasServerKey, let limited = limited(.login, at: call.now) { return limited }
            return try hasServerKey ? linkedLogin(call) : localLogin(call)
        case "POST auth/register":
            if !hasServerKey, let limited = limited(.login, at: call.now) { return limited }
            return try register(call)
        case "POST auth/refresh":
            if !hasServerKey, let limited = limited(.refresh, at: call.now) { return limited }
            let token = try text(call.body, "refreshToken", 1...1000)
            guard let uid = pokyh.owner(ofRefreshToken: token, at: call.now), let user = school.community.user(uid)
            else {
                throw PokyhError(401, "Invalid or expired refresh token")
            }
            return .json(["token": .string(pokyh.makeToken(for: user, at: call.now))])
        default: return nil
        }
    }

    /// The same refusal for an unknown user, an account without a password and a wrong password.
    private mutating func localLogin(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        let name = try text(call.body, "username", 1...100).trimmed(of: " ").lowercased()
        let password = try text(call.body, "password", 1...200)
        guard let user = school.community.user(named: name), user.password == password else {
            throw PokyhError(401, "Ungültige Zugangsdaten")
        }
        return session(of: user, at: call.now)
    }

    /// The server key opens every account, without a password.
    private mutating func linkedLogin(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        let name = try text(call.body, "username", 1...100).trimmed(of: " ").lowercased()
        let klasse = call.body["klasseId"].wholeNumber ?? 0
        guard klasse >= 0 else { throw PokyhError.validation("klasseId", "Number must be greater than or equal to 0") }
        guard let role = Community.User.Role(rawValue: call.body["role"].string ?? "student") else {
            throw PokyhError.validation("role", "Invalid enum value. Expected 'student' | 'parent'")
        }
        let klasseName = call.body["klasseName"].isNull ? "" : try text(call.body, "klasseName", 0...100)
        school.signInFromWebUntis(name, klasse: klasse, named: klasseName, role, at: call.now)
        guard let user = school.community.user(named: name) else { throw PokyhError.internalError }
        return session(of: user, at: call.now)
    }

    private mutating func register(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        let name = try text(call.body, "username", 3...30)
        let allowed = "abcdefghijklmnopqrstuvwxyz0123456789_-"
        guard name.allSatisfy({ allowed.contains($0) }) else { throw PokyhError.validation("username", "Invalid") }
        let password = try text(call.body, "password", 8...200)
        guard school.community.user(named: name) == nil else { throw PokyhError(409, "Benutzername bereits vergeben") }
        let user = Community.User(
            stableUid: school.stableUid(name),
            userName: name,
            password: password,
            role: .student,
            klasse: 0,
            klasseName: "",
            classID: nil,
            isUntisUser: false
        )
        school.community.users.append(user)
        var answer = session(of: user, at: call.now)
        answer.status = 201
        return answer
    }

    private mutating func session(of user: Community.User, at now: Timestamp) -> ServedAnswer {
        .json([
            "token": .string(pokyh.makeToken(for: user, at: now)),
            "refreshToken": .string(pokyh.makeRefreshToken(for: user.stableUid, at: now)),
            "user": Self.user(user, isOwn: true),
        ])
    }

    static func user(_ user: Community.User, isOwn: Bool) -> Value {
        var value: ValueMap = [
            "stableUid": .string(user.stableUid), "username": .string(user.userName),
            "webuntisKlasseId": .number(user.klasse), "webuntisKlasseName": .string(user.klasseName),
            "classId": .text(user.classID), "isAdmin": .bool(user.isAdmin),
        ]
        if isOwn { value["isUntisUser"] = .bool(user.isUntisUser) }
        value["role"] = .string(user.role.rawValue)
        return .map(value)
    }

    /// `/auth/logout` and `/auth/me`.
    mutating func sessionRoute(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        switch call.route {
        case "POST auth/logout":
            pokyh.refreshTokens = pokyh.refreshTokens.filter { $0.value.uid != call.uid }
            return .json(["ok": true])
        case "GET auth/me":
            guard let user = school.community.user(call.uid) else { throw PokyhError(401, "User not found") }
            return .json(Self.user(user, isOwn: true))
        default: throw PokyhError.noRoute
        }
    }

    // MARK: Reading bodies

    /// A text of so many characters.
    func text(_ body: Value, _ name: String, _ length: ClosedRange<Int>) throws(PokyhError) -> String {
        guard let text = body[name].string else {
            throw PokyhError.validation(name, body[name].isNull ? "Required" : "Expected string")
        }
        guard text.count >= length.lowerBound else {
            throw PokyhError.validation(name, "String must contain at least \(length.lowerBound) character(s)")
        }
        guard text.count <= length.upperBound else {
            throw PokyhError.validation(name, "String must contain at most \(length.upperBound) character(s)")
        }
        return text
    }

    /// An instant in UTC; nil where it is null or missing.
    func instant(_ body: Value, _ name: String) throws(PokyhError) -> Timestamp? {
        if body[name].isNull { return nil }
        guard let text = body[name].string, text.hasSuffix("Z"), let instant = Timestamp(rfc3339: text) else {
            throw PokyhError.validation(name, "Invalid datetime")
        }
        return instant
    }
}
