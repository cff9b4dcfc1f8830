import Foundation
import HTMLText
import Values

extension String {
    /// In NFC, so that two spellings of one name are equal wherever they are compared.
    var composed: String { precomposedStringWithCanonicalMapping }
}

extension Value {
    /// A text of several lines as people typed it, tidy; "" for anything else.
    var prose: String { string.map { HTMLText.plainText($0).composed } ?? "" }

    /// An instant in RFC 3339; the backend writes milliseconds.
    var instant: Timestamp? { string.flatMap { Timestamp(rfc3339: $0) } }
}
