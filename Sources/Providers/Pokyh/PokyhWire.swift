import BotCore
import Values

/// One exchange with the POKYH backend. Knows no session.
///
/// No `Origin` is ever sent: the backend refuses requests from foreign pages by it (`protocols/pokyh.md` section 1.1).
struct PokyhWire: Sendable {
    let http: any HTTPClient
    /// `https://api.pokyh.com`, without a slash at its end.
    let base: String
    /// `account 'anna'` or `source 'mensa'`: how errors name it.
    let place: String

    /// - Parameter url: the `url:` setting; https, or http to loopback, which the reader of the bot file has checked.
    init(http: any HTTPClient, url: String, place: String) {
        self.http = http
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.place = place
    }

    /// Sends once; an answer lost on the way is transient, as all that is asked here may be asked again.
    func send(
        _ method: String,
        _ route: String,
        body: Value? = nil,
        headers: [(name: String, value: String)] = []
    ) async throws(PluginError) -> HTTPResponse {
        var headers = [(name: "Accept", value: "application/json")] + headers
        if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
        do {
            return try await http.send(
                HTTPRequest(method, base + route, headers: headers, body: body?.jsonBytes)
            )
        } catch  where error.disposition == .uncertain {
            throw .transient(error.message)
        }
    }

    /// The document of a good answer.
    func document(
        of response: HTTPResponse,
        asking subject: String,
        at now: Timestamp
    ) throws(PluginError) -> Value {
        guard response.status == 200 else { throw failure(of: response, asking: subject, at: now) }
        guard !response.isWebPage else {
            throw .transient(
                "\(place): the POKYH server sent a web page instead of \(subject); it may be under maintenance."
            )
        }
        do {
            return try Value(json: response.body)
        } catch {
            let text = "\(place): the answer for \(subject) is not the JSON that POKYH usually sends."
            throw error.reason == .unexpectedEnd ? .transient(text) : .permanent(text)
        }
    }

    /// What a refusal means. All carry `{"error": "…"}`; the backend's words may name users, so they are evidence alone.
    func failure(of response: HTTPResponse, asking subject: String, at now: Timestamp) -> PluginError {
        var error = verdict(on: response, asking: subject, at: now)
        error.evidence = Self.evidence(in: response)
        return error
    }

    private func verdict(on response: HTTPResponse, asking subject: String, at now: Timestamp) -> PluginError {
        let words = Self.words(of: response)
        let aside = "HTTP \(response.status)"
        switch response.status {
        case 401 where words.contains("API-Key"), 403 where words.contains("Invalid API key"):
            return .unauthorized("\(place): POKYH does not know the key in 'api_key:' (\(aside)).")
        case 401: return .unauthorized("\(place): POKYH refuses the login when asked for \(subject) (\(aside)).")
        case 403 where words.hasPrefix("Eltern-Accounts"):
            return .unavailable("\(place): \(subject) are not available to guardian accounts.")
        case 403 where words.contains("server key"):
            return .unauthorized("\(place): POKYH does not know the key in 'server_key:' (\(aside)).")
        case 403, 404: return .unavailable("\(place) has no right to \(subject) (\(aside)).")
        case 408, 425, 500...599:
            return .transient(
                "\(place): the POKYH server is out of order (\(aside)).",
                retryAfter: RetryAfter.span(in: response, at: now)
            )
        case 429:
            return .transient(
                "\(place): POKYH asks to be polled less often (\(aside)).",
                retryAfter: RetryAfter.span(in: response, at: now) ?? Self.usualPause
            )
        default: return .permanent("\(place): POKYH refuses \(subject) (\(aside)).")
        }
    }

    /// The windows of the backend's limiters are one minute for reading; logins name their own.
    private static let usualPause = TimeSpan.minutes(1)

    static func words(of response: HTTPResponse) -> String {
        guard let text = (try? Value(json: response.body))?["error"].string else { return "" }
        return String(text.prefix(160))
    }

    /// The backend's own words for a bug report; nil where it said none.
    static func evidence(in response: HTTPResponse) -> String? {
        let words = words(of: response)
        return words.isEmpty ? nil : words
    }
}
