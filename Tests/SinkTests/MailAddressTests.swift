import BotCore
import Testing

@Suite struct MailAddressTests {
    @Test(arguments: [
        "anna@example.org", "a.b+c@sub.example.org", "x@localhost", "o'neil@x.example",
        "m.rossi@xn--mnchen-3ya.example",
    ])
    func `an ordinary address is taken`(text: String) { #expect(MailAddress(text)?.description == text) }

    @Test(arguments: [
        "", "anna", "anna@", "@example.org", "a b@example.org", "a@b@c", "mum@home..example",
        "mum\u{A0}x@home.example", "mum\u{0}@home.example", "mum\u{202E}@home.example", "a@b,c@d", "a,b@c.example",
        "a@" + String(repeating: "abcdefg.", count: 32) + "example", "<a@example.org>", "a@example.org>\r\nDATA",
        "a..b@example.org",
        ".a@example.org", "müller@example.org", "m.rossi@münchen.example", "a@-x.org", "a@exa mple.org",
        "a@[127.0.0.1]", "\"a b\"@example.org",
        String(repeating: "a", count: 65) + "@example.org",
    ])
    func `anything else is refused`(text: String) { #expect(MailAddress(text) == nil) }
}
