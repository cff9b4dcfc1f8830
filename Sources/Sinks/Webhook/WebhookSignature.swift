import BotCore
import Digests
import Foundation
import Values

/// The signature of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`.
struct WebhookSignature: Sendable {
    private let key: [UInt8]

    /// - Parameter secret: base64 of 24 to 64 bytes, with or without `whsec_` in front; nil for anything else.
    init?(secret: Secret) {
        let text = secret.reveal()
        let encoded = text.hasPrefix("whsec_") ? String(text.dropFirst(6)) : text
        guard let data = Data(base64Encoded: encoded), (24...64).contains(data.count) else { return nil }
        key = Array(data)
    }

    /// `v1,<base64>`.
    func value(id: String, timestamp: Int64, body: [UInt8]) -> String {
        let signed = Array("\(id).\(timestamp).".utf8) + body
        return "v1," + Data(Digest.hmacSHA256(key: key, signed)).base64EncodedString()
    }
}
