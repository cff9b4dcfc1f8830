import BotCore
import BotTestKit
import Foundation
import Values

/// A POKYH backend as far as the provider sees it: strict about the key, the tokens and the origin.
actor ScriptedBackend: HTTPClient {
    private var answers: [String: HTTPResponse] = [:]
    private(set) var log: [(route: String, request: HTTPRequest)] = []
    private var tokens: Set<String> = []
    private var refreshTokens: Set<String> = []
    private var made = 0
    private var loginUser = Value.null

    init(user: String = "backend_auth_me") throws {
        loginUser = try Fixtures.json(user)
        answers["GET /auth/me"] = .json(loginUser)
    }

    /// What a route answers from now on: `GET /dishes`.
    func answer(_ route: String, _ fixture: String, status: Int = 200) throws {
        var response = try Fixtures.response(fixture)
        if status != 200 { response.status = status }
        answers[route] = response
    }
    func answer(_ route: String, _ response: HTTPResponse) { answers[route] = response }
    func forget(_ route: String) { answers[route] = nil }
    func expireTokens() { tokens = [] }
    func endSessions() {
        tokens = []
        refreshTokens = []
    }
    func count(_ route: String) -> Int { log.count { $0.route == route } }

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        await Task.yield()
        let path = request.url.replacing("https://api.pokyh.com", with: "")
        let route = "\(request.method) \(path)"
        log.append((route, request))
        do {
            return try respond(to: route, request)
        } catch {
            throw .permanent("the script failed: \(error)")
        }
    }

    private func header(_ name: String, _ request: HTTPRequest) -> String? {
        request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    private func respond(to route: String, _ request: HTTPRequest) throws -> HTTPResponse {
        if header("Origin", request) != nil { return .json(["error": "CORS"], status: 403) }
        if route == "GET /dishes" { return answers[route] ?? .json(["error": "Route not found"], status: 404) }
        switch header("X-API-Key", request) {
        case nil: return try failure("backend_error_401_missing_key", 401)
        case "key": break
        default: return try failure("backend_error_403_key", 403)
        }
        switch route {
        case "POST /auth/login": return try loggedIn(request)
        case "POST /auth/refresh": return try refreshed(request)
        default: break
        }
        guard let bearer = header("Authorization", request), tokens.contains(bearer) else {
            return try failure("backend_error_401_token", 401)
        }
        return try answers[route] ?? failure("backend_error_404_route", 404)
    }

    private func loggedIn(_ request: HTTPRequest) throws -> HTTPResponse {
        if let scripted = answers["POST /auth/login"] { return scripted }
        let body = try Value(json: request.body ?? [])
        let byKey = header("X-Server-Key", request) == "server"
        guard body["password"] == "geheim" || (byKey && body["password"].isNull) else {
            return try failure("backend_error_401_credentials", 401)
        }
        let refresh = "refresh\(made + 1)"
        refreshTokens = [refresh]
        return .json(["token": .string(token()), "refreshToken": .string(refresh), "user": loginUser])
    }

    private func refreshed(_ request: HTTPRequest) throws -> HTTPResponse {
        let sent = try Value(json: request.body ?? [])["refreshToken"].string ?? ""
        guard refreshTokens.contains(sent) else { return try failure("backend_error_401_refresh", 401) }
        return .json(["token": .string(token())])
    }

    private func token() -> String {
        made += 1
        tokens.insert("Bearer token\(made)")
        return "token\(made)"
    }

    private func failure(_ fixture: String, _ status: Int) throws -> HTTPResponse {
        .json(try Fixtures.json(fixture), status: status)
    }
}
