public import Values

/// What holds for all mail servers.
public struct SMTPSettings: Sendable, Hashable {
    /// A PEM file of certificate authorities that are trusted besides the system's: for schools with an authority of their own.
    public var caFile: String?
    /// For name look-up, connection, greeting, TLS and login together. Some servers hold their greeting back for half a minute to
    /// tell mail programs from spam programs.
    public var connectTimeout: TimeSpan
    /// For each reply. RFC 5321 §4.5.3.2.6 asks to wait ten minutes after the final dot: who gives up sooner makes doubles.
    public var replyTimeout: TimeSpan
    /// For one mail in all.
    public var totalTimeout: TimeSpan
    /// A connection without mail is closed after this time.
    public var idleTimeout: TimeSpan

    public init(
        caFile: String? = nil,
        connectTimeout: TimeSpan = .seconds(60),
        replyTimeout: TimeSpan = .seconds(600),
        totalTimeout: TimeSpan = .seconds(900),
        idleTimeout: TimeSpan = .seconds(30)
    ) {
        self.caFile = caFile
        self.connectTimeout = connectTimeout
        self.replyTimeout = replyTimeout
        self.totalTimeout = totalTimeout
        self.idleTimeout = idleTimeout
    }
}
