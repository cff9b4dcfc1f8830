import Glibc

/// An IPv4 address (4 bytes) or an IPv6 address (16 bytes), in network order.
struct IPAddress: Sendable, Hashable {
    let bytes: [UInt8]

    /// From the usual text forms (`192.0.2.1`, `2001:db8::1`); no brackets, no zone.
    init?(_ text: String) {
        var buffer = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &buffer) == 1 {
            bytes = Array(buffer[..<4])
        } else if inet_pton(AF_INET6, text, &buffer) == 1 {
            bytes = buffer
        } else {
            return nil
        }
    }

    /// From a socket address of `length` bytes; nil for other families.
    init?(family: Int32, socketAddress: UnsafeRawPointer, length: Int) {
        if family == AF_INET, length >= MemoryLayout<sockaddr_in>.size {
            bytes = withUnsafeBytes(of: socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        } else if family == AF_INET6, length >= MemoryLayout<sockaddr_in6>.size {
            bytes = withUnsafeBytes(of: socketAddress.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        } else {
            return nil
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static let translated = AddressBlock(prefix: "64:ff9b::", bits: 96)

    /// The IPv4 address within one that a NAT64 translator reaches (RFC 6052 §2.1), else the address itself. Networks without IPv4
    /// of their own see every IPv4 host like this, so the rules for the inner address have to hold.
    var reached: IPAddress {
        Self.translated.contains(self) ? IPAddress(bytes: Array(bytes[12...])) : self
    }

    private static let loopback = [AddressBlock(prefix: "127.0.0.0", bits: 8), AddressBlock(prefix: "::1", bits: 128)]

    /// 127.0.0.0/8 and ::1.
    var isLoopback: Bool { Self.loopback.contains { $0.contains(reached) } }
}

/// All addresses that begin with the same bits.
struct AddressBlock: Sendable, Hashable {
    private let prefix: [UInt8]
    private let bits: Int

    /// - Parameter prefix: an address literal of the program; one that is none makes a block without addresses.
    init(prefix: String, bits: Int) {
        self.prefix = IPAddress(prefix)?.bytes ?? []
        self.bits = bits
    }

    /// `10.0.0.0/8`; nil if it is nothing of the kind.
    init?(_ text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(String(parts[0])), let bits = Int(parts[1]),
            (0...address.bytes.count * 8).contains(bits)
        else { return nil }
        prefix = address.bytes
        self.bits = bits
    }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == prefix.count else { return false }
        let whole = bits / 8
        guard address.bytes[..<whole] == prefix[..<whole] else { return false }
        let rest = bits % 8
        return rest == 0 || (address.bytes[whole] ^ prefix[whole]) >> UInt8(8 - rest) == 0
    }
}
