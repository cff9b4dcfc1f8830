import BotCore
@testable import BotTransport
import CCurl
import Testing

@Suite struct SMTPReplyTests {
    private func transcript(_ lines: [String]) -> SMTPTranscript {
        var transcript = SMTPTranscript()
        for line in lines {
            let isFine = Array((line + "\r\n").utf8).withUnsafeBytes { transcript.record($0) }
            #expect(isFine)
        }
        return transcript
    }

    private static let opened = ["220 mail ESMTP", "250-mail", "250 SIZE 1000", "250 2.1.0 ok"]

    /// The table of what libcurl 7.88 was measured to end with.
    @Test(
        arguments: [
            (CURLE_COULDNT_RESOLVE_HOST, [], .transient(retryAfter: nil)),
            (CURLE_COULDNT_CONNECT, [], .transient(retryAfter: nil)),
            (CURLE_OPERATION_TIMEDOUT, [], .transient(retryAfter: nil)),
            (CURLE_WEIRD_SERVER_REPLY, ["421 4.3.2 too busy"], .transient(retryAfter: nil)),
            (CURLE_WEIRD_SERVER_REPLY, ["554 5.7.1 go away"], .permanent),
            (CURLE_SEND_ERROR, opened + ["450 4.2.1 busy"], .transient(retryAfter: nil)),
            (CURLE_SEND_ERROR, opened + ["550 5.1.1 unknown"], .permanent),
            (CURLE_SEND_ERROR, opened + ["550 5.1.1 unknown", "221 bye"], .permanent),
            (CURLE_SEND_ERROR, opened + ["552 5.5.3 too many"], .transient(retryAfter: nil)),
            (CURLE_SEND_ERROR, opened + ["552 5.2.2 full"], .permanent),
            (CURLE_RECV_ERROR, opened + ["250 2.1.5 ok"], .transient(retryAfter: nil)),
            (CURLE_RECV_ERROR, opened + ["354 go"], .uncertain),
            (CURLE_SEND_ERROR, opened + ["354 go"], .uncertain),
            (CURLE_OPERATION_TIMEDOUT, opened + ["354 go"], .uncertain),
            (CURLE_ABORTED_BY_CALLBACK, opened + ["354 go"], .uncertain),
            (CURLE_RECV_ERROR, opened + ["354 go", "250-2.0.0 first"], .uncertain),
            (CURLE_WEIRD_SERVER_REPLY, opened + ["354 go", "451 4.7.1 grey"], .transient(retryAfter: nil)),
            (CURLE_WEIRD_SERVER_REPLY, opened + ["354 go", "554 5.7.1 spam"], .permanent),
            (CURLE_WEIRD_SERVER_REPLY, opened + ["354 go", "421 4.3.0 closing"], .transient(retryAfter: nil)),
            (CURLE_LOGIN_DENIED, opened + ["535 5.7.8 bad"], .unauthorized),
            (CURLE_LOGIN_DENIED, opened + ["454 4.7.0 later"], .transient(retryAfter: nil)),
            (CURLE_LOGIN_DENIED, opened, .permanent),
            (CURLE_USE_SSL_FAILED, opened, .permanent),
            (CURLE_USE_SSL_FAILED, opened + ["454 4.7.0 no TLS"], .permanent),
            (CURLE_PEER_FAILED_VERIFICATION, ["220 mail"], .transient(retryAfter: nil)),
        ] as [(CURLcode, [String], PluginError.Disposition)]
    )
    func `code and replies together decide`(code: CURLcode, lines: [String], expected: PluginError.Disposition) {
        let verdict = SMTPVerdict(code: code, transcript: transcript(lines), place: "mail.example:587")
        guard case .failure(let error) = verdict.result else {
            Issue.record("a failure was taken for a success")
            return
        }
        #expect(error.disposition == expected)
        #expect(error.message.contains("mail.example:587"))
        for quoted in error.message.matches(of: /'([a-z_]+)'/) { #expect(Self.keys.contains(String(quoted.1))) }
    }

    @Test(
        arguments: [
            (opened + ["450 4.7.1 grey"], .recipient), (opened + ["550 5.1.1 unknown"], .recipient),
            (opened + ["550 5.2.1 disabled", "221 bye"], .recipient), (opened + ["552 5.2.2 full"], .whole),
            (opened + ["554 5.7.1 policy"], .whole), (["250 2.1.0 ok", "451 4.7.1 grey"], .recipient),
            (["220 a", "250 b", "220 c", "250 d", "235 e", "250 2.1.0 f", "450 4.7.1 grey"], .recipient),
            (["220 a", "250 b", "220 c", "250 d", "235 e", "451 4.3.0 not now"], .whole),
            (opened + ["250 2.1.5 ok", "451 4.3.0 not now"], .whole),
            (opened + ["250 2.1.5 ok", "354 go", "451 4.7.1 grey"], .whole),
        ] as [([String], PluginError.Scope)]
    )
    func `SINK-16 a refusal of the recipient is told apart from all others`(lines: [String], scope: PluginError.Scope) {
        let verdict = SMTPVerdict(code: CURLE_SEND_ERROR, transcript: transcript(lines), place: "mail.example:587")
        guard case .failure(let error) = verdict.result else { return }
        #expect(error.scope == scope)
    }

    /// What people can set: the keys of a mail sink, and the bot's own certificate file.
    private static let keys: Set<String> = ["smtp", "tls", "user", "password", "hello", "from", "to", "ca_file"]

    @Test(arguments: [
        ("250 2.0.0 Ok: queued as 4XyZ12abc", "4XyZ12abc"),
        ("250 OK id=1qAbCd-0001-XY", "1qAbCd-0001-XY"),
        ("250 2.0.0 u7K1b2 Message accepted for delivery", "u7K1b2"),
        ("250 2.6.0 <a@b> [InternalId=1] Queued as X1", "X1"),
        ("250 2.0.0 OK", nil), ("250 queued as", nil), ("250", nil), ("250 queued as \u{7F}x", nil),
    ])
    func `the queue id is found where servers put it`(line: String, id: String?) throws {
        let replies = transcript(Self.opened + ["354 go", line])
        let verdict = SMTPVerdict(code: CURLE_OK, transcript: replies, place: "mail.example:587")
        let receipt = try verdict.result.get()
        #expect(receipt.remoteID == id)
    }

    @Test func `what a server says is evidence and not message, since it may name people`() {
        let replies = transcript(Self.opened + ["550 5.1.1 <anna.muster@home.example> unknown"])
        let verdict = SMTPVerdict(code: CURLE_SEND_ERROR, transcript: replies, place: "mail.example:587")
        guard case .failure(let error) = verdict.result else { return }
        #expect(!error.message.contains("anna"))
        #expect(error.message.contains("550 5.1.1"))
        #expect(error.evidence?.contains("anna") == true)
    }

    @Test func `a server that talks without end is cut off`() {
        var transcript = SMTPTranscript()
        let line = [UInt8](repeating: 0x78, count: 1000)
        let taken = (0..<100).count { _ in line.withUnsafeBytes { transcript.record($0) } }
        #expect(taken == SMTPTranscript.limit / 1000)
    }

    @Test(arguments: [
        ("bot.example", true), ("localhost", true), ("[127.0.0.1]", true), ("[IPv6:::1]", true), ("[::1]", true),
        ("", false), ("[]", false), ("[bot]", false), ("bot example", false), ("bot\r\nMAIL FROM:<x@y>", false),
        ("exämple.org", false), ("bot.example/x", false), ("-bot.example", false),
    ])
    func `a name for EHLO is a host name or an address in brackets`(text: String, isName: Bool) {
        #expect(MailChecks.isHelloName(text) == isName)
    }

    @Test(arguments: [
        ("a: b\r\n\r\nx\r\n", true), ("a\r\n", true), ("a\nb\r\n", false), ("a\rb\r\n", false), ("a", false),
        ("", false),
        ("a\r\n\n", false), ("a\0\r\n", false), ("ä\r\n", false), ("a\r\r\n", false),
        (String(repeating: "x", count: 998) + "\r\n", true), (String(repeating: "x", count: 999) + "\r\n", false),
    ])
    func `a message that could be read in two ways is not sent`(text: String, isFine: Bool) {
        #expect((MailChecks.fault(in: Array(text.utf8)) == nil) == isFine)
    }
}
