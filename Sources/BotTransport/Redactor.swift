public import BotCore
import Synchronization

/// Masks secrets in any text: errors, log lines, evidence for bug reports.
///
/// A registered secret is found as it stands, percent-encoded (hexadecimal digits of either case, `+` for a blank), JSON-escaped, in
/// any mixture of these, and as part of base64 or base64url, whatever stands before it (`Basic` sends `user:password` as one piece).
/// A found secret becomes `•••`; of base64 the whole run of base64 characters does, since its edges mix the secret with its neighbours.
public final class Redactor: Sendable {
    /// What stands in the place of a secret; the same dots that `Secret` shows.
    public static let mask = "•••"

    private let patterns = Mutex<[SecretPattern]>([])

    public init(_ secrets: [Secret] = []) {
        secrets.forEach(register)
    }

    /// Masks this secret from now on. Empty secrets and repeats are ignored.
    public func register(_ secret: Secret) {
        guard let pattern = SecretPattern(secret) else { return }
        patterns.withLock { patterns in
            guard !patterns.contains(where: { $0.plain == pattern.plain }) else { return }
            patterns.append(pattern)
            // A long secret goes first, so that a short one within it does not leave the rest of it in the open.
            patterns.sort { $0.plain.count > $1.plain.count }
        }
    }

    /// The text with every registered secret masked.
    public func mask(_ text: String) -> String {
        let patterns = patterns.withLock { $0 }
        guard !patterns.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var spans: [Range<Int>] = []
        for pattern in patterns { pattern.collect(from: bytes, into: &spans) }
        guard !spans.isEmpty else { return text }
        return Self.cover(spans, of: bytes)
    }

    /// The same error, its message and evidence masked.
    public func mask(_ error: PluginError) -> PluginError {
        PluginError(error.disposition, mask(error.message), about: error.scope, evidence: error.evidence.map(mask))
    }

    private static func cover(_ spans: [Range<Int>], of bytes: [UInt8]) -> String {
        var shown: [UInt8] = []
        var position = 0
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) where span.upperBound > position {
            if span.lowerBound >= position {
                shown += bytes[position..<span.lowerBound]
                shown += mask.utf8
            }
            position = span.upperBound
        }
        shown += bytes[position...]
        return String(decoding: shown, as: UTF8.self)
    }
}
