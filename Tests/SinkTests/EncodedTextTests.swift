import BotCore
import Testing
import Values

@testable import EmailSink

@Suite struct EncodedTextTests {
    @Test func `an ASCII subject stays as it is`() {
        #expect(EncodedText.header("Subject", "Neue Note") == "Subject: Neue Note")
    }

    @Test(arguments: ["Prüfung: für Größe & Maß", "=?utf-8?Q?x?=", "😀👩‍👩‍👧‍👦 Ausflug", String(repeating: "ä", count: 300)])
    func `SINK-23 a subject with other characters becomes encoded words that say the same`(subject: String) throws {
        let header = EncodedText.header("Subject", subject)
        let lines = header.split(separator: "\r\n").map(String.init)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 })
        #expect(header.utf8.allSatisfy { $0 < 0x80 })
        #expect(try decodedWords(header.dropFirst("Subject:".count)) == subject)
    }

    @Test func `line ends in a value cannot begin a header`() {
        let header = EncodedText.header("Subject", "Note\r\nBcc: all@example.org\u{2028}x")
        #expect(!header.contains("\r\nBcc"))
        let mailbox = EncodedText.mailbox("From", name: "Bot\r\nBcc: x", address: "bot@example.org")
        #expect(mailbox == "From: \"Bot  Bcc: x\"\r\n <bot@example.org>")
    }

    @Test func `long ASCII headers are folded at blanks and say the same`() {
        let words = (0..<60).map { "wort\($0)" }.joined(separator: " ")
        let header = EncodedText.header("Subject", words)
        #expect(header.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 76 })
        #expect(header.replacing("\r\n", with: "") == "Subject: " + words)
        #expect(
            EncodedText.header("Subject", "a" + String(repeating: " ", count: 100) + "b").contains("\r\n") == false
                || !EncodedText.header("Subject", "a" + String(repeating: " ", count: 100) + "b").split(
                    separator: "\r\n"
                )
                .contains { $0.allSatisfy { $0 == " " } }
        )
    }

    @Test(arguments: [
        "", "Hallo", "Zeile 1\nZeile 2\r\nZeile 3\rZeile 4", ".\n..\nFrom here", "Leerzeichen \nTab\t\n = ",
        "Größe: 5 €\n😀",
        String(repeating: "lang", count: 100), String(repeating: "ü", count: 500), "x\n.\ny",
    ])
    func `SINK-15 quoted-printable says the same in short 7-bit lines without a lone dot`(text: String) throws {
        let encoded = EncodedText.quotedPrintable(text)
        let lines = encoded.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasPrefix(".") && !$0.hasPrefix("From ") })
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") && !$0.hasSuffix("\t") })
        #expect(encoded.utf8.allSatisfy { $0 < 0x80 })
        let plain = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        #expect(try decodedQuotedPrintable(encoded) == plain)
    }

    @Test(arguments: [
        "Neue Note für Anna Größe", "MAT is cancelled", "", "Größe " + String(repeating: "sehr lang ", count: 15),
    ])
    func `a mail that may be a repeat says so first in its subject, and is the same in all else`(subject: String) throws
    {
        let message = mail(subject: subject)
        let marked = MailMessage.marked(message)
        let lines = marked.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && ($0.isEmpty || $0.contains { $0 != " " }) })
        let head = try #require(lines.firstIndex { $0.hasPrefix("Subject: ") })
        let end = try #require(lines[(head + 1)...].firstIndex { !$0.hasPrefix(" ") })
        let shown = try shown(lines[head..<end].joined(separator: "\r\n").dropFirst("Subject: ".count))
        #expect(shown == Payload.repeatMark + (subject.isEmpty ? "" : " ") + subject)
        let others = [lines[..<head], lines[end...]].map { $0.joined(separator: "\r\n") }
        #expect(others.allSatisfy { message.contains($0) })
        #expect(marked.contains("Message-ID: <m1@example.org>"))
    }

    /// As RFC 2047 section 6.2 has it shown: blanks between two encoded words are none.
    private func shown(_ text: Substring) throws -> String {
        var result = ""
        var isEncodedBefore = false
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\r\n" }) {
            let isEncoded = word.hasPrefix("=?")
            if !result.isEmpty, !(isEncoded && isEncodedBefore) { result += " " }
            result += isEncoded ? try decodedWords(word) : String(word)
            isEncodedBefore = isEncoded
        }
        return result
    }

    private func mail(subject: String) -> String {
        let mail = MailMessage(
            fromName: "",
            from: "bot@example.org",
            to: "anna@example.org",
            subject: subject,
            date: Timestamp(seconds: 1_796_022_000),
            id: "m1",
            domain: "example.org",
            text: "Subject: none",
            html: "<p>Subject: none</p>"
        )
        return String(decoding: mail.bytes(), as: UTF8.self)
    }

    private func decodedWords(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\r\n" }) {
            #expect(word.hasPrefix("=?utf-8?Q?") && word.hasSuffix("?=") && word.utf8.count <= 75)
            let inner = word.dropFirst(10).dropLast(2).replacing("_", with: "=20")
            let piece = try unescaped(String(inner))
            // Each word must be whole characters by itself.
            _ = try #require(String(validating: piece, as: UTF8.self))
            bytes += piece
        }
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    private func decodedQuotedPrintable(_ text: String) throws -> String {
        let joined = text.replacing("=\r\n", with: "").replacing("\r\n", with: "\n")
        return try #require(String(validating: try unescaped(joined), as: UTF8.self))
    }

    private func unescaped(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x3D {
                bytes.append(try #require(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
