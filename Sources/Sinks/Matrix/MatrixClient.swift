import BotCore
import Digests
import Values

/// The bot's user at its homeserver: one login, one renewal at a time, and the requests that carry its token.
actor MatrixClient {
    private let homeserver: String
    private let credentials: MatrixSettings.Credentials
    private let http: any HTTPClient
    /// How errors name it.
    nonisolated let place: String
    /// The device to log in as; nil with a token, which has a device of its own.
    private var device: String?
    /// Lives as long as the process; never stored.
    private var token: Secret?
    private var refusal: PluginError?
    private var login: Task<Result<Secret, PluginError>, Never>?

    /// - Parameter memo: what `memo` was at the last delivery; `.null` at first.
    init(_ settings: MatrixSettings, memo: Value, http: any HTTPClient) {
        homeserver = settings.homeserver
        credentials = settings.credentials
        self.http = http
        place = "sink '\(settings.name)'"
        if case .password(let user, _) = settings.credentials {
            // Transaction ids belong to the device. Its id follows from the settings, so that it is the same even if the bot ends before
            // its first delivery is written down; once written down it stays, whatever becomes of the settings.
            let own = ContentID.make(["device", settings.name, settings.homeserver, user])
            device = memo["device"].string ?? "POKYHBOT" + own.prefix(10).uppercased()
        }
    }

    /// What has to be remembered: the device's id, which is no secret.
    var memo: Value? { device.map { ["device": .string($0)] } }

    func forgetRefusal() { refusal = nil }

    // MARK: Asking

    /// Sends once; a token that the server does not know any more is renewed by one new login, if there is a password.
    ///
    /// - Parameter path: below `/_matrix/client/v3`, each piece percent-encoded.
    func ask(
        _ method: String,
        _ path: String,
        body: Value? = nil,
        at now: Timestamp
    ) async throws(PluginError) -> HTTPResponse {
        let token = try await liveToken(at: now)
        let response = try await send(method, path, body: body, token: token)
        guard case .password = credentials, response.status == 401 else { return response }
        let renewed = try await newToken(after: token, at: now)
        return try await send(method, path, body: body, token: renewed)
    }

    private func send(
        _ method: String,
        _ path: String,
        body: Value?,
        token: Secret?
    ) async throws(PluginError) -> HTTPResponse {
        var headers: [(name: String, value: String)] = [("Accept", "application/json")]
        if let token { headers.append(("Authorization", "Bearer \(token.reveal())")) }
        if body != nil { headers.append(("Content-Type", "application/json")) }
        let request = HTTPRequest(
            method,
            "\(homeserver)/_matrix/client/v3\(path)",
            headers: headers,
            body: body?.jsonBytes,
            bodyLimit: 1 << 16
        )
        do {
            return try await http.send(request)
        } catch  where error.disposition == .uncertain && method != "PUT" {
            // Logins, joins and questions may be repeated; only a message counts as possibly sent.
            throw .transient(error.message)
        }
    }

    // MARK: The login

    private func liveToken(at now: Timestamp) async throws(PluginError) -> Secret {
        if case .token(let token) = credentials { return token }
        if let token { return token }
        return try await newToken(after: nil, at: now)
    }

    private func newToken(after stale: Secret?, at now: Timestamp) async throws(PluginError) -> Secret {
        if let refusal { throw refusal }
        if let token, token != stale { return token }
        let running = login ?? Task { await loggedIn(at: now) }
        login = running
        return try await running.value.get()
    }

    private func loggedIn(at now: Timestamp) async -> Result<Secret, PluginError> {
        defer { login = nil }
        do throws(PluginError) {
            let token = try await logIn(at: now)
            self.token = token
            return .success(token)
        } catch {
            if error.disposition == .unauthorized { refusal = error }
            return .failure(error)
        }
    }

    /// `POST /login` (Client-Server API, "Login") with the same device each time.
    private func logIn(at now: Timestamp) async throws(PluginError) -> Secret {
        guard case .password(let user, let password) = credentials else {
            throw .unauthorized("\(place): the homeserver does not know the access token (any more)")
        }
        let body: Value = [
            "type": "m.login.password", "identifier": ["type": "m.id.user", "user": .string(user)],
            "password": .string(password.reveal()), "device_id": .string(device ?? ""),
            "initial_device_display_name": "pokyh-bot",
        ]
        let response = try await send("POST", "/login", body: body, token: nil)
        if response.status == 403, MatrixVerdict.code(of: response) == "M_FORBIDDEN" {
            throw .unauthorized("\(place): the homeserver refuses the user or the password")
        }
        if response.status == 400, !MatrixVerdict.code(of: response).isEmpty {
            throw .unauthorized("\(place): the homeserver takes no login by password; give an access token in 'token'")
        }
        if let error = MatrixVerdict.error(for: response, from: place, at: now) { throw error }
        guard let answer = try? Value(json: response.body), let token = answer["access_token"].string, !token.isEmpty
        else {
            throw .permanent("\(place): the answer to the login is not that of a homeserver; check 'homeserver'")
        }
        return Secret(token)
    }
}

extension String {
    /// Percent-encoded as one piece of a path (RFC 3986 section 3.3).
    var pathPiece: String {
        utf8.reduce(into: "") { encoded, byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~".utf8.contains(byte)
            if isPlain {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
