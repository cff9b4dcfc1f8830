import BotCore
import BotTransport
import Testing

@Suite struct RedactorTests {
    private static let token = "123456:AA-Fäke/\"Töken\"+%41 x"

    @Test(arguments: [
        "123456:AA-Fäke/\"Töken\"+%41 x",
        "123456%3AAA-F%C3%A4ke%2F%22T%C3%B6ken%22%2B%2541%20x",
        "123456%3aAA-F%c3%a4ke/%22T%c3%b6ken%22%2b%2541+x",
        #"123456:AA-Fäke\/\"Töken\"+%41 x"#,
        #"123456:AA-F\u00e4ke/\u0022T\u00F6ken\"\u002B%41 x"#,
    ])
    func `SEC-01 a secret is masked in every way it may be written`(form: String) {
        let redactor = Redactor([Secret(Self.token)])
        #expect(redactor.mask("GET /bot\(form)/send failed") == "GET /bot•••/send failed")
    }

    @Test(arguments: ["", "a", "ab", "user:", "user.name:"])
    func `a secret is masked within base64, whatever stands before it`(before: String) {
        let redactor = Redactor([Secret("geheim?>ü")])
        for after in ["", "1", "22"] {
            let encoded = base64(Array((before + "geheim?>ü" + after).utf8))
            #expect(redactor.mask("Basic \(encoded), denied") == "Basic •••, denied")
            let urlSafe = String(encoded.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
            #expect(redactor.mask("key=\(urlSafe)") == "key=•••")
        }
    }

    @Test func `whatever a secret begins with, it is masked in each of its forms`() {
        for first in (0x20...0x7E).map({ String(UnicodeScalar($0)) }) + ["ü", "€", "😀"] {
            let secret = first + "eheim7"
            let redactor = Redactor([Secret(secret)])
            let bytes = Array(secret.utf8)
            let percent = bytes.map { "%" + (String($0, radix: 16).count == 1 ? "0" : "") + String($0, radix: 16) }
                .joined()
            let escapes = secret.utf16.map { "\\u" + String(String(0x10000 + Int($0), radix: 16).dropFirst()) }.joined()
            for form in [secret, percent, escapes, first == " " ? "+eheim7" : secret] {
                #expect(redactor.mask("<\(form)>") == "<•••>", "\(form)")
            }
            for before in ["", "a", "ab"] {
                #expect(redactor.mask("Basic \(base64(Array(before.utf8) + bytes))") == "Basic •••", "\(secret)")
            }
        }
    }

    @Test func `a secret beyond the basic plane is found in JSON escapes`() {
        #expect(Redactor([Secret("pass😀word")]).mask(#"{"p":"pass\ud83d\ude00word"}"#) == #"{"p":"•••"}"#)
    }

    @Test func `a short secret is masked only as a word of its own`() {
        let redactor = Redactor([Secret("ab")])
        #expect(redactor.mask("ab cab abc (ab) ab") == "••• cab abc (•••) •••")
    }

    @Test func `the longer of two secrets wins, and touching ones are both masked`() {
        let redactor = Redactor([Secret("geheim"), Secret("geheimnis"), Secret("offen")])
        #expect(redactor.mask("geheimnisoffen geheim") == "•••••• •••")
    }

    @Test func `text without secrets stays as it is`() {
        let redactor = Redactor([Secret(""), Secret("geheim")])
        #expect(redactor.mask("100 % of %4 \\u00 \\") == "100 % of %4 \\u00 \\")
    }

    @Test func `passwords of backslashes and percent signs are found`() {
        #expect(Redactor([Secret(#"\\\\"#)]).mask(#"x\\\\y"#) == "x•••y")
        #expect(Redactor([Secret("%25%41")]).mask("p=%25%41") == "p=•••")
        #expect(Redactor([Secret("%25%41")]).mask("p=%2525%2541") == "p=•••")
    }

    @Test func `errors are masked, evidence included`() {
        let error = PluginError.permanent("bad key geheim", evidence: "key=geheim")
        let masked = Redactor([Secret("geheim")]).mask(error)
        #expect(masked == .permanent("bad key •••", evidence: "key=•••"))
    }

    private func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let padded = group + [UInt8](repeating: 0, count: 3 - group.count)
            let word = UInt32(padded[0]) << 16 | UInt32(padded[1]) << 8 | UInt32(padded[2])
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[Int(word >> UInt32(18 - 6 * index) & 63)] : "=")
            }
        }
        return text
    }
}
