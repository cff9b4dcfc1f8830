public import BotCore
import Digests
import Values

/// A name for settings that a far end may refuse, for whoever notes a refusal or goes by one.
public enum Fingerprint {
    /// - Parameters:
    ///   - credentials: all that the far end may refuse, in a fixed order.
    ///   - key: the state folder's own, `Journal.fingerprintKey`: outside that folder the name gives nothing away.
    /// - Returns: 26 characters that are made of their HMAC-SHA256 (RFC 2104).
    public static func of(_ credentials: [Secret], key: [UInt8]) -> String {
        let text = credentials.map { "\($0.reveal().utf8.count):\($0.reveal())" }.joined()
        let digest = Digest.hmacSHA256(key: key, Array(text.utf8))
        return ContentID.make([Value.bytes(digest).plainText])
    }
}
