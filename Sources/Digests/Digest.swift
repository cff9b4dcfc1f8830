import CCrypto

/// Hash functions of libcrypto.
public enum Digest {
    /// Safe to share: OpenSSL counts its users with atomic numbers and changes nothing else of it (EVP_MD_fetch(3)). It lives as long as the
    /// process.
    private struct Function: @unchecked Sendable {
        let raw: OpaquePointer?
    }

    /// Fetched once: `EVP_sha256()` is only a name, for which OpenSSL 3 looks up the implementation at every digest (crypto(7), "Implicit
    /// fetching"), which took half the time of hashing a short text.
    private static let sha256 = Function(raw: EVP_MD_fetch(nil, "SHA256", nil) ?? EVP_sha256())

    /// The 32 bytes of SHA-256 (FIPS 180-4).
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        written { digest, length in EVP_Digest(bytes, bytes.count, digest, &length, sha256.raw, nil) }
    }

    /// HMAC with SHA-256 (RFC 2104), 32 bytes.
    public static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        hmac(EVP_sha256(), key: key, bytes)
    }

    /// HMAC with SHA-1, 20 bytes; one-time passwords use it (RFC 6238).
    public static func hmacSHA1(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        hmac(EVP_sha1(), key: key, bytes)
    }

    private static func hmac(_ function: OpaquePointer?, key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        written { digest, length in HMAC(function, key, Int32(key.count), bytes, bytes.count, digest, &length) }
    }

    /// The bytes that a function of libcrypto writes.
    private static func written(_ write: (UnsafeMutablePointer<UInt8>?, inout UInt32) -> some Any) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var length: UInt32 = 0
            _ = write(buffer.baseAddress, &length)
            count = Int(length)
        }
    }
}
