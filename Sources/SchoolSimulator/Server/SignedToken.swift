import Digests
import Foundation
import Values

/// JSON web tokens (RFC 7519) signed with HMAC-SHA256.
struct SignedToken: Sendable {
    let key: [UInt8]

    func make(_ claims: Value) -> String {
        let header: Value = ["alg": "HS256", "typ": "JWT"]
        let signed = Self.encoded(header.jsonBytes) + "." + Self.encoded(claims.jsonBytes)
        return signed + "." + signature(signed)
    }

    /// The claims of a token that this key signed; whether they still hold is the caller's to judge.
    func claims(of token: String) -> Value? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, signature("\(parts[0]).\(parts[1])") == parts[2], let bytes = Self.decoded(parts[1])
        else {
            return nil
        }
        return try? Value(json: bytes)
    }

    private func signature(_ text: String) -> String { Self.encoded(Digest.hmacSHA256(key: key, Array(text.utf8))) }

    /// Base 64 for addresses, without padding (RFC 4648 section 5).
    private static func encoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").trimmed(of: "=")
    }

    private static func decoded(_ text: Substring) -> [UInt8]? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map { Array($0) }
    }
}

/// Base 64 of a text, with padding.
func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
