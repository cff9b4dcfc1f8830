public import Values

/// What an answer's status means for the one who sent something: the one table for all sinks over HTTP.
///
/// A sink whose far end says something special in a body (Slack's `ok`, Telegram's `migrate_to_chat_id`) looks at that first and asks
/// this table for the rest.
public enum HTTPVerdict {
    /// Nil where the answer says that it was taken; else what to do next.
    ///
    /// | status | verdict | why |
    /// |---|---|---|
    /// | 2xx | taken | |
    /// | 3xx | unauthorized | redirects are not followed: a person must set the new address (Standard Webhooks 1.0) |
    /// | 401, 407 | unauthorized | the token or password is refused: every further try would be too |
    /// | 404, 410 | unauthorized | the address is gone: it is the sink that fails, not this message, so all wait for a person |
    /// | 408, 425, 429 | transient | time-out, too early, too many requests (RFC 9110, 8470, 6585) |
    /// | other 4xx | permanent | this request cannot work (RFC 9110 section 15.5) |
    /// | 501, 505 | permanent | not a passing state of a server |
    /// | other 5xx | transient | the server's trouble; it was not taken |
    ///
    /// - Parameter place: who answered, for people: `sink 'class-hook'`. The answer's text is not repeated, it may hold anything.
    public static func error(for response: HTTPResponse, from place: String, at now: Timestamp) -> PluginError? {
        let status = response.status
        switch status {
        case 200..<300:
            return nil
        case 300..<400:
            return .unauthorized(
                "\(place): the address answers with a redirect (HTTP \(status)), which is not followed; set the new address"
            )
        case 401, 407:
            return .unauthorized(
                "\(place): the far end refuses the login (HTTP \(status)); check the token or password"
            )
        case 404, 410:
            return .unauthorized("\(place): the address or the room is gone (HTTP \(status)); set a new one")
        case 408, 425, 429:
            return .transient(
                "\(place): the far end asks to come back later (HTTP \(status))",
                retryAfter: RetryAfter.span(in: response, at: now)
            )
        case 400..<500:
            return .permanent("\(place): the far end refuses this message (HTTP \(status)); \(cure(for: status))")
        case 501, 505:
            return .permanent("\(place): the far end cannot do what is asked (HTTP \(status)); check the address")
        case 500..<600:
            return .transient(
                "\(place): the far end has a fault (HTTP \(status))",
                retryAfter: RetryAfter.span(in: response, at: now)
            )
        default:
            return .permanent("\(place): the answer has an unknown status (HTTP \(status)); check the address")
        }
    }

    private static func cure(for status: Int) -> String {
        switch status {
        case 403: "the bot lacks a right there"
        case 413: "it is too large"
        default: "see the far end's own log for the reason"
        }
    }
}

/// The waiting time that a server asks for (RFC 9110 section 10.2.3): whole seconds, or a date.
public enum RetryAfter {
    /// Nil where the answer names none or an unreadable one; never negative, never more than a day.
    public static func span(in response: HTTPResponse, at now: Timestamp) -> TimeSpan? {
        guard let text = response.header("Retry-After")?.trimmingBlanks, !text.isEmpty else { return nil }
        if let seconds = Double(text), seconds.isFinite {
            return clamped(.milliseconds(Int64((min(max(seconds, 0), 86_400) * 1000).rounded(.up))))
        }
        return instant(ofHTTPDate: text).map { clamped($0 - now) }
    }

    private static func clamped(_ span: TimeSpan) -> TimeSpan { min(max(span, .zero), .days(1)) }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7, the form that servers must send).
    private static func instant(ofHTTPDate text: String) -> Timestamp? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = months.firstIndex(of: String(words[2])), let time = WallTime(words[4]),
            let date = CalendarDate(year: year, month: month + 1, day: day)
        else { return nil }
        return Zone.utc.instant(of: date, at: time)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

extension StringProtocol {
    /// Without blanks and tabs at both ends.
    var trimmingBlanks: String {
        var rest = self[...]
        while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
        return String(rest)
    }
}
