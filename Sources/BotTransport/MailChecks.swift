import BotCore

/// What is checked before a mail server is spoken to: libcurl 7.88 puts what it is given on the wire, line breaks included, so that an
/// address could carry commands and a body could end early (measured).
enum MailChecks {
    /// RFC 5321 §4.5.3.1.3: a path has at most 256 bytes, two of them angle brackets.
    private static let longestAddress = 254
    /// RFC 5321 §4.5.3.1.1.
    private static let longestLocalPart = 64
    /// RFC 5322 §2.1.1.
    static let longestLine = 998

    static func check(_ mail: OutgoingMail) throws(PluginError) {
        guard isAddress(mail.sender) else {
            throw .permanent("The sender's address is not of the form name@host: check 'from' of the mail sink.")
        }
        guard isAddress(mail.recipient) else {
            throw .permanent(
                "A recipient's address is not of the form name@host: check 'to' of the mail sink and of its rules."
            )
        }
        if let fault = fault(in: mail.message, allowsEightBit: needsUnicode(mail)) {
            throw .permanent(
                "A mail was not sent because it is badly built (\(fault)). That is a fault of this program: report it."
            )
        }
    }

    /// An address whose local part is beyond ASCII is for servers that offer SMTPUTF8 (RFC 6531 §3.1).
    static func needsUnicode(_ mail: OutgoingMail) -> Bool {
        [mail.sender, mail.recipient].contains { address in
            !address.prefix { $0 != "@" }.utf8.allSatisfy { $0 < 0x80 }
        }
    }

    /// `name@host` of plain characters: no quotes, comments, blanks, control characters or angle brackets.
    static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= longestAddress, let at = text.lastIndex(of: "@") else { return false }
        let local = text[..<at]
        guard !local.isEmpty, local.utf8.count <= longestLocalPart, !local.hasPrefix("."), !local.hasSuffix("."),
            !local.contains(".."), local.unicodeScalars.allSatisfy(isAtom)
        else { return false }
        return isHost(text[text.index(after: at)...])
    }

    /// A host name, or an address in square brackets (RFC 5321 §4.1.3).
    static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return text.utf8.count > 2
                && text.dropFirst().dropLast().utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x3A }
        }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return !labels.isEmpty
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.unicodeScalars.allSatisfy {
                        isVisibleBeyondASCII($0) || $0 == "-" || $0.isASCII && isLetterOrDigit(UInt8($0.value))
                    }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// RFC 5321 §4.1.2 (Dot-string) and RFC 6531 §3.3.
    private static func isAtom(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return isVisibleBeyondASCII(scalar) }
        let byte = UInt8(scalar.value)
        return isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~.".utf8.contains(byte)
    }

    private static func isVisibleBeyondASCII(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .surrogate:
            return false
        default: return true
        }
    }

    /// What is wrong with a finished message; nil if nothing is. Bare line feeds are what mail is smuggled by: a server that takes
    /// them for line ends sees the message end where we do not.
    static func fault(in message: [UInt8], allowsEightBit: Bool) -> String? {
        guard message.suffix(2) == [13, 10] else { return "it does not end with a line end" }
        var lineLength = 0
        var previous: UInt8 = 0
        for byte in message {
            if previous == 13, byte != 10 { return "a carriage return without line feed" }
            switch byte {
            case 10:
                guard previous == 13 else { return "a line feed without carriage return" }
                lineLength = 0
            case 13: break
            case 0: return "a NUL byte"
            case 0x80... where !allowsEightBit: return "a byte beyond 7 bit"
            default:
                lineLength += 1
                if lineLength > longestLine { return "a line of more than \(longestLine) bytes" }
            }
            previous = byte
        }
        return nil
    }
}
