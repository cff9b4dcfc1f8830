import Values

/// The POKYH backend (protocols, POKYH 1): every error is `{"error": "…"}`.
extension SimulatorState {
    /// An answer that is an error.
    struct PokyhError: Error, Sendable {
        let status: Int
        let message: String

        init(_ status: Int, _ message: String) {
            self.status = status
            self.message = message
        }

        var answer: ServedAnswer { .json(["error": .string(message)], status: status) }

        static let noRoute = PokyhError(404, "Route not found")
        static let badToken = PokyhError(401, "Invalid or expired token")
        static let internalError = PokyhError(500, "Internal server error")
        static let parent = PokyhError(403, "Eltern-Accounts haben keinen Zugriff auf Erinnerungen")
        static let noMember = PokyhError(403, "You are not a member of this class")

        static func validation(_ path: String, _ message: String) -> PokyhError {
            PokyhError(422, "Validation error: \(path): \(message)")
        }
    }

    /// What a route is handed: the path in its parts, the body, and who asks.
    struct PokyhCall: Sendable {
        let method: String
        let parts: [String]
        let body: Value
        let now: Timestamp
        /// The token's claims; null where no user is needed.
        var claims = Value.null

        var uid: String { claims["stableUid"].string ?? "" }
        var userName: String { claims["username"].string ?? "" }
        var isParent: Bool { claims["role"].string == "parent" }
        var route: String { "\(method) \(parts.joined(separator: "/"))" }
    }

    mutating func answerPokyh(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        do throws(PokyhError) {
            return try pokyhAnswer(request, at: now)
        } catch {
            return error.answer
        }
    }

    private mutating func pokyhAnswer(_ request: ServedRequest, at now: Timestamp) throws(PokyhError) -> ServedAnswer {
        if let origin = request.header("origin") { throw PokyhError(403, "CORS: origin \(origin) not allowed") }
        let hasServerKey = request.header("x-server-key") == School.serverKey
        if !hasServerKey, let limited = limited(.global, at: now) { return limited }
        // The body is parsed before the key is looked at; what is too large or no JSON ends in the generic handler.
        guard request.body.count <= Self.longestPokyhBody, !request.isBodyTooLong else {
            throw PokyhError.internalError
        }
        guard let body = request.body.isEmpty ? .null : request.json else { throw PokyhError.internalError }
        let parts = request.path.split(separator: "/").map(String.init)
        var call = PokyhCall(method: request.method, parts: parts, body: body, now: now)
        switch call.route {
        case "GET health": return .json(["status": "ok", "timestamp": .string(now.withMilliseconds)])
        case "GET dishes": return limited(.read, at: now) ?? .json(dishes)
        case _ where parts.count == 3 && parts[0] == "dishes" && parts[2] == "image": return ServedAnswer(404)
        default: break
        }
        let key = request.header("x-api-key") ?? request.argument("apiKey")
        guard let key else { throw PokyhError(401, "Missing X-API-Key header") }
        guard key == School.apiKey else { throw PokyhError(403, "Invalid API key") }
        if let answer = try authentication(call, request) { return answer }
        guard Self.firstParts.contains(parts.first ?? "") else { throw PokyhError.noRoute }
        guard let token = request.bearer ?? request.argument("token") else {
            throw PokyhError(401, "Missing Authorization header")
        }
        guard let claims = pokyh.claims(of: token, at: now) else { throw PokyhError.badToken }
        call.claims = claims
        let isSession = parts[0] == "auth"
        let kind: PokyhSessions.Limit =
            parts[0] == "sse"
            ? .stream : call.method == "GET" || call.route == "POST dish-ratings/batch" ? .read : .write
        if !isSession, let limited = limited(kind, at: now) { return limited }
        return try userRoute(call)
    }

    /// 10 kB (protocols, POKYH 1.1).
    private static let longestPokyhBody = 10 * 1024
    private static let firstParts: Set<String> = [
        "auth", "users", "classes", "dish-ratings", "dish-comments", "sse",
    ]

    /// 429 where an address is called too often.
    mutating func limited(_ limit: PokyhSessions.Limit, at now: Timestamp) -> ServedAnswer? {
        guard let seconds = pokyh.secondsToWait(limit, at: now) else { return nil }
        let headers = [(name: "Retry-After", value: String(seconds)), (name: "RateLimit-Remaining", value: "0")]
        return .json(["error": .string(limit.message)], status: 429, headers: headers)
    }

    private mutating func userRoute(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        switch call.parts[0] {
        case "auth": return try sessionRoute(call)
        case "users": return try userOrToDoRoute(call)
        case "classes": return try classRoute(call)
        case "sse": return try streamRoute(call)
        default: return try dishRoute(call)
        }
    }

    /// Named events that carry the whole list; the connection stays open.
    private mutating func streamRoute(_ call: PokyhCall) throws(PokyhError) -> ServedAnswer {
        guard call.method == "GET", call.parts.count >= 2 else { throw PokyhError.noRoute }
        let named: (event: String, list: Value)
        switch (call.parts[1], call.parts.count) {
        case ("todos", 2): named = ("todos", toDos(of: call.uid, at: call.now))
        case ("reminders", 3): named = ("reminders", try reminders(of: call.parts[2], call))
        case ("dish-comments", 3): named = ("dishComments", comments { $0 == .dish(call.parts[2]) })
        case ("dish-ratings", 3): named = ("dishRatings", ratings(of: call.parts[2], for: call.uid))
        default: throw PokyhError.noRoute
        }
        var answer = ServedAnswer.text(
            "event: \(named.event)\ndata: \(named.list.json)\n\ndata: {\"type\":\"heartbeat\"}\n\n",
            type: "text/event-stream"
        )
        answer.delivery = .open
        return answer
    }
}
