/// How many columns text takes where every letter is equally wide: terminals and code blocks.
enum DisplayWidth {
    static func columns(of text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
    }

    /// A grapheme is two columns wide if it is an emoji or belongs to a script that Unicode calls wide (Annex 11), and none if nothing of it is seen.
    private static func columns(of character: Character) -> Int {
        var widest = 0
        for scalar in character.unicodeScalars {
            switch scalar.value {
            case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
                0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD, 0xFE0F:
                return 2
            default:
                if scalar.properties.isEmojiPresentation { return 2 }
                switch scalar.properties.generalCategory {
                case .nonspacingMark, .enclosingMark, .format, .control: continue
                default: widest = 1
                }
            }
        }
        return widest
    }
}
