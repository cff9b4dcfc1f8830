/// Whether a host is written as this machine itself.
public enum LoopbackName {
    /// `localhost`, `127.x.y.z` in plain decimal, `::1`, the last with or without brackets. A name that merely resolves to loopback is
    /// not one: whoever writes it does not mean this machine.
    public static func matches(_ host: some StringProtocol) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "::1" || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && Int(part) ?? 256 < 256
                    && (part == "0" || !part.hasPrefix("0"))
            }
    }
}
