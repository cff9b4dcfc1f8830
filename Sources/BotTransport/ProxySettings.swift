/// The proxy that the environment names, as curl's manual (curl(1), ENVIRONMENT) and most programs read it: `https_proxy`, else
/// `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`; `no_proxy` or `NO_PROXY` lists the hosts that are asked directly. There is no proxy for
/// `http:` addresses, since those are loopback's alone, and none for loopback ever.
public struct ProxySettings: Sendable, Hashable {
    /// May hold a password; never shown.
    private let url: String?
    private let exceptions: [String]

    /// - Parameter variable: gives the value of an environment variable.
    public init(_ variable: (String) -> String?) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap(variable).first { !$0.isEmpty }
        }
        url = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
            .split { $0 == "," || $0 == " " }
            .map { String($0.drop { $0 == "." }) }
    }

    /// No proxy.
    public static let direct = ProxySettings { _ in nil }

    /// The proxy for an address; nil to ask directly.
    func proxy(for address: WebAddress) -> String? {
        guard let url, address.scheme == "https", !address.isLoopback else { return nil }
        let literal = IPAddress(address.host)
        let isExcepted = exceptions.contains { exception in
            if exception == "*" || exception == address.host { return true }
            if let literal { return AddressBlock(exception[...])?.contains(literal) == true }
            return address.host.hasSuffix("." + exception)
        }
        return isExcepted ? nil : url
    }
}
