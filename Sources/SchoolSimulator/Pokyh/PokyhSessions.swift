import Digests
import Values

/// Who is logged in to the POKYH backend, and how often addresses were called.
struct PokyhSessions: Sendable {
    /// Digest of a refresh token to its owner and its end.
    var refreshTokens: [[UInt8]: (uid: String, until: Timestamp)] = [:]
    /// Off for tests that ask often at a standing clock.
    var appliesLimits = true
    private var generator = SeededGenerator(seed: 0x9067_4ACC)
    private var lastToken = 0
    private var lastExpiredToken = 0
    private var windows: [Limit: (start: Timestamp, count: Int)] = [:]

    let tokens = SignedToken(key: Array("pokyh of the simulated school".utf8))

    /// Access and refresh tokens both hold for an hour (protocols, POKYH 0.4).
    static let tokenLife = TimeSpan.hours(1)

    /// What is limited per address, which on loopback is one (protocols, POKYH 1.1).
    enum Limit: Sendable {
        case global
        case login
        case refresh
        case read
        case write
        case stream

        var most: Int {
            switch self {
            case .global: 500
            case .login: 10
            case .refresh: 600
            case .read: 300
            case .write: 60
            case .stream: 10
            }
        }

        var window: TimeSpan {
            switch self {
            case .login, .refresh: .minutes(15)
            default: .minutes(1)
            }
        }

        var message: String {
            switch self {
            case .global: "Too many requests, please try again later."
            case .login: "Too many authentication attempts, please try again later."
            case .refresh: "Too many token refreshes, please try again later."
            case .read: "Too many read requests, please slow down."
            case .write: "Too many write requests, please slow down."
            case .stream: "Too many SSE connections from this IP."
            }
        }
    }

    /// Counts a request; seconds to wait where it is one too many.
    mutating func secondsToWait(_ limit: Limit, at now: Timestamp) -> Int64? {
        guard appliesLimits else { return nil }
        var window = windows[limit] ?? (now, 0)
        if now - window.start >= limit.window || now < window.start { window = (now, 0) }
        window.count += 1
        windows[limit] = window
        return window.count > limit.most ? max(1, (window.start + limit.window - now).seconds) : nil
    }

    // MARK: Tokens

    /// `stableUid, username, klasseId, klasseName, role, isUntisUser?, iat, exp`.
    mutating func makeToken(for user: Community.User, at now: Timestamp) -> String {
        lastToken += 1
        return tokens.make([
            "stableUid": .string(user.stableUid), "username": .string(user.userName), "klasseId": .number(user.klasse),
            "klasseName": .string(user.klasseName), "role": .string(user.role.rawValue),
            "isUntisUser": .bool(user.isUntisUser),
            "iat": .int(now.seconds), "exp": .int((now + Self.tokenLife).seconds), "jti": .number(lastToken),
        ])
    }

    /// The claims of a token that holds.
    func claims(of token: String, at now: Timestamp) -> Value? {
        guard let claims = tokens.claims(of: token), let expiry = claims["exp"].integer, expiry > now.seconds,
            let serial = claims["jti"].wholeNumber, serial > lastExpiredToken
        else { return nil }
        return claims
    }

    mutating func expireTokens() { lastExpiredToken = lastToken }

    /// A new refresh token of 80 hexadecimal digits; the user's older ones end. Only its digest is kept.
    mutating func makeRefreshToken(for uid: String, at now: Timestamp) -> String {
        let token = generator.hexadecimal(80)
        refreshTokens = refreshTokens.filter { $0.value.uid != uid }
        refreshTokens[Digest.sha256(Array(token.utf8))] = (uid, now + Self.tokenLife)
        return token
    }

    func owner(ofRefreshToken token: String, at now: Timestamp) -> String? {
        guard let known = refreshTokens[Digest.sha256(Array(token.utf8))], now < known.until else { return nil }
        return known.uid
    }
}
