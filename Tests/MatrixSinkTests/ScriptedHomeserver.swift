import BotCore
import Synchronization
import Values

/// A homeserver of one room: answers each route with what the test lined up for it, the last answer again and again.
final class ScriptedHomeserver: HTTPClient {
    private struct State {
        var answers: [String: [Result<HTTPResponse, PluginError>]] = [:]
        var log: [(route: String, request: HTTPRequest)] = []
        var logins = 0
    }

    static let base = "https://matrix.example.org/_matrix/client/v3"
    private let state = Mutex(State())

    init() {
        answer("GET directory", .matrix(200, ["room_id": "!abc:example.org", "servers": ["example.org"]]))
        answer("GET state", .matrixError(404, "M_NOT_FOUND"))
        answer("POST join", .matrix(200, ["room_id": "!abc:example.org"]))
        answer("PUT send", .matrix(200, ["event_id": "$event:example.org"]))
    }

    /// `PUT send`, `GET state`, `GET directory`, `POST join`, `POST login`.
    func answer(_ route: String, _ responses: HTTPResponse...) { fail(route, responses.map { .success($0) }) }

    func fail(_ route: String, _ answers: [Result<HTTPResponse, PluginError>]) {
        state.withLock { $0.answers[route] = answers }
    }

    var routes: [String] { state.withLock { $0.log.map(\.route) } }
    func requests(_ route: String) -> [HTTPRequest] {
        state.withLock { $0.log.filter { $0.route == route }.map(\.request) }
    }
    func bodies(_ route: String) -> [Value] { requests(route).map { (try? Value(json: $0.body ?? [])) ?? .null } }

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        await Task.yield()
        let path = request.url.replacing(Self.base, with: "")
        let pieces = path.split(separator: "/").map(String.init)
        let word = ["send", "state", "join", "login", "directory"].first { pieces.contains($0) } ?? path
        let route = "\(request.method) \(word)"
        let answer: Result<HTTPResponse, PluginError> = state.withLock { state in
            state.log.append((route, request))
            guard var lined = state.answers[route], let first = lined.first else {
                guard route == "POST login" else { return .failure(.permanent("no answer to \(route)")) }
                state.logins += 1
                return .success(.matrix(200, ["access_token": .string("token\(state.logins)"), "device_id": "D"]))
            }
            if lined.count > 1 { lined.removeFirst() }
            state.answers[route] = lined
            return first
        }
        return try answer.get()
    }
}

extension HTTPResponse {
    static func matrix(_ status: Int, _ body: Value, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: body.jsonBytes)
    }

    static func matrixError(_ status: Int, _ code: String) -> HTTPResponse {
        .matrix(status, ["errcode": .string(code), "error": "SECRET words of the server"])
    }
}

extension HTTPRequest {
    func field(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
