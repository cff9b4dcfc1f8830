import BotCore
import Values

/// What an answer of a homeserver means: its `errcode` first (Client-Server API, "Standard error response"), then the table for all sinks.
enum MatrixVerdict {
    /// `M_FORBIDDEN`; empty where the answer is no error of Matrix.
    static func code(of response: HTTPResponse) -> String {
        guard let code = (try? Value(json: response.body))?["errcode"].string,
            code.utf8.count <= 64,
            code.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || "_.".utf8.contains($0) })
        else { return "" }
        return code
    }

    /// Nil where the answer says that it was done. The server's `error` text is not repeated, it may hold anything.
    static func error(for response: HTTPResponse, from place: String, at now: Timestamp) -> PluginError? {
        let code = code(of: response)
        switch (response.status, code) {
        case (200..<300, _): return nil
        case (_, "M_UNKNOWN_TOKEN"), (_, "M_MISSING_TOKEN"):
            return .unauthorized(
                "\(place): the homeserver does not know the access token (any more); give it a valid one"
            )
        case (_, "M_USER_DEACTIVATED"), (_, "M_USER_LOCKED"), (_, "M_USER_SUSPENDED"):
            return .unauthorized("\(place): the bot's user is locked or deactivated at the homeserver")
        case (_, "M_CONSENT_NOT_GIVEN"):
            return .unauthorized(
                "\(place): the homeserver wants the bot's user to accept its terms; log in with a client once"
            )
        case (_, "M_RESOURCE_LIMIT_EXCEEDED"):
            return .transient("\(place): the homeserver has reached a limit of its own")
        case (429, _), (_, "M_LIMIT_EXCEEDED"):
            // The room waits as a whole, so that what it is told stays in order.
            return PluginError(
                .transient(retryAfter: wait(in: response, at: now)),
                "\(place): the homeserver asks to come back later (HTTP \(response.status))",
                about: .recipient
            )
        case (403, "M_FORBIDDEN"):
            return .permanent("\(place): the bot may not write in the room; invite it, or give it the right to write")
        case (413, _), (_, "M_TOO_LARGE"):
            return .permanent("\(place): the message is larger than the homeserver takes, which is a fault of the bot")
        case (404, "M_UNRECOGNIZED"), (405, _):
            return .permanent("\(place): this is no homeserver of Matrix; check 'homeserver'")
        case (400, let code) where !code.isEmpty:
            return .permanent("\(place): the homeserver refuses the message (\(code)), which is a fault of the bot")
        default: return HTTPVerdict.error(for: response, from: place, at: now)
        }
    }

    /// The header, else the body's milliseconds, which came before it (Client-Server API, "Rate limiting"); a day at most.
    private static func wait(in response: HTTPResponse, at now: Timestamp) -> TimeSpan? {
        if let span = RetryAfter.span(in: response, at: now) { return span }
        guard let milliseconds = (try? Value(json: response.body))?["retry_after_ms"].number, milliseconds.isFinite
        else {
            return nil
        }
        return .milliseconds(Int64(min(max(milliseconds, 0), 86_400_000).rounded(.up)))
    }
}
