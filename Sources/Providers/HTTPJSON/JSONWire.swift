import BotCore
import Values

/// Asks an address for JSON, and judges what comes back.
struct JSONWire: Sendable {
    let http: any HTTPClient
    let url: Secret
    private let headers: [(name: String, value: Secret)]
    /// How errors name it. The address may be a secret and is never told.
    let place: String

    init(_ settings: Settings, http: any HTTPClient) throws(SettingsError) {
        self.http = http
        place = "source '\(settings.name)'"
        guard let url = settings.url("url") else { throw SettingsError("url", "'url' is missing") }
        self.url = url
        var headers: [(name: String, value: Secret)] = []
        for pair in settings["headers"].map ?? [:] {
            headers.append(try Self.header("headers", pair.key.plainText, Secret(pair.value.plainText)))
        }
        for name in (settings["secret_headers"].map ?? [:]).keys.map(\.plainText) {
            guard let value = settings.secret("secret_headers.\(name)") else { continue }
            headers.append(try Self.header("secret_headers", name, value))
        }
        if let authorization = settings.secret("authorization") {
            guard Self.isOneLine(authorization) else {
                throw SettingsError("authorization", "the secret of 'authorization' is not one line")
            }
            headers.append(("Authorization", authorization))
        }
        if !headers.contains(where: { $0.name.lowercased() == "accept" }) {
            headers.append(("Accept", Secret("application/json")))
        }
        self.headers = headers
    }

    /// Fields that the provider or the transport writes itself.
    private static let ownHeaders: Set<String> = [
        "host", "content-length", "authorization", "accept-encoding", "if-none-match", "if-modified-since",
    ]

    private static func header(
        _ key: String,
        _ name: String,
        _ value: Secret
    ) throws(SettingsError) -> (name: String, value: Secret) {
        // RFC 9110 section 5.6.2, `token`.
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
        guard isToken, isOneLine(value) else {
            throw SettingsError(
                key,
                "'\(name)' is not a header field: names are letters, digits and dashes, values one line"
            )
        }
        guard !ownHeaders.contains(name.lowercased()) else {
            throw SettingsError(
                key,
                "'\(name)' is written by the bot itself",
                cures: name.lowercased() == "authorization" ? ["use the key 'authorization' with a secret"] : []
            )
        }
        return (name, value)
    }

    private static func isOneLine(_ value: Secret) -> Bool {
        value.reveal().utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Sends once; an answer lost on the way is transient, as a question may be asked again.
    func get(
        _ url: Secret,
        conditions: [(name: String, value: String)],
        bodyLimit: Int
    ) async throws(PluginError) -> HTTPResponse {
        let fields = headers.map { (name: $0.name, value: $0.value.reveal()) } + conditions
        do {
            return try await http.send(HTTPRequest("GET", url.reveal(), headers: fields, bodyLimit: bodyLimit))
        } catch  where error.disposition == .uncertain {
            throw .transient(error.message)
        }
    }

    /// The document of a good answer. Anything that is not proven to be one is an error.
    func document(of response: HTTPResponse, at now: Timestamp) throws(PluginError) -> Value {
        guard response.status == 200 else { throw failure(of: response, at: now) }
        guard !Self.isMarkup(response) else {
            throw .transient("\(place): a web page came instead of JSON; the far end may be under maintenance")
        }
        do {
            return try Value(json: response.body)
        } catch {
            if error.reason == .unexpectedEnd { throw .transient("\(place): the answer ends in the middle") }
            throw .permanent("\(place): the answer is not JSON (\(error)); check 'url'")
        }
    }

    /// HTML or XML, by what the answer says of itself or by its first character, which no JSON begins with.
    private static func isMarkup(_ response: HTTPResponse) -> Bool {
        let type = response.header("Content-Type")?.lowercased() ?? ""
        if type.hasPrefix("text/html") || type.hasPrefix("application/xhtml") { return true }
        return response.body.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    }

    private func failure(of response: HTTPResponse, at now: Timestamp) -> PluginError {
        let status = response.status
        switch status {
        case 300..<400:
            return .permanent(
                "\(place): the address answers with a redirect (HTTP \(status)), which is not followed; set the new address"
            )
        case 401, 407:
            return .unauthorized(
                "\(place): the far end refuses the login (HTTP \(status)); check 'authorization' and the headers"
            )
        case 403: return .permanent("\(place): the far end does not let the bot read this (HTTP 403)")
        case 404, 410: return .permanent("\(place): there is nothing at this address (HTTP \(status)); check 'url'")
        case 408, 425, 429:
            return .transient(
                "\(place): the far end asks to come back later (HTTP \(status))",
                retryAfter: RetryAfter.span(in: response, at: now)
            )
        case 500..<600:
            return .transient(
                "\(place): the far end has a fault (HTTP \(status))",
                retryAfter: RetryAfter.span(in: response, at: now)
            )
        default: return .permanent("\(place): the far end answers with HTTP \(status) instead of a list; check 'url'")
        }
    }
}
