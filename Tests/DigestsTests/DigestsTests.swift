import Digests
import Testing
import Values

@Suite struct DigestsTests {
    /// RFC 6238 appendix B (SHA-1, last six digits), and the vector of a WebUntis client.
    @Test(arguments: [
        ("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 59, 287_082),
        ("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 1_111_111_109, 81_804),
        ("gezd gnbv-gy3tqojqgezdgnbvgy3tqojq==", 2_000_000_000, 279_037),
        ("ABCDEFGHIJKLMNOP", 1_537_524_711, 439_266),
    ])
    func `one-time passwords are those of the standard`(secret: String, seconds: Int64, code: Int) throws {
        let password = try #require(OneTimePassword(secret: secret))
        #expect(password.code(at: Timestamp(seconds: seconds)) == code)
    }

    @Test(arguments: ["", "A1B0", "ÄÖÜ"]) func `a secret that is not base 32 is refused`(secret: String) {
        #expect(OneTimePassword(secret: secret) == nil)
    }

    @Test func `the same content has the same name and other content another`() {
        #expect(ContentID.make(["ab", "c"]) == ContentID.make(["ab", "c"]))
        #expect(ContentID.make(["ab", "c"]) != ContentID.make(["a", "bc"]))
        #expect(ContentID.make([]).count == 26)
    }

    @Test func `SHA-256 and its HMAC give the published values`() {
        // FIPS 180-4 example "abc"; RFC 4231 test case 2.
        #expect(hex(Digest.sha256(Array("abc".utf8))).hasPrefix("ba7816bf8f01cfea414140de5dae2223"))
        let mac = Digest.hmacSHA256(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        #expect(hex(mac).hasPrefix("5bdcc146bf60754e6a042426089575c7"))
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
