import Digests
import Values

/// Logging in to WebUntis, in each of its ways.
extension SimulatorState {
    /// Why a login was refused: a code and a text of WebUntis.
    struct RPCError: Error, Sendable {
        let code: Int
        let message: String

        static let badCredentials = RPCError(code: -8504, message: "bad credentials")
        static let notAuthenticated = RPCError(code: -8520, message: "not authenticated")
        static let locked = RPCError(code: -8998, message: "Benutzer ist vorübergehend gesperrt")
        static let noUser = RPCError(code: -8502, message: "no username specified")
        static let clockDiffers = RPCError(code: -8524, message: "client time and server time differ too much")
        static let noDate = RPCError(code: -7004, message: "no allowed date")
        static let badDates = RPCError(code: -8507, message: "start and end date are not within one school year")
        static let noSchoolYear = RPCError(code: -8998, message: "schoolyear is null")

        static func noRight(_ method: String) -> RPCError { RPCError(code: -8509, message: "no right for \(method)()") }
    }

    /// The account of a name and a password.
    mutating func logIn(_ userName: String, _ password: String, at now: Timestamp) throws(RPCError) -> Account {
        let name = userName.lowercased()
        try refuseLocked(name, at: now)
        guard let account = school.account(name), account.password == password else {
            webUntis.failed(name, at: now)
            throw RPCError.badCredentials
        }
        webUntis.succeeded(name)
        return account
    }

    /// The account of a one-time password: `auth` of the mobile interface.
    mutating func logIn(oneTime auth: Value, at now: Timestamp) throws(RPCError) -> Account {
        guard let name = auth["user"].string?.lowercased(), !name.isEmpty else { throw RPCError.noUser }
        try refuseLocked(name, at: now)
        // The password comes as a number; a text is not understood.
        guard let otp = auth["otp"].integer, let milliseconds = auth["clientTime"].integer else {
            throw RPCError.badCredentials
        }
        let clientTime = Timestamp(milliseconds: milliseconds)
        // A host clock three minutes off was enough to be refused (protocols, WebUntis 1).
        let difference = clientTime > now ? clientTime - now : now - clientTime
        guard difference < .minutes(3) else { throw RPCError.clockDiffers }
        guard let account = school.account(name), let password = OneTimePassword(secret: account.appSecret),
            Int64(password.code(at: clientTime)) == otp
        else {
            webUntis.failed(name, at: now)
            throw RPCError.badCredentials
        }
        webUntis.succeeded(name)
        return account
    }

    private mutating func refuseLocked(_ name: String, at now: Timestamp) throws(RPCError) {
        if isOn(.locked(name)) || webUntis.isLocked(name, at: now) { throw RPCError.locked }
    }

    /// The two cookies of a session. `Secure` is left out: this is plain HTTP.
    mutating func openSession(_ account: Account, at now: Timestamp) -> (
        id: String, cookies: [(name: String, value: String)]
    ) {
        let id = webUntis.open(account.userName, at: now)
        return (
            id,
            [
                (name: "Set-Cookie", value: "JSESSIONID=\(id); Path=/WebUntis; HttpOnly"),
                (name: "Set-Cookie", value: "schoolname=\"\(Self.schoolCookie)\"; Path=/"),
            ]
        )
    }

    /// The school in the cookie: an underscore and its name in base 64.
    static let schoolCookie = "_" + base64(School.loginName)

    /// The account of a request's session, by both its cookies.
    mutating func sessionAccount(_ request: ServedRequest, at now: Timestamp) -> Account? {
        // Clients send the padding as it is, percent-encoded, or leave it out.
        let cookie = request.cookie("schoolname")?.replacing("%3D", with: "=").trimmed(of: "=")
        guard cookie == Self.schoolCookie.trimmed(of: "=") else { return nil }
        return webUntis.user(request.cookie("JSESSIONID"), at: now).flatMap { school.account($0) }
    }

    /// `POST /WebUntis/j_spring_security_check`: the form of the web page. A refused login leads back to it.
    mutating func answerForm(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        let form = Self.formPairs(request.body)
        let place = { (path: String) -> [(name: String, value: String)] in [("Location", path)] }
        guard form["school"] == School.loginName, let name = form["j_username"], let password = form["j_password"],
            let account = try? logIn(name, password, at: now)
        else { return ServedAnswer(302, headers: place("/WebUntis/")) }
        return ServedAnswer(302, headers: place("/WebUntis/index.do") + openSession(account, at: now).cookies)
    }

    /// `application/x-www-form-urlencoded`.
    private static func formPairs(_ body: [UInt8]) -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            pairs[percentDecoded(halves[0])] = percentDecoded(halves[1])
        }
        return pairs
    }

    private static func percentDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
