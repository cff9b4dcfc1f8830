import Testing

@testable import SchoolSimulator

@Suite struct GzipTests {
    @Test func `the check sum is the published one, and that of zeros is found without going through them`() {
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        for count in [0, 1, 7, 258, 70_000] {
            #expect(CRC32.ofZeros(count) == CRC32.of([UInt8](repeating: 0, count: count)))
        }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 200_000]) func `what is packed lies in stored blocks with sum and size`(
        count: Int
    ) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let member = Gzip.packed(bytes)
        var unpacked: [UInt8] = []
        var place = 10
        var isLast = false
        while !isLast {
            isLast = member[place] == 1
            let length = Int(member[place + 1]) | Int(member[place + 2]) << 8
            unpacked += member[place + 5..<place + 5 + length]
            place += 5 + length
        }
        #expect(unpacked == bytes)
        #expect(member.count == place + 8)
    }
}
