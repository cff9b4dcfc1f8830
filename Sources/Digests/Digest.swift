import CCrypto

/// Hash functions of libcrypto.
public enum Digest {
    /// The 32 bytes of SHA-256 (FIPS 180-4).
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(bytes, bytes.count, &digest, nil, sha256Method, nil)
        return digest
    }

    // A pointer that the compiler cannot judge; safe, since it is never written and methods are made for use by all threads.
    /// Looked up once. libcrypto looks `EVP_sha256()` up in its providers at each call (OpenSSL 3, crypto(7), "Implicit fetching").
    private nonisolated(unsafe) static let sha256Method = EVP_MD_fetch(nil, "SHA256", nil) ?? EVP_sha256()

    /// HMAC with SHA-256 (RFC 2104), 32 bytes.
    public static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        hmac(EVP_sha256(), key: key, bytes)
    }

    /// HMAC with SHA-1, 20 bytes; one-time passwords use it (RFC 6238).
    public static func hmacSHA1(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        hmac(EVP_sha1(), key: key, bytes)
    }

    private static func hmac(_ function: OpaquePointer?, key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        HMAC(function, key, Int32(key.count), bytes, bytes.count, &digest, &length)
        return Array(digest.prefix(Int(length)))
    }
}
