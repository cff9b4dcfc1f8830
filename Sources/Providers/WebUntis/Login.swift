import BotConfig
import BotCore
import Digests
import Values

/// Makes sessions: logs in, and renews the bearer of a session that still lives.
struct Login: Sendable {
    let wire: Wire
    let credentials: Credentials

    /// A session from the credentials.
    func session(at now: Timestamp) async throws(PluginError) -> Session {
        var session = try await authenticated(at: now)
        guard session.cookies.hasSession else {
            throw .permanent("\(wire.place): the login succeeded, but WebUntis opened no session for it.")
        }
        guard let bearer = try await bearer(for: &session, at: now) else {
            throw .transient(
                "\(wire.place): the login succeeded, but WebUntis gave no token for it; it may be under maintenance."
            )
        }
        session.bearer = bearer
        session.bearerExpires = Self.expiry(from: now)
        return session
    }

    /// The same session with a new bearer, or nil if its cookie is dead.
    func renewed(_ session: Session, at now: Timestamp) async throws(PluginError) -> Session? {
        var session = session
        guard let bearer = try await bearer(for: &session, at: now) else { return nil }
        session.bearer = bearer
        session.bearerExpires = Self.expiry(from: now)
        session.origin = .renewedToken
        return session
    }

    private static func expiry(from now: Timestamp) -> Timestamp {
        now + .seconds(WebUntisRoutes.bearerLifeSeconds - WebUntisRoutes.bearerReserveSeconds)
    }

    /// `token/new` answers a plain JWT, three parts joined by dots, sometimes in quotes. A redirect, a page or an empty text means that the
    /// cookie is dead: nil.
    private func bearer(for session: inout Session, at now: Timestamp) async throws(PluginError) -> Secret? {
        let headers = [("Accept", "text/plain, application/json"), ("Cookie", session.cookies.header)]
        let response = try await wire.send(HTTPRequest("GET", wire.address.url(WebUntisRoutes.token), headers: headers))
        if [429, 408, 425].contains(response.status) || response.status >= 500 {
            throw wire.failure(of: response, asking: "a token", at: now)
        }
        session.cookies.absorb(response)
        guard response.status == 200, !response.isWebPage else { return nil }
        let token = String(decoding: response.body.prefix(16_384), as: UTF8.self).trimmed.filter { $0 != "\"" }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isTokenByte) }) else {
            return nil
        }
        return Secret(token)
    }

    /// The alphabet of base64url (RFC 7515 section 2), padding allowed.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-_=+/".utf8.contains(byte)
    }

    private func authenticated(at now: Timestamp) async throws(PluginError) -> Session {
        switch credentials {
        case .password(let user, let password):
            try await authenticated(
                "authenticate",
                [
                    "user": .string(user), "password": .string(password.reveal()),
                    "client": .string(WebUntisRoutes.clientName),
                ],
                url: wire.address.url(WebUntisRoutes.rpc, [("school", wire.address.school)]),
                at: now
            )
        case .appSecret(let user, let secret):
            try await authenticated(
                "getUserData2017",
                .list([try mobileParameters(user, secret, at: now)]),
                url: mobileURL,
                at: now
            )
        }
    }

    private var mobileURL: String {
        wire.address.url(
            WebUntisRoutes.mobileRPC,
            [
                ("school", wire.address.school), ("m", "getUserData2017"), ("a", "false"),
                ("s", wire.address.authority),
                ("v", WebUntisRoutes.mobileVersion),
            ]
        )
    }

    /// The one-time password goes out as a number, the time beside it in milliseconds (`protocols/webuntis.md` section 3).
    private func mobileParameters(_ user: String, _ secret: Secret, at now: Timestamp) throws(PluginError) -> Value {
        guard let password = OneTimePassword(secret: secret.reveal()) else {
            throw .unauthorized(
                "\(wire.place): 'app_secret:' is not a key; take the text shown under Profile, Freigaben in WebUntis."
            )
        }
        return [
            "elementId": 0, "deviceOs": "AND", "deviceOsVersion": "",
            "auth": [
                "user": .string(user), "otp": .int(Int64(password.code(at: now))), "clientTime": .int(now.milliseconds),
            ],
        ]
    }

    private func authenticated(
        _ method: String,
        _ parameters: Value,
        url: String,
        at now: Timestamp
    ) async throws(PluginError) -> Session {
        var cookies = Cookies(school: wire.address.school)
        let (outcome, response) = try await wire.rpc(method, parameters, url: url, cookies: cookies, at: now)
        switch outcome {
        case .failure(.complaint(let complaint)):
            throw complaint.error(at: wire.place, asking: "the login", of: wire.address)
        case .success(let result):
            cookies.absorb(response)
            if !cookies.hasSession { cookies.set("JSESSIONID", result["sessionId"].label) }
            let user = result["userData"]
            return Session(
                origin: .login,
                cookies: cookies,
                bearer: Secret(""),
                bearerExpires: Timestamp(seconds: 0),
                personID: (result["personId"].wholeNumber ?? user["elemId"].wholeNumber) ?? 0,
                personType: result["personType"].wholeNumber ?? Self.personTypes[user["elemType"].label] ?? 0,
                classID: result["klasseId"].wholeNumber ?? 0
            )
        }
    }

    /// What the mobile interface calls the persons that JSON-RPC numbers.
    private static let personTypes: [String: Int64] = ["TEACHER": 2, "STUDENT": 5, "LEGAL_GUARDIAN": 12, "PARENT": 15]
}
