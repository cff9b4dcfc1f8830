import BotConfig
public import BotCore
public import Values

/// A login at WebUntis, shared by all sources of one account.
///
/// There is one session at a time and one renewal at a time; whoever needs a renewal while one is under way waits for it. After a refused
/// login nothing is sent any more before `forgetRefusal`, so that a wrong password is tried once, however many sources share it.
public actor WebUntisAccount: Account {
    nonisolated let name: String
    nonisolated let gradeScale: GradeScale
    nonisolated let wire: Wire

    private let login: Login
    private var session: Session?
    private var renewal: Task<Result<Session, PluginError>, Never>?
    private var refusal: PluginError?
    private var profile: AccountProfile?
    private var profileLoading: Task<Result<AccountProfile, PluginError>, Never>?

    init(name: String, address: ServerAddress, credentials: Credentials, gradeScale: GradeScale, http: any HTTPClient) {
        self.name = name
        self.gradeScale = gradeScale
        wire = Wire(http: http, address: address, place: "account '\(name)'")
        login = Login(wire: wire, credentials: credentials)
    }

    public func close(at now: Timestamp) async {
        guard let session else { return }
        self.session = nil
        _ = try? await wire.rpc("logout", [:], url: rpcURL, cookies: session.cookies, at: now)
    }

    public func forgetRefusal() { refusal = nil }

    /// The students that the login may ask about, with their names: for a terminal, where an admin chooses one.
    public func students(at now: Timestamp) async throws(PluginError) -> [Student] {
        try await profile(at: now).students
    }

    /// Whether `student:` of a source fits exactly one of some students; one that names nobody fits where there is one alone.
    public static func fits(_ wanted: String?, _ students: [Student]) -> Bool {
        guard let wanted = wanted?.trimmed, !wanted.isEmpty else { return students.count == 1 }
        if students.contains(where: { $0.id == wanted }) { return true }
        return students.count { AccountProfile.isName(wanted, of: $0) } == 1
    }

    private nonisolated var rpcURL: String { wire.address.url(WebUntisRoutes.rpc, [("school", wire.address.school)]) }

    // MARK: Asking

    /// A REST document. A session that has ended is renewed by its cookie, then by one new login; after that it is an error. A 403 never
    /// leads to a login: it means that the account may not.
    func document(
        _ route: String,
        _ query: [(String, String)] = [],
        asking subject: String,
        at now: Timestamp
    ) async throws(PluginError) -> Value {
        try wire.document(of: try await response(route, query, at: now), asking: subject, at: now)
    }

    /// The answer itself, of whatever status but an ended session's, for callers that look into refusals.
    func response(
        _ route: String,
        _ query: [(String, String)],
        at now: Timestamp
    ) async throws(PluginError) -> HTTPResponse {
        let url = wire.address.url(route, query)
        var session = try await live(at: now)
        var response = try await get(url, session)
        for keepsCookie in [true, false] where Self.isSessionGone(response) {
            if session.origin == .login && !keepsCookie { break }
            session = try await renewed(after: session, keepsCookie: keepsCookie, at: now)
            response = try await get(url, session)
        }
        return response
    }

    private func get(_ url: String, _ session: Session) async throws(PluginError) -> HTTPResponse {
        var headers = [
            ("Accept", "application/json"), ("Cookie", session.cookies.header),
            ("Authorization", "Bearer \(session.bearer.reveal())"),
        ]
        if let tenant = profile?.tenant, !tenant.isEmpty { headers.append(("Tenant-Id", tenant)) }
        let response = try await wire.send(HTTPRequest("GET", url, headers: headers))
        if self.session?.generation == session.generation { self.session?.cookies.absorb(response) }
        return response
    }

    /// A dead session shows as 401, as a redirect to the login page, or as that page itself.
    private static func isSessionGone(_ response: HTTPResponse) -> Bool {
        response.status == 401 || (300...399).contains(response.status)
            || (response.status == 200 && response.isWebPage)
    }

    /// The result of a JSON-RPC call, with one renewal of an ended session.
    func call(_ method: String, _ parameters: Value = [:], at now: Timestamp) async throws(PluginError) -> Value {
        var session = try await live(at: now)
        for isLast in [false, true] {
            let (outcome, _) = try await wire.rpc(method, parameters, url: rpcURL, cookies: session.cookies, at: now)
            switch outcome {
            case .success(let result): return result
            case .failure(.complaint(let complaint)):
                guard complaint.isSessionGone, !isLast else {
                    throw complaint.error(at: wire.place, asking: "'\(method)'", of: wire.address)
                }
                session = try await renewed(after: session, keepsCookie: false, at: now)
            }
        }
        throw .transient("\(wire.place): the session ended twice in a row.")
    }

    // MARK: The session

    private func live(at now: Timestamp) async throws(PluginError) -> Session {
        if let refusal { throw refusal }
        guard let session else { return try await renewed(after: nil, keepsCookie: false, at: now) }
        if now < session.bearerExpires { return session }
        return try await renewed(after: session, keepsCookie: true, at: now)
    }

    /// A session later than a stale one: somebody else's renewal, or one made here.
    private func renewed(after stale: Session?, keepsCookie: Bool, at now: Timestamp) async throws(PluginError)
        -> Session
    {
        if let refusal { throw refusal }
        if let session, let stale, session.generation > stale.generation { return session }
        let running = renewal ?? Task { await renew(keepsCookie ? session : nil, at: now) }
        renewal = running
        return try await running.value.get()
    }

    private func renew(_ old: Session?, at now: Timestamp) async -> Result<Session, PluginError> {
        defer { renewal = nil }
        do throws(PluginError) {
            var new: Session? = nil
            if let old { new = try await login.renewed(old, at: now) }
            var made = if let new { new } else { try await login.session(at: now) }
            generation += 1
            made.generation = generation
            session = made
            return .success(made)
        } catch {
            if error.disposition == .unauthorized { refusal = error }
            session = nil
            return .failure(error)
        }
    }

    private var generation = 0

    var isLoggedIn: Bool { session != nil }

    /// Gives up the session because an answer looked as if the login were stale; the next call logs in anew.
    func distrustSession() { session = nil }

    // MARK: Who it is

    /// How long the school year, the holidays and the children are taken as known.
    private static let profileLife = TimeSpan.hours(12)

    /// Who logged in and for which students, asked once and shared.
    func profile(at now: Timestamp) async throws(PluginError) -> AccountProfile {
        if let profile, now - profile.loadedAt < Self.profileLife, profile.loadedAt <= now { return profile }
        let running = profileLoading ?? Task { await loadProfile(at: now) }
        profileLoading = running
        return try await running.value.get()
    }

    private func loadProfile(at now: Timestamp) async -> Result<AccountProfile, PluginError> {
        defer { profileLoading = nil }
        do throws(PluginError) {
            let session = try await live(at: now)
            let loaded = try await AccountProfile.load(from: self, session: session, at: now)
            profile = loaded
            return .success(loaded)
        } catch {
            if error.disposition == .unauthorized { refusal = error }
            return .failure(error)
        }
    }
}
