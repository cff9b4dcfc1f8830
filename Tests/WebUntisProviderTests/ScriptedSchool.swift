import BotCore
import BotTestKit
import Foundation
import Values

/// A school's WebUntis as far as the provider sees it: strict about cookies, tokens and the school's name, with answers that tests
/// exchange.
actor ScriptedSchool: HTTPClient {
    typealias Handler = @Sendable (Request) throws -> HTTPResponse

    struct Request: Sendable {
        var method: String
        var path: String
        var query: [String: String]
        var headers: [String: String]
        var body: Value
        /// `authenticate` for a JSON-RPC call, else empty.
        var rpc: String { body["method"].string ?? "" }
    }

    private var handlers: [String: Handler] = [:]
    private(set) var log: [Request] = []
    private(set) var urls: [String] = []
    private(set) var rawBodies: [String] = []
    private var sessions: Set<String> = []
    private var tokens: Set<String> = []
    private var made = 0
    private var importTime: Int64 = 1_000

    var schoolName = "lbs-brixen"
    var user = "testina.musterhofer"
    var password = "pä ss@#1 "

    /// - Parameter login: the fixture that answers a good login.
    init(login: String = "untis_rpc_authenticate_student", appData: String = "untis_app_data_student") throws {
        handlers["rpc:authenticate"] = Self.rpc(try Fixtures.json(login))
        handlers["rpc:getSchoolyears"] = Self.rpc(try Fixtures.json("untis_rpc_getSchoolyears"))
        handlers["rpc:getKlassen"] = Self.rpc(try Fixtures.json("untis_rpc_getKlassen"))
        handlers["rpc:logout"] = Self.rpc(try Fixtures.json("untis_rpc_logout"))
        let app = try Fixtures.response(appData)
        handlers["app/data"] = { _ in app }
    }

    static func rpc(_ body: Value) -> Handler { { _ in .json(body) } }

    /// What a path that ends so, or a JSON-RPC method (`rpc:getStudents`), answers from now on.
    func answer(_ place: String, _ handler: @escaping Handler) { handlers[place] = handler }
    func answer(_ place: String, _ fixture: String) throws {
        let response = try Fixtures.response(fixture)
        handlers[place] = { _ in response }
    }
    func answer(_ place: String, _ value: Value, status: Int = 200) {
        handlers[place] = { _ in .json(value, status: status) }
    }

    func expireTokens() { tokens = [] }
    func expireSessions() {
        tokens = []
        sessions = []
    }
    func moveImportTime() { importTime += 1_000 }
    func count(_ place: String) -> Int { log.count { Self.fits($0, place) } }
    func setSchool(_ name: String) { schoolName = name }
    func setUser(_ name: String) { user = name }
    func requests(_ place: String) -> [Request] { log.filter { Self.fits($0, place) } }

    private static func fits(_ request: Request, _ place: String) -> Bool {
        place.hasPrefix("rpc:")
            ? request.rpc == place.dropFirst(4) : request.rpc.isEmpty && request.path.hasSuffix(place)
    }

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        // Everybody else who is waiting gets a turn, as on a real network.
        await Task.yield()
        urls.append(request.url)
        guard let parts = URLComponents(string: request.url) else { throw .permanent("bad address") }
        let items = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let body = request.body ?? []
        if !body.isEmpty { rawBodies.append(String(decoding: body, as: UTF8.self)) }
        let seen = Request(
            method: request.method,
            path: parts.path,
            query: Dictionary(items, uniquingKeysWith: { $1 }),
            headers: Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }),
            body: (try? Value(json: body)) ?? .null
        )
        log.append(seen)
        do {
            return try seen.rpc.isEmpty ? rest(seen) : rpc(seen)
        } catch let error as PluginError {
            throw error
        } catch {
            throw .permanent("the script failed: \(error)")
        }
    }

    // MARK: JSON-RPC

    private func rpc(_ request: Request) throws -> HTTPResponse {
        guard request.query["school"] == schoolName else {
            return .json(
                ["jsonrpc": "2.0", "id": "error", "error": ["message": "invalid schoolname", "code": -8500]],
                status: 404
            )
        }
        if request.rpc != "authenticate", request.rpc != "getUserData2017", !hasSession(request) {
            return failure(request, "not authenticated", -8520)
        }
        if request.rpc == "authenticate" {
            let parameters = request.body["params"]
            guard parameters["user"].string == user, parameters["password"].string == password else {
                return failure(request, "bad credentials", -8504)
            }
        }
        if request.rpc == "getLatestImportTime", handlers["rpc:getLatestImportTime"] == nil {
            return .json(["jsonrpc": "2.0", "id": request.body["id"], "result": .int(importTime)])
        }
        guard let handler = handlers["rpc:" + request.rpc] else { return failure(request, "method not found", -32601) }
        let response = try handler(request)
        guard var document = (try? Value(json: response.body))?.map else { return response }
        if document["id"]?.string != "error" { document["id"] = request.body["id"] }
        return request.rpc == "authenticate" || request.rpc == "getUserData2017"
            ? loggedIn(document) : .json(.map(document), status: response.status)
    }

    private func failure(_ request: Request, _ message: String, _ code: Int64) -> HTTPResponse {
        .json(["jsonrpc": "2.0", "id": request.body["id"], "error": ["message": .string(message), "code": .int(code)]])
    }

    private func loggedIn(_ document: ValueMap) -> HTTPResponse {
        var document = document
        guard var result = document["result"]?.map else { return .json(.map(document)) }
        made += 1
        let session = "SESSION\(made)"
        sessions = [session]
        if result["sessionId"] != nil { result["sessionId"] = .string(session) }
        document["result"] = .map(result)
        var response = HTTPResponse.json(.map(document))
        response.headers.append(("Set-Cookie", "JSESSIONID=\(session); Path=/WebUntis; Secure; HttpOnly"))
        response.headers.append(("Set-Cookie", "schoolname=\"_bGJzLWJyaXhlbg==\"; Path=/; Secure"))
        return response
    }

    private func hasSession(_ request: Request) -> Bool {
        let cookies = (request.headers["cookie"] ?? "").split(separator: ";").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        return sessions.contains { cookies.contains("JSESSIONID=\($0)") }
            && cookies.contains { $0.hasPrefix("schoolname=\"_") }
    }

    // MARK: REST

    private func rest(_ request: Request) throws -> HTTPResponse {
        if request.path.hasSuffix("token/new") {
            if let handler = handlers["token/new"] { return try handler(request) }
            guard hasSession(request) else { return try Fixtures.response("untis_token_new_html") }
            made += 1
            let token = "header\(made).claims.signature"
            tokens.insert(token)
            return HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")], body: Array(token.utf8))
        }
        guard hasSession(request), tokens.contains(where: { request.headers["authorization"] == "Bearer \($0)" }) else {
            return .json(["errorCode": "UNAUTHORIZED"], status: 401)
        }
        // The longest place that fits answers, so that one lesson's grades can differ from the others'.
        let place = handlers.keys.filter { request.path.hasSuffix($0) }.max { $0.count < $1.count }
        guard let place, let handler = handlers[place] else { return .json(["errorCode": "NOT_FOUND"], status: 404) }
        return try handler(request)
    }
}
