import BotCore
import Synchronization
import Values

/// Answers every request with what the test lined up, and remembers the requests.
final class ScriptedHTTP: HTTPClient {
    private let state: Mutex<(answers: [Result<HTTPResponse, PluginError>], requests: [HTTPRequest])>

    init(_ answers: [Result<HTTPResponse, PluginError>] = []) { state = Mutex((answers, [])) }

    convenience init(answers: [HTTPResponse]) { self.init(answers.map { .success($0) }) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// What the requests said.
    var bodies: [Value] { requests.map { (try? Value(json: $0.body ?? [])) ?? .null } }

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? .failure(.transient("no answer lined up")) : state.answers.removeFirst()
        }
        return try answer.get()
    }
}

extension HTTPResponse {
    /// The Bot API's `{"ok": true}`.
    static func taken(_ message: Int64 = 77) -> HTTPResponse {
        .telegram(200, ["ok": true, "result": ["message_id": .int(message), "chat": ["id": -100_1]]])
    }

    /// The Bot API's refusal.
    static func refused(_ code: Int, _ description: String, _ parameters: Value = .null) -> HTTPResponse {
        var body: ValueMap = ["ok": false, "error_code": .int(Int64(code)), "description": .string(description)]
        if !parameters.isNull { body["parameters"] = parameters }
        return .telegram(code, .map(body))
    }

    static func telegram(_ status: Int, _ body: Value, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: body.jsonBytes)
    }
}
