/// How many columns of a terminal a character takes.
enum DisplayWidth {
    static func columns(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if isEmoji(character) || isWide(first.value) { return 2 }
        let marks: Set<Unicode.GeneralCategory> = [.nonspacingMark, .enclosingMark]
        return marks.contains(first.properties.generalCategory) ? 0 : 1
    }

    /// Shown as a picture: by default (UTS #51, Emoji_Presentation), by the selector U+FE0F, or as a flag.
    private static func isEmoji(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first else { return false }
        if first.properties.isEmojiPresentation { return true }
        return first.properties.isEmoji && character.unicodeScalars.contains { $0.value == 0xFE0F }
    }

    /// The blocks whose characters have East_Asian_Width W or F (UAX #11).
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
        case 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F: true
        case 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18AFF, 0x1B000...0x1B2FF: true
        case 0x20000...0x3FFFD: true
        default: false
        }
    }
}
