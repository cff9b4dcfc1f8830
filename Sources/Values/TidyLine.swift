extension String {
    /// Whether this is one line of Latin letters with single blanks within it and none at its ends: what tidies texts leaves it as it is.
    ///
    /// Most texts are, and it is quickly seen: below U+0300 every character is its own NFC (Unicode, DerivedNormalizationProps,
    /// NFC_Quick_Check), and none joins the one before it.
    public var isTidyLine: Bool { utf8.withContiguousStorageIfAvailable(Self.isTidyLine) ?? false }

    private static func isTidyLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var last = UInt8(ascii: " ")
        for byte in bytes {
            switch byte {
            case 0x21..<0x7F: break
            case 0x20 where last != 0x20: break
            // U+0080 to U+02FF begin with C2 to CB. U+0085 is a line end, U+00A0 a blank.
            case 0xC2...0xCB: break
            case 0x80...0xBF where last > 0xC2 && last <= 0xCB: break
            case 0x80...0xBF where last == 0xC2 && byte != 0x85 && byte != 0xA0: break
            default: return false
            }
            last = byte
        }
        return last != 0x20 || bytes.isEmpty
    }
}
