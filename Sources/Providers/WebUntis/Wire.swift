import BotConfig
import BotCore
import Values

/// One exchange with WebUntis: requests out, documents or errors back. Knows no session.
struct Wire: Sendable {
    let http: any HTTPClient
    let address: ServerAddress
    /// `account 'rossi'`: how errors name it.
    let place: String

    /// Sends once. A request that asks and changes nothing may be repeated, so an answer lost on the way is transient.
    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        do {
            return try await http.send(request)
        } catch  where error.disposition == .uncertain {
            throw .transient(error.message)
        }
    }

    /// A JSON-RPC call; parameters may be an object (`jsonrpc.do`) or a list (`jsonrpc_intern.do`).
    func rpc(
        _ method: String,
        _ parameters: Value,
        url: String,
        cookies: Cookies,
        at now: Timestamp
    ) async throws(PluginError) -> (outcome: Result<Value, RPCFailure>, response: HTTPResponse) {
        let body: Value = [
            "id": .string(WebUntisRoutes.clientName), "method": .string(method), "params": parameters, "jsonrpc": "2.0",
        ]
        let headers = [
            ("Content-Type", "application/json"), ("Accept", "application/json"), ("Cookie", cookies.header),
        ]
        let request = HTTPRequest("POST", url, headers: headers, body: body.jsonBytes)
        let response = try await send(request)
        return (try outcome(of: response, to: method, at: now), response)
    }

    enum RPCFailure: Error {
        case complaint(ServerComplaint)
    }

    /// The body counts before the status: an unknown school comes as 404 with a proper complaint. The complaint counts before the id,
    /// which is `error` or null in some of them; a result with a foreign id is nobody's answer.
    private func outcome(
        of response: HTTPResponse,
        to method: String,
        at now: Timestamp
    ) throws(PluginError) -> Result<Value, RPCFailure> {
        guard !response.isWebPage, let document = try? Value(json: response.body), document.map != nil else {
            throw rpcFailure(of: response, asking: "'\(method)'", at: now)
        }
        if let complaint = ServerComplaint(in: document) { return .failure(.complaint(complaint)) }
        guard document["id"].label == WebUntisRoutes.clientName, document.map?["result"] != nil else {
            throw .permanent(
                "\(place): the answer to '\(method)' belongs to another call.",
                evidence: Evidence.outline(response.body)
            )
        }
        return .success(document["result"])
    }

    /// What it means if no JSON-RPC came back at all.
    private func rpcFailure(of response: HTTPResponse, asking subject: String, at now: Timestamp) -> PluginError {
        switch response.status {
        case 403, 404, 410:
            return .permanent(
                "\(place): there is no WebUntis on \(address.authority) (HTTP \(response.status)). Check 'server:'; schools move to "
                    + "servers of their own ('pokyh-bot schools search NAME' finds them)."
            )
        case 200 where !response.isWebPage: return unreadable(response, asking: subject)
        default: return failure(of: response, asking: subject, at: now)
        }
    }

    /// The document of a good REST answer.
    func document(
        of response: HTTPResponse,
        asking subject: String,
        at now: Timestamp
    ) throws(PluginError) -> Value {
        guard response.status == 200, !response.isWebPage else {
            throw failure(of: response, asking: subject, at: now)
        }
        guard let document = try? Value(json: response.body) else { throw unreadable(response, asking: subject) }
        if let complaint = ServerComplaint(in: document) {
            throw complaint.error(at: place, asking: subject, of: address)
        }
        return document
    }

    /// A list that must be there for an answer to be whole.
    func list(_ value: Value, of subject: String, in document: Value) throws(PluginError) -> [Value] {
        guard let list = value.list else {
            throw .permanent(
                "\(place): the list of \(subject) is not there.",
                evidence: Evidence.outline(document.jsonBytes)
            )
        }
        return list
    }

    /// A good status with a body that is no JSON of WebUntis: half a document may be whole the next time, another form will not.
    private func unreadable(_ response: HTTPResponse, asking subject: String) -> PluginError {
        do throws(JSONError) {
            _ = try Value(json: response.body)
        } catch {
            if error.reason == .unexpectedEnd, !response.body.isEmpty {
                return .transient("\(place): the answer for \(subject) was cut off in the middle.")
            }
        }
        return .permanent(
            "\(place): the answer for \(subject) is not the JSON that WebUntis usually sends.",
            evidence: Evidence.outline(response.body)
        )
    }

    /// What an answer that holds no data means.
    func failure(of response: HTTPResponse, asking subject: String, at now: Timestamp) -> PluginError {
        let document = (500...599).contains(response.status) ? nil : try? Value(json: response.body)
        if let complaint = document.flatMap({ ServerComplaint(in: $0) }) {
            let error = complaint.error(at: place, asking: subject, of: address)
            // A symbol without a code says no more than the status does: `NOT_FOUND`, `FORBIDDEN`.
            if complaint.code != nil || error.disposition != .permanent || response.status == 200 { return error }
        }
        switch response.status {
        case 200 where response.isWebPage, 300...399:
            return .transient("\(place): WebUntis sent a web page instead of \(subject); it may be under maintenance.")
        case 401:
            return .transient("\(place): WebUntis did not accept a fresh login when asked for \(subject) (HTTP 401).")
        case 403, 404, 410:
            return .unavailable(
                "\(place) has no right to \(subject), or the school has no licence for it (HTTP \(response.status))."
            )
        case 408, 425, 500...599:
            return .transient(
                "\(place): WebUntis is out of order (HTTP \(response.status)).",
                retryAfter: RetryAfter.span(in: response, at: now)
            )
        case 429:
            return .transient(
                "\(place): WebUntis asks to be polled less often (HTTP 429).",
                retryAfter: RetryAfter.span(in: response, at: now)
            )
        default:
            return .permanent(
                "\(place): WebUntis answered HTTP \(response.status) when asked for \(subject).",
                evidence: Evidence.outline(response.body)
            )
        }
    }
}
