/// Which addresses a connection may be made to. Decided on the address that is really connected to, so that a name which resolves to
/// something else the second time (DNS rebinding) gains nothing.
enum AddressPolicy {
    /// What no school, mail server or chat lives at: this host (RFC 1122 §3.2.1.3), link-local with the metadata services of the
    /// clouds (RFC 3927, RFC 4291 §2.5.6) and those that have an address elsewhere (Alibaba, Oracle, AWS), multicast, reserved, and
    /// IPv4 addresses dressed as IPv6 (RFC 4291 §2.5.5), which no resolver gives out.
    private static let refused = [
        AddressBlock(prefix: "0.0.0.0", bits: 8),
        AddressBlock(prefix: "169.254.0.0", bits: 16),
        AddressBlock(prefix: "100.100.100.200", bits: 32),
        AddressBlock(prefix: "192.0.0.192", bits: 32),
        AddressBlock(prefix: "224.0.0.0", bits: 4),
        AddressBlock(prefix: "240.0.0.0", bits: 4),
        AddressBlock(prefix: "::", bits: 128),
        AddressBlock(prefix: "::ffff:0:0", bits: 96),
        AddressBlock(prefix: "fe80::", bits: 10),
        AddressBlock(prefix: "fec0::", bits: 10),
        AddressBlock(prefix: "ff00::", bits: 8),
        AddressBlock(prefix: "fd00:ec2::254", bits: 128),
    ]

    /// Why this address is not connected to; nil if it may be.
    /// - Parameter expectsLoopback: the address was written as `localhost`, `127.x.x.x` or `[::1]`: then loopback it must be,
    ///   otherwise loopback it must not be. The private networks of schools are allowed.
    static func objection(to address: IPAddress, expectsLoopback: Bool) -> String? {
        if address.isLoopback != expectsLoopback {
            return expectsLoopback
                ? "it leads to an address that is not this machine's own"
                : "it leads to this machine itself; write localhost or 127.0.0.1 if that is meant"
        }
        let reached = address.reached
        return refused.contains { $0.contains(reached) }
            ? "it leads to a link-local, metadata or reserved address, which is never asked" : nil
    }
}
