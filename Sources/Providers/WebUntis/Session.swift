import BotConfig
import BotCore
import Foundation
import Values

/// One login at WebUntis, as long as it lives. In memory only, never stored.
struct Session: Sendable {
    enum Origin: Sendable { case login, renewedToken }

    /// Grows with every renewal of an account's session; tells whether somebody else has renewed it already.
    var generation = 0
    var origin: Origin
    var cookies: Cookies
    var bearer: Secret
    var bearerExpires: Timestamp
    /// The person of the login, as the login told; 0 where it did not.
    var personID: Int64
    /// 2 teacher, 5 student, 12 and 15 guardian, 16 a technical user (`protocols/webuntis.md` section 1); 0 if not told.
    var personType: Int64
    var classID: Int64
}

/// The cookies that make a session. WebUntis needs two: `JSESSIONID` and `schoolname`.
struct Cookies: Sendable {
    private var pairs: [(name: String, value: String)] = []

    /// What the server should have set: its name for the school is `_` and the base 64 of the login name, in quotes.
    init(school: String) {
        set("schoolname", "\"_\(Data(school.utf8).base64EncodedString())\"")
    }

    /// Takes over what an answer sets; values go back as they came, quotes and padding included.
    mutating func absorb(_ response: HTTPResponse) {
        for line in response.headers(named: "Set-Cookie") {
            let pair = line.prefix { $0 != ";" }
            guard let equals = pair.firstIndex(of: "=") else { continue }
            let name = pair[..<equals].trimmed
            if Self.known.contains(name) { set(name, pair[pair.index(after: equals)...].trimmed) }
        }
    }

    /// Other cookies are of no use to us and would only let the server recognise the bot.
    private static let known: Set<String> = ["JSESSIONID", "schoolname", "Tenant-Id"]

    mutating func set(_ name: String, _ value: String) {
        pairs.removeAll { $0.name == name }
        if !value.isEmpty { pairs.append((name, value)) }
    }

    var hasSession: Bool { pairs.contains { $0.name == "JSESSIONID" } }
    var header: String { pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "; ") }
}

/// How an account logs in.
enum Credentials: Sendable {
    case password(user: String, password: Secret)
    /// The key of the mobile app, for schools where logins go through another service.
    case appSecret(user: String, secret: Secret)
}
