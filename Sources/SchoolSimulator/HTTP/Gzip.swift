/// Writes gzip (RFC 1952) around deflate (RFC 1951).
///
/// Answers are stored, not squeezed: a client cannot tell, and what is served here never leaves the machine.
enum Gzip {
    /// A member that unpacks to these bytes.
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var member = header
        var start = 0
        repeat {
            // Stored blocks hold at most 65,535 bytes (RFC 1951 section 3.2.4).
            let end = min(start + 65_535, bytes.count)
            let length = UInt16(end - start)
            member.append(end == bytes.count ? 1 : 0)
            member += littleEndian(length) + littleEndian(~length)
            member += bytes[start..<end]
            start = end
        } while start < bytes.count
        return member + littleEndian(CRC32.of(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// A small member that unpacks to very many zero bytes, about 159 times its size: one literal, then matches of the
    /// greatest length at distance 1, in the fixed Huffman code.
    ///
    /// - Parameter size: at least so many bytes; it is rounded up.
    static func bomb(unpackedBytes size: Int) -> [UInt8] {
        // Eight matches of 13 bits fill 13 bytes, whatever bit they begin at: three such groups are written bit by bit, and the
        // whole bytes of the second are repeated.
        let groups = max(3, (size / longestMatch + 8) / 8)
        var bits = BitWriter()
        bits.write(0b011, count: 3)  // last block, fixed code; least significant bit first
        bits.writeCode(0b0011_0000, count: 8)  // literal 0
        for _ in 0..<24 {
            bits.writeCode(0b1100_0101, count: 8)  // length 258
            bits.writeCode(0, count: 5)  // distance 1
        }
        bits.writeCode(0, count: 7)  // end of block
        let short = bits.finished()
        var member = header + short[..<15]
        member.reserveCapacity(groups * 13 + 100)
        for _ in 3..<groups { member += short[2..<15] }
        member += short[15...]
        let unpacked = groups * 8 * longestMatch + 1
        return member + littleEndian(CRC32.ofZeros(unpacked)) + littleEndian(UInt32(truncatingIfNeeded: unpacked))
    }

    private static let longestMatch = 258
    /// Magic, deflate, no flags, no time, no hints, unknown system.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

/// The check sum of gzip: CRC-32 with the reflected polynomial 0xEDB88320 (RFC 1952 section 8).
enum CRC32 {
    static func of(_ bytes: [UInt8]) -> UInt32 {
        var state = UInt32.max
        for byte in bytes { state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
        return ~state
    }

    /// Of so many zero bytes, without going through them: appending a zero byte multiplies the state by x^8 modulo the polynomial.
    static func ofZeros(_ count: Int) -> UInt32 {
        var factor: UInt32 = 1 << 31  // x^0, reflected
        var power: UInt32 = 1 << 23  // x^8
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { factor = product(factor, power) }
            power = product(power, power)
            rest >>= 1
        }
        return ~product(factor, UInt32.max)
    }

    private static let polynomial: UInt32 = 0xEDB8_8320
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { state, _ in state & 1 == 1 ? polynomial ^ (state >> 1) : state >> 1 }
    }

    /// The product of two reflected polynomials modulo the CRC's.
    private static func product(_ one: UInt32, _ other: UInt32) -> UInt32 {
        var (sum, shifted) = (UInt32(0), other)
        for bit in (0..<32).reversed() {
            if one >> UInt32(bit) & 1 == 1 { sum ^= shifted }
            shifted = shifted & 1 == 1 ? polynomial ^ (shifted >> 1) : shifted >> 1
        }
        return sum
    }
}

/// Bits into bytes, least significant first, as deflate packs them.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var buffer: UInt32 = 0
    private var filled = 0

    mutating func write(_ value: UInt32, count: Int) {
        buffer |= value << UInt32(filled)
        filled += count
        while filled >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: buffer))
            buffer >>= 8
            filled -= 8
        }
    }

    /// Huffman codes are packed with their most significant bit first (RFC 1951 section 3.1.1).
    mutating func writeCode(_ code: UInt32, count: Int) {
        for bit in (0..<count).reversed() { write(code >> UInt32(bit) & 1, count: 1) }
    }

    func finished() -> [UInt8] { filled == 0 ? bytes : bytes + [UInt8(truncatingIfNeeded: buffer)] }
}
