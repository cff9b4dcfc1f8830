import BotCore
import Values

/// What WebUntis says went wrong, from whichever of its four envelopes.
struct ServerComplaint: Sendable, Hashable {
    /// -8504 of JSON-RPC; nil where the interface has only words.
    var code: Int64?
    /// The server's own words and symbols: `bad credentials`, `NO_TIMETABLES_AVAILABLE_FOR_YOUR_USER`.
    var text: String

    /// Nil where a document holds no complaint. Read are `error{code,message}` (JSON-RPC), `{errorCode,…}` (view API),
    /// `errors:[{code,title}]` (older API, also under status 200) and `data.error.data.messageKey` (weekly view).
    init?(in document: Value) {
        let errors = document["errors"].list ?? []
        let rpc = document["error"]
        let weekly = document["data"]["error"]["data"]["messageKey"].label
        if rpc.map != nil {
            self.init(code: rpc["code"].wholeNumber, text: rpc["message"].label)
        } else if !document["errorCode"].isNull {
            self.init(code: document["errorCode"].wholeNumber, text: document["errorCode"].label)
        } else if let first = errors.first {
            let words = [
                first["code"].label, first["title"].label, first["message"].label, first["errorMessage"].label,
                first.label,
            ]
            self.init(code: first["code"].wholeNumber, text: words.distinct.joined(separator: " "))
        } else if !weekly.isEmpty {
            self.init(code: nil, text: weekly)
        } else {
            return nil
        }
    }

    init(code: Int64?, text: String) {
        self.code = code
        self.text = text
    }

    /// The session or the token has ended: -8520, -8521 and -8522 (`protocols/webuntis.md` section 1).
    var isSessionGone: Bool { code.map { (-8522 ... -8520).contains($0) } ?? false }

    /// The days asked for reach further than the school shows (-7004), or past the school year's end (-8507).
    var isDateRefused: Bool {
        code == -7004 || code == -8507
            || contains(["-7004", "-8507", "NOTALLOWED_ONDATE", "no allowed date", "single school year"])
    }

    /// Between two school years the server stumbles over its own missing year.
    var isWithoutSchoolYear: Bool { contains(["schoolyear is null", "schoolyear.getid", "schuljahr is null"]) }

    /// Whether an error is of that kind, by the words that it keeps as evidence.
    static func isWithoutSchoolYear(_ error: PluginError) -> Bool {
        error.evidence.map { ServerComplaint(code: nil, text: $0).isWithoutSchoolYear } ?? false
    }

    /// Not granted to this account, or not bought by the school.
    var isRefusedRight: Bool {
        code == -8509
            || contains([
                "no right", "unerlaubter zugriff", "access denied", "forbidden", "NO_TIMETABLES_AVAILABLE",
                "NOT_ALLOWED",
            ])
    }

    /// The account is locked for having tried too often, in whatever language (-8998 is a code for anything).
    var isLocked: Bool { code == -8511 || contains(["gesperrt", "locked", "bloccat", "blocked", "verrouill"]) }

    private func contains(_ words: [String]) -> Bool {
        let text = text.lowercased()
        return words.contains { text.contains($0.lowercased()) }
    }

    /// The complaint's code in brackets behind a sentence: ` (-8504)`. The words may name users and stay out of what is shown.
    var aside: String { code.map { " (\($0))" } ?? "" }

    /// The server's own words, cut, for a bug report; nil where it said none.
    var evidence: String? { text.isEmpty ? nil : String(text.prefix(120)) }
}

extension ServerComplaint {
    /// What the engine should do about a complaint that no renewal can cure.
    ///
    /// - Parameters:
    ///   - place: who asked, for the admin: `account 'rossi'`.
    ///   - subject: what was asked for: `the login`, `grades`.
    func error(at place: String, asking subject: String, of address: ServerAddress) -> PluginError {
        var error = verdict(at: place, asking: subject, of: address)
        error.evidence = evidence
        return error
    }

    private func verdict(at place: String, asking subject: String, of address: ServerAddress) -> PluginError {
        if isLocked {
            return .unauthorized(
                "\(place): WebUntis has locked this user\(aside). Nothing is tried again; wait an hour, log in once in a "
                    + "browser, then run 'pokyh-bot retry' with the account's name."
            )
        }
        if isWithoutSchoolYear {
            return .transient("\(place): the school has no school year at the moment\(aside).", retryAfter: .hours(6))
        }
        switch code {
        case -8504:
            return .unauthorized(
                "\(place): WebUntis refuses the user name or the password\(aside). Correct 'user:' and 'password:' or 'app_secret:' "
                    + "(a key made anew in WebUntis replaces the old one)."
            )
        case -8519:
            return .unauthorized(
                "\(place): this user needs a second factor\(aside); use 'app_secret:' instead of 'password:'."
            )
        case -8502, -8525, -8526: return .unauthorized("\(place): WebUntis does not accept this user\(aside).")
        case -8500:
            return .permanent(
                "\(place): there is no school '\(address.school)' on \(address.authority)\(aside). Check 'school:' and 'server:' of "
                    + "'\(address.entry)' under 'schools:'; schools move to servers of their own and get new names then ('pokyh-bot schools search NAME' finds them)."
            )
        case -8524:
            return .permanent("\(place): the clock of this machine is wrong\(aside); set it (NTP) and try again.")
        default: break
        }
        if isRefusedRight { return .unavailable("\(place) has no right to \(subject)\(aside).") }
        if let code, (-42003 ... -42000).contains(code) || code == -8998 {
            return .transient("\(place): WebUntis cannot answer for \(subject) now\(aside).", retryAfter: .minutes(15))
        }
        return .permanent("\(place): WebUntis refuses to answer for \(subject)\(aside).")
    }
}
