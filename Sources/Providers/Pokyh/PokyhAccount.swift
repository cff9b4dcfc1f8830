import BotConfig
public import BotCore
public import Values

/// A login at the POKYH backend, shared by all sources of one account.
///
/// Every login ends the refresh tokens of earlier ones, those of the pupil's own browser included; so there is one login in fifty minutes
/// at most, with refreshes in between (`protocols/pokyh.md` section 5).
public actor PokyhAccount: Account {
    /// Who the account is, as `/auth/me` tells.
    struct User: Sendable, Hashable {
        var id: String
        var name: String
        /// Nil where it is a member of no class.
        var classID: String?
        var isGuardian: Bool

        init?(_ user: Value) {
            guard let id = user["stableUid"].string, !id.isEmpty, let name = user["username"].string else { return nil }
            self.id = id
            self.name = name
            classID = user["classId"].string.flatMap { $0.isEmpty ? nil : $0 }
            isGuardian = user["role"].string == "parent"
        }
    }

    /// How the account logs in.
    enum Credentials: Sendable {
        case password(user: String, password: Secret)
        /// By the server's own key, which opens any account without a password.
        case serverKey(body: Value, key: Secret)
    }

    private struct Session {
        var token: Secret
        var tokenEnds: Timestamp
        var refreshToken: Secret
        var refreshEnds: Timestamp
    }

    nonisolated let wire: PokyhWire
    private let apiKey: Secret
    private let credentials: Credentials
    private var session: Session?
    private var lastLogin: Timestamp?
    private var refusal: PluginError?
    private var renewal: Task<Result<Secret, PluginError>, Never>?

    init(wire: PokyhWire, apiKey: Secret, credentials: Credentials) {
        self.wire = wire
        self.apiKey = apiKey
        self.credentials = credentials
    }

    public func close(at now: Timestamp) async {
        guard let session else { return }
        self.session = nil
        let headers = keyHeader + [Self.bearer(session.token)]
        _ = try? await wire.send(
            "POST",
            PokyhRoutes.logout,
            body: ["refreshToken": .string(session.refreshToken.reveal())],
            headers: headers
        )
    }

    public func forgetRefusal() { refusal = nil }

    // MARK: Asking

    func document(
        _ route: String,
        body: Value? = nil,
        asking subject: String,
        at now: Timestamp
    ) async throws(PluginError) -> Value {
        let method = body == nil ? "GET" : "POST"
        var token = try await live(at: now)
        var response = try await wire.send(method, route, body: body, headers: keyHeader + [Self.bearer(token)])
        if response.status == 401, !PokyhWire.words(of: response).contains("API-Key") {
            token = try await renewed(after: token, at: now)
            response = try await wire.send(method, route, body: body, headers: keyHeader + [Self.bearer(token)])
        }
        return try wire.document(of: response, asking: subject, at: now)
    }

    /// The account's user, asked for anew at every poll: it is the proof of the login, as an account that was rolled over in August still
    /// gets empty lists for its old token.
    func user(at now: Timestamp) async throws(PluginError) -> User {
        guard let user = User(try await document(PokyhRoutes.ownUser, asking: "the user's own data", at: now)) else {
            throw .permanent("\(wire.place): POKYH did not tell who the user is.")
        }
        return user
    }

    private var keyHeader: [(name: String, value: String)] { [(name: "X-API-Key", value: apiKey.reveal())] }

    private static func bearer(_ token: Secret) -> (name: String, value: String) {
        (name: "Authorization", value: "Bearer \(token.reveal())")
    }

    // MARK: The session

    /// Tokens are given up a little before their end, so that none ends on the way.
    private static let reserve = TimeSpan.seconds(120)

    private func live(at now: Timestamp) async throws(PluginError) -> Secret {
        if let refusal { throw refusal }
        if let session, now < session.tokenEnds { return session.token }
        return try await renewed(after: session?.token, at: now)
    }

    private func renewed(after stale: Secret?, at now: Timestamp) async throws(PluginError) -> Secret {
        if let refusal { throw refusal }
        if let session, session.token != stale, now < session.tokenEnds { return session.token }
        let running = renewal ?? Task { await renew(at: now) }
        renewal = running
        return try await running.value.get()
    }

    private func renew(at now: Timestamp) async -> Result<Secret, PluginError> {
        defer { renewal = nil }
        do throws(PluginError) {
            if let token = try await refreshed(at: now) { return .success(token) }
            return .success(try await loggedIn(at: now))
        } catch {
            if error.disposition == .unauthorized { refusal = error }
            return .failure(error)
        }
    }

    /// A new access token for a live refresh token; nil if that has ended.
    private func refreshed(at now: Timestamp) async throws(PluginError) -> Secret? {
        guard let session, now < session.refreshEnds else { return nil }
        let body: Value = ["refreshToken": .string(session.refreshToken.reveal())]
        let response = try await wire.send("POST", PokyhRoutes.refresh, body: body, headers: keyHeader)
        if response.status == 401 {
            self.session = nil
            return nil
        }
        let answer = try wire.document(of: response, asking: "a new token", at: now)
        guard let token = answer["token"].string, !token.isEmpty else { return nil }
        self.session?.token = Secret(token)
        self.session?.tokenEnds = now + Self.tokenLife
        return Secret(token)
    }

    private static let tokenLife = TimeSpan.seconds(PokyhRoutes.tokenLifeSeconds) - reserve
    private static let loginGap = TimeSpan.seconds(PokyhRoutes.loginGapSeconds)

    private func loggedIn(at now: Timestamp) async throws(PluginError) -> Secret {
        if let lastLogin, lastLogin <= now, now - lastLogin < Self.loginGap {
            throw .transient(
                "\(wire.place): the session ended early, as it does when this user logs in elsewhere; the bot logs in again when "
                    + "fifty minutes have passed since its last login.",
                retryAfter: Self.loginGap - (now - lastLogin)
            )
        }
        let answer = try wire.document(of: try await loginResponse(), asking: "the login", at: now)
        guard let token = answer["token"].string, let refresh = answer["refreshToken"].string, !token.isEmpty else {
            throw .permanent("\(wire.place): POKYH accepted the login and gave no token.")
        }
        lastLogin = now
        session = Session(
            token: Secret(token),
            tokenEnds: now + Self.tokenLife,
            refreshToken: Secret(refresh),
            refreshEnds: now + Self.tokenLife
        )
        return Secret(token)
    }

    private func loginResponse() async throws(PluginError) -> HTTPResponse {
        let response: HTTPResponse
        switch credentials {
        case .password(let user, let password):
            let body: Value = ["username": .string(user), "password": .string(password.reveal())]
            response = try await wire.send("POST", PokyhRoutes.login, body: body, headers: keyHeader)
        case .serverKey(let body, let key):
            let headers = keyHeader + [(name: "X-Server-Key", value: key.reveal())]
            response = try await wire.send("POST", PokyhRoutes.login, body: body, headers: headers)
        }
        if response.status == 401, !PokyhWire.words(of: response).contains("API-Key") {
            throw PluginError(
                .unauthorized,
                "\(wire.place): POKYH refuses the user name or the password (HTTP 401). Accounts are deleted in August; register "
                    + "again in the app then.",
                evidence: PokyhWire.evidence(in: response)
            )
        }
        if response.status == 422 {
            throw .permanent(
                "\(wire.place): POKYH cannot use these settings (HTTP 422).",
                evidence: PokyhWire.evidence(in: response)
            )
        }
        return response
    }
}
