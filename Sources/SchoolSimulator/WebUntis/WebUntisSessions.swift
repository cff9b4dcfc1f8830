import Values

/// Who is logged in to WebUntis, and which tokens hold.
struct WebUntisSessions: Sendable {
    struct Session: Sendable {
        let userName: String
        var lastUse: Timestamp
    }

    var sessions: [String: Session] = [:]
    /// Tokens of this number and below are refused.
    private var lastExpiredToken = 0
    private var lastToken = 0
    private var generator = SeededGenerator(seed: 0x5E55_1011)
    /// Wrong passwords in a row, and until when the user is locked.
    private var failures: [String: (count: Int, until: Timestamp?)] = [:]

    let tokens = SignedToken(key: Array("webuntis of the simulated school".utf8))

    /// A session ends after so long without a request ("may be under 10 minutes", protocols, WebUntis 1).
    static let idleLife = TimeSpan.minutes(10)
    /// At so many the ended ones are forgotten.
    private static let mostSessions = 5000
    /// 900 s from `iat` to `exp` (protocols, WebUntis 2).
    static let tokenLife = TimeSpan.seconds(900)
    /// How many wrong passwords lock a user, and for how long. The real thresholds are published nowhere.
    static let failuresAllowed = 10
    static let lockLife = TimeSpan.hours(1)

    /// 32 hexadecimal digits in upper case, as the servlet container makes them.
    mutating func open(_ userName: String, at now: Timestamp) -> String {
        if sessions.count >= Self.mostSessions {
            sessions = sessions.filter { now - $0.value.lastUse <= Self.idleLife }
        }
        let id = generator.hexadecimal(32).uppercased()
        sessions[id] = Session(userName: userName, lastUse: now)
        return id
    }

    /// The user of a session that has not ended, whose life is prolonged by this.
    mutating func user(_ id: String?, at now: Timestamp) -> String? {
        guard let id, let session = sessions[id] else { return nil }
        guard now - session.lastUse <= Self.idleLife else {
            sessions[id] = nil
            return nil
        }
        sessions[id]?.lastUse = now
        return session.userName
    }

    // MARK: Wrong passwords

    mutating func isLocked(_ userName: String, at now: Timestamp) -> Bool {
        guard let until = failures[userName]?.until else { return false }
        if now < until { return true }
        failures[userName] = nil
        return false
    }

    mutating func failed(_ userName: String, at now: Timestamp) {
        let count = (failures[userName]?.count ?? 0) + 1
        failures[userName] = (count, count >= Self.failuresAllowed ? now + Self.lockLife : nil)
    }

    mutating func succeeded(_ userName: String) { failures[userName] = nil }
    mutating func unlockAll() { failures = [:] }

    // MARK: Tokens

    /// - Parameter isStandalone: whether it holds without the cookies of a session.
    mutating func makeToken(for account: Account, isStandalone: Bool, at now: Timestamp) -> String {
        lastToken += 1
        return tokens.make([
            "tenant_id": .string(School.tenant), "sub": .string(account.userName),
            "roles": .string(account.role.rawValue),
            "iss": "webuntis", "locale": "de", "user_type": "USER", "user_id": .number(account.userID),
            "host": "127.0.0.1", "sn": .string(School.loginName), "scopes": "mg:r", "iat": .int(now.seconds),
            "exp": .int((now + Self.tokenLife).seconds), "username": .string(account.userName),
            "person_id": .number(account.personID), "jti": .number(lastToken), "standalone": .bool(isStandalone),
        ])
    }

    mutating func expireTokens() { lastExpiredToken = lastToken }

    enum TokenState: Sendable, Equatable {
        case invalid
        case expired(userName: String)
        case holds(userName: String, isStandalone: Bool)
    }

    func state(of token: String, at now: Timestamp) -> TokenState {
        guard let claims = tokens.claims(of: token), let userName = claims["username"].string,
            let expiry = claims["exp"].integer, let serial = claims["jti"].wholeNumber
        else { return .invalid }
        if expiry <= now.seconds || serial <= lastExpiredToken { return .expired(userName: userName) }
        return .holds(userName: userName, isStandalone: claims["standalone"].bool ?? false)
    }
}
