/// Whether a host is written as this machine itself.
public enum LoopbackName {
    /// `localhost`, `127.x.y.z` in plain decimal, `::1`, the last with or without brackets. A name that merely resolves to loopback is
    /// not one: whoever writes it does not mean this machine.
    public static func matches(_ host: some StringProtocol) -> Bool {
        let name = host.lowercased()
        return name == "localhost" || name == "::1" || name == "[::1]" || isNumbers(name)
    }

    /// Whether it is four numbers up to 255 with `127` in front, none with zeros before it.
    private static func isNumbers(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0].elementsEqual("127".utf8)
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
                    && (part.count == 1 || part.first != 0x30)
                    && part.reduce(0) { $0 * 10 + Int($1) - 0x30 } < 256
            }
    }
}
