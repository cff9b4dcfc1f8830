import BotCore
@testable import BotTransport
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        ("https://school.webuntis.com/WebUntis/api?x=secret", "https://school.webuntis.com"),
        ("HTTPS://School.WebUntis.com:443/", "https://school.webuntis.com"),
        ("https://school.example:8443/a", "https://school.example:8443"),
        ("http://localhost:8080/hook", "http://localhost:8080"),
        ("http://127.0.0.1:1/", "http://127.0.0.1:1"),
        ("http://[::1]:9/", "http://[::1]:9"),
        ("https://192.168.1.20/hook", "https://192.168.1.20"),
        ("https://[fd12:3456::1]/hook", "https://[fd12:3456::1]"),
    ])
    func `good addresses are taken and shown without path and query`(url: String, shown: String) throws {
        let address = try WebAddress(url)
        #expect(address.shown == shown)
    }

    @Test(arguments: [
        "file:///etc/passwd", "gopher://127.0.0.1/", "smtp://127.0.0.1/", "ftp://school.example/", "school.example", "",
        "http://school.example/", "http://169.254.169.254/latest", "https://169.254.169.254/latest",
        "http://2130706433/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/", "https://127.1/",
        "https://%31%32%37.0.0.1/", "http://[::ffff:127.0.0.1]/", "https://[::ffff:169.254.169.254]/",
        "https://[64:ff9b::169.254.169.254]/", "https://[64:ff9b::127.0.0.1]/", "https://0.0.0.0/", "https://[::]/",
        "https://[fe80::1]/", "https://[fe80::1%25eth0]/", "https://224.0.0.1/", "https://255.255.255.255/",
        "https://[fd00:ec2::254]/", "https://user:geheim@school.example/", "https://user@school.example/",
        "https://school.example/a b", "https://school.example/\r\nHost: x", "https://schöol.example/",
    ])
    func `SEC-09 addresses that lead elsewhere than they seem to are refused`(url: String) {
        let error = #expect(throws: PluginError.self) { try WebAddress(url) }
        #expect(error?.disposition == .permanent)
        #expect(error?.message.contains("geheim") == false)
        #expect(error?.message.contains("latest") == false)
    }

    @Test(arguments: [
        ("127.0.0.1", false, false), ("127.0.0.1", true, true), ("::1", true, true), ("::1", false, false),
        ("10.0.0.1", false, true), ("10.0.0.1", true, false), ("192.168.1.1", false, true), ("fd00::1", false, true),
        ("169.254.169.254", false, false), ("100.100.100.200", false, false), ("100.100.100.201", false, true),
        ("::ffff:10.0.0.1", false, false), ("64:ff9b::8.8.8.8", false, true), ("64:ff9b::7f00:1", false, false),
        ("fe80::1", false, false), ("febf::1", false, false), ("fec0::1", false, false), ("2001:db8::1", false, true),
    ])
    func `SEC-09 the address that is connected to decides`(text: String, expectsLoopback: Bool, isAllowed: Bool) throws
    {
        let address = try #require(IPAddress(text))
        #expect((AddressPolicy.objection(to: address, expectsLoopback: expectsLoopback) == nil) == isAllowed)
    }

    @Test(arguments: [
        ("https://school.example/", "http://proxy:3128"), ("http://localhost/", nil), ("https://localhost/", nil),
        ("https://127.0.0.1/", nil), ("https://intra.example/", nil), ("https://sub.intra.example/", nil),
        ("https://notintra.example/", "http://proxy:3128"), ("https://10.1.2.3/", nil),
        ("https://11.1.2.3/", "http://proxy:3128"),
        ("https://dotted.example/", nil),
    ])
    func `the environment's proxy is used, but never for loopback and its exceptions`(url: String, expected: String?)
        throws
    {
        let environment = ["https_proxy": "http://proxy:3128", "NO_PROXY": "intra.example, 10.0.0.0/8,.dotted.example"]
        let settings = ProxySettings { environment[$0] }
        let address = try WebAddress(url)
        #expect(settings.proxy(for: address) == expected)
    }

    @Test func `all_proxy serves where https_proxy is missing, and a star excepts all`() throws {
        let address = try WebAddress("https://school.example/")
        #expect(ProxySettings { ["ALL_PROXY": "socks5h://p:1"][$0] }.proxy(for: address) == "socks5h://p:1")
        #expect(ProxySettings { ["http_proxy": "http://p:1"][$0] }.proxy(for: address) == nil)
        #expect(ProxySettings { ["ALL_PROXY": "socks5h://p:1", "no_proxy": "*"][$0] }.proxy(for: address) == nil)
    }
}
