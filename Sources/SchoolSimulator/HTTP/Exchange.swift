import Values

/// A request as it came over the wire, whole.
struct ServedRequest: Sendable {
    var method: String
    /// Decoded, without the query.
    var path: String
    /// Decoded, in the order sent; an argument without `=` has an empty value.
    var query: [(name: String, value: String)]
    /// Names in lower case.
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    /// The body was longer than the server takes; `body` holds its beginning.
    var isBodyTooLong = false

    /// The most bytes of body that are kept. The clients served send a few hundred.
    static let longestBody = 1 << 20

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    func argument(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The value of a cookie, without the quotes that some clients send.
    func cookie(_ name: String) -> String? {
        for line in headers where line.name == "cookie" {
            for pair in line.value.split(separator: ";") {
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2, halves[0].drop(while: { $0 == " " }) == name else { continue }
                return halves[1].trimmed(of: "\" ")
            }
        }
        return nil
    }

    /// The token of `Authorization: Bearer …`.
    var bearer: String? {
        guard let text = header("authorization"), text.lowercased().hasPrefix("bearer ") else { return nil }
        return String(text.dropFirst("bearer ".count))
    }

    /// The body as JSON; nil where it is none.
    var json: Value? { try? Value(json: body) }
}

/// What is answered, and how it travels.
struct ServedAnswer: Sendable {
    /// How the body reaches the client.
    enum Delivery: Sendable {
        case whole
        /// The connection is closed after so many bytes of a body that was announced longer.
        case cut(after: Int)
        /// In pieces with a pause before each.
        case slow(pause: TimeSpan)
        /// The whole body, after which the connection stays open: server-sent events.
        case open
        /// Nothing is ever answered.
        case never
    }

    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var delivery = Delivery.whole
    /// How long the client waits for the first byte.
    var delay = TimeSpan.zero

    init(_ status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func json(_ value: Value, status: Int = 200, headers: [(name: String, value: String)] = []) -> ServedAnswer {
        let type = (name: "Content-Type", value: "application/json;charset=UTF-8")
        return ServedAnswer(status, headers: [type] + headers, body: value.jsonBytes)
    }

    static func text(_ text: String, status: Int = 200, type: String = "text/plain;charset=UTF-8") -> ServedAnswer {
        ServedAnswer(status, headers: [("Content-Type", type)], body: Array(text.utf8))
    }

    /// Packed where the client takes that and it pays: bodies from 256 bytes on.
    func packed(for request: ServedRequest) -> ServedAnswer {
        let accepts = request.header("accept-encoding")?.lowercased().contains("gzip") ?? false
        guard accepts, body.count >= 256, !headers.contains(where: { $0.name == "Content-Encoding" }) else {
            return self
        }
        guard case .whole = delivery else { return self }
        var answer = self
        answer.body = Gzip.packed(body)
        answer.headers += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
        return answer
    }
}

extension StringProtocol {
    /// Without any of these characters at either end.
    func trimmed(of characters: String) -> String {
        var rest = Substring(self)
        while let first = rest.first, characters.contains(first) { rest.removeFirst() }
        while let last = rest.last, characters.contains(last) { rest.removeLast() }
        return String(rest)
    }
}
