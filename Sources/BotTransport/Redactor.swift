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

    /// By their bytes: two spellings of one letter are two secrets.
    private struct Known {
        var secrets: Set<[UInt8]> = []
        /// What they are found by; nil until a text is masked again. An address is a secret, too, and a good run masks nothing.
        var patterns: [SecretPattern]?
    }

    private let known = Mutex(Known())

    public init(_ secrets: [Secret] = []) {
        secrets.forEach(register)
    }

    /// Masks this secret from now on. Empty secrets and repeats are ignored.
    public func register(_ secret: Secret) {
        known.withLock { known in
            if known.secrets.insert(Array(secret.reveal().utf8)).inserted { known.patterns = nil }
        }
    }

    /// The text with every registered secret masked.
    public func mask(_ text: String) -> String {
        let patterns = known.withLock { known in
            let patterns = known.patterns ?? known.secrets.compactMap { SecretPattern($0) }
            known.patterns = patterns
            return patterns
        }
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

    /// Spans that overlap, as those of a secret within another one do, are covered as one.
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
