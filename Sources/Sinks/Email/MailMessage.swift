import BotCore
import Values

/// A mail before it is written down: who, what, and under which id.
struct MailMessage {
    var fromName: String
    var from: String
    var to: String
    var replyTo: String?
    var subject: String
    var date: Timestamp
    /// The left part of the `Message-ID`: the delivery id, so that a repeat carries the same.
    var id: String
    /// The right part: a domain of ours, the sender's.
    var domain: String
    /// Mails about the same thing name the same root, so that readers show them together.
    var thread: String?
    var text: String
    var html: String

    /// The message as RFC 5322 and 2045 want it: CRLF everywhere, 7 bit, plain text first and HTML last (the last is preferred).
    func bytes() -> [UInt8] {
        // The boundary cannot occur in a part: quoted-printable writes every "=" as "=3D".
        let boundary = "=_\(id)"
        var lines = [
            EncodedText.header("Date", dateText),
            EncodedText.mailbox("From", name: fromName, address: from),
            "To: \(to)",
            EncodedText.header("Subject", String(subject.prefix(Self.longestSubject))),
            "Message-ID: <\(id)@\(domain)>",
        ]
        if let replyTo { lines.append("Reply-To: \(replyTo)") }
        if let thread { lines.append("References: <\(thread)@\(domain)>") }
        lines += [
            // RFC 3834 section 5: automatic answers stay away; the second line asks Exchange for the same.
            "Auto-Submitted: auto-generated",
            "X-Auto-Response-Suppress: All",
            "MIME-Version: 1.0",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"",
            "",
        ]
        lines += part("plain", text, boundary) + part("html", html, boundary) + ["--\(boundary)--", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// A message as `bytes` wrote it, whose subject begins by saying that it may be a repeat. All else stays, the `Message-ID` above all: where
    /// servers and readers look at it they show one of the two (RFC 5322 section 3.6.4).
    static func marked(_ message: String) -> String {
        guard let name = message.firstRange(of: "\r\nSubject: ") else { return message }
        let subject = message[name.upperBound...]
        // The blanks between two encoded words are not shown (RFC 2047 section 6.2): the mark ends with one of its own there.
        let mark = EncodedText.header("Subject", Payload.repeatMark + (subject.hasPrefix("=?") ? " " : ""))
        let gap = subject.first?.isNewline == false ? "\r\n " : ""
        return message[..<name.lowerBound] + "\r\n" + mark + gap + subject
    }

    /// A subject longer than this is cut; mail programs show far less.
    private static let longestSubject = 200

    private func part(_ kind: String, _ content: String, _ boundary: String) -> [String] {
        [
            "--\(boundary)",
            "Content-Type: text/\(kind); charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
            "",
            EncodedText.quotedPrintable(content),
        ]
    }

    /// `Mon, 30 Nov 2026 06:50:00 +0000` (RFC 5322 section 3.3), in UTC.
    private var dateText: String {
        let (date, time) = Zone.utc.reading(at: date)
        let (year, month, day) = date.civil
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let clock = "\(two(time.hour)):\(two(time.minute)):\(two(time.second))"
        return "\(weekdays[date.weekday - 1]), \(day) \(months[month - 1]) \(year) \(clock) +0000"
    }
}
