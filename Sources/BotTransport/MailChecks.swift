import BotCore

/// What is checked before a mail server is spoken to: libcurl 7.88 puts what it is given on the wire, line breaks included, so that an
/// address could carry commands and a body could end early (measured).
enum MailChecks {
    /// RFC 5322 §2.1.1.
    static let longestLine = 998

    static func check(_ mail: OutgoingMail) throws(PluginError) {
        guard MailAddress(mail.sender) != nil else {
            throw .permanent("The sender's address is not of the form name@host: check 'from' of the mail sink.")
        }
        guard MailAddress(mail.recipient) != nil else {
            throw .permanent(
                "A recipient's address is not of the form name@host: check 'to' of the mail sink and of its rules."
            )
        }
        if let fault = fault(in: mail.message) {
            throw .permanent(
                "A mail was not sent because it is badly built (\(fault)). That is a fault of this program: report it."
            )
        }
    }

    /// A host name, or an address in square brackets (RFC 5321 §4.1.3).
    static func isHelloName(_ text: String) -> Bool {
        guard text.hasPrefix("["), text.hasSuffix("]") else { return MailAddress.isDomain(text) }
        let literal = text.dropFirst().dropLast()
        return IPAddress(String(literal.hasPrefix("IPv6:") ? literal.dropFirst(5) : literal)) != nil
    }

    /// What is wrong with a finished message; nil if nothing is. Bare line feeds are what mail is smuggled by: a server that takes
    /// them for line ends sees the message end where we do not.
    static func fault(in message: [UInt8]) -> String? {
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
            case 0x80...: return "a byte beyond 7 bit"
            default:
                lineLength += 1
                if lineLength > longestLine { return "a line of more than \(longestLine) bytes" }
            }
            previous = byte
        }
        return nil
    }
}
