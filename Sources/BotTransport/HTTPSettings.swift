public import Values

/// What holds for all requests of one client.
public struct HTTPSettings: Sendable, Hashable {
    /// The `User-Agent` of requests that do not bring their own.
    public var userAgent: String
    /// A PEM file of certificate authorities that are trusted besides the system's: for schools with an authority of their own.
    public var caFile: String?
    public var hosts: HostPolicies
    public var proxy: ProxySettings
    /// For name look-up, connection and TLS together; the request's own timeout holds too.
    public var connectTimeout: TimeSpan
    /// A transfer that moves less than a byte a second over this time is given up.
    public var stallTimeout: TimeSpan

    public init(
        userAgent: String = "pokyh-bot",
        caFile: String? = nil,
        hosts: HostPolicies = HostPolicies(),
        proxy: ProxySettings = .direct,
        connectTimeout: TimeSpan = .seconds(10),
        stallTimeout: TimeSpan = .seconds(20)
    ) {
        self.userAgent = userAgent
        self.caFile = caFile
        self.hosts = hosts
        self.proxy = proxy
        self.connectTimeout = connectTimeout
        self.stallTimeout = stallTimeout
    }
}
