public import Values

/// How politely one host is asked: `hosts:` of the bot file.
public struct HostPolicy: Sendable, Hashable {
    /// The most requests under way at once; at least 1.
    public var connections: Int
    /// The shortest time between the starts of two requests.
    public var gap: TimeSpan

    public init(connections: Int, gap: TimeSpan) {
        self.connections = max(1, connections)
        self.gap = gap
    }

    /// 2 connections and 0.2 s: what a person with a browser asks of a school's server at most.
    public static let usual = HostPolicy(connections: 2, gap: .milliseconds(200))
    /// As many as there are at once: for servers on this machine.
    public static let unlimited = HostPolicy(connections: .max, gap: .zero)
}

/// The policies by host.
public struct HostPolicies: Sendable, Hashable {
    /// For hosts without one of their own; `"*"` in the bot file.
    public var usual: HostPolicy
    /// By host name in lower case, without port; IPv6 addresses without brackets.
    public var byHost: [String: HostPolicy]

    public init(usual: HostPolicy = .usual, byHost: [String: HostPolicy] = [:]) {
        self.usual = usual
        self.byHost = byHost
    }

    public subscript(host: String) -> HostPolicy { byHost[host] ?? usual }
}
