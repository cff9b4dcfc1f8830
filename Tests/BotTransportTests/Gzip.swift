/// Gzip streams made by hand (RFC 1951, RFC 1952).
enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    /// A valid stream that holds the bytes as they are; at most 65,535.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        let block: [UInt8] = [1] + little(UInt32(length)).prefix(2) + little(UInt32(~length)).prefix(2) + bytes
        return header + block + little(checksum(bytes)) + little(UInt32(bytes.count))
    }

    /// The beginning of a stream that unpacks to `repeats` times 2,064 zeros: 13 bytes hold eight matches of 258 bytes, each the
    /// fixed code 11000101 for that length and 00000 for a distance of 1.
    static func bomb(repeats: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write([1, 1, 0])
        bits.write([0, 0, 1, 1, 0, 0, 0, 0])
        // Eight matches keep the position within a byte: from the second eight on, the same 13 bytes come again and again.
        for _ in 0..<16 { bits.write([1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]) }
        let lead = Array(bits.bytes[..<14])
        let pattern = Array(bits.bytes[14..<27])
        var stream = header + lead
        stream.reserveCapacity(stream.count + repeats * 13)
        for _ in 0..<repeats { stream += pattern }
        return stream
    }

    private struct BitWriter {
        /// Whole bytes only.
        var bytes: [UInt8] = []
        private var pending: UInt8 = 0
        private var count: UInt8 = 0

        mutating func write(_ bits: [UInt8]) {
            for bit in bits {
                pending |= bit << count
                count += 1
                if count == 8 {
                    bytes.append(pending)
                    (pending, count) = (0, 0)
                }
            }
        }
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            var value = (sum ^ UInt32(byte)) & 0xFF
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
            return sum >> 8 ^ value
        }
    }
}
