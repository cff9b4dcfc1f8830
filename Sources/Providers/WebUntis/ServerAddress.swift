import BotConfig
import BotCore

/// Where a school's WebUntis is: scheme and authority of its server, and the school's login name.
struct ServerAddress: Sendable, Hashable {
    /// `https://lbs-example.webuntis.com`, without a slash at its end.
    let origin: String
    /// Host and port: what the mobile interface wants to be told.
    let authority: String
    /// Decoded; encoded once whenever it goes into an address.
    let school: String
    /// The name of the entry of `schools:` in the bot file that this is about.
    let entry: String

    /// Takes what people have: a host name, an `https://` address, or the whole address copied from the login page. A school name in
    /// the address counts where none is given by itself.
    init(server: String, school: String, entry: String = "") throws(SettingsError) {
        let text = server.trimmed
        let (scheme, rest) = Self.split(text, at: "://") ?? ("https", text)
        let authority = String(rest.prefix { !"/?#".contains($0) }).lowercased()
        guard !authority.isEmpty, authority.utf8.allSatisfy(Self.isAuthorityByte) else {
            throw SettingsError(
                school: "server",
                "'\(text)' is not the address of a WebUntis server",
                cures: ["write the host name alone, such as 'server: my-school.webuntis.com'"]
            )
        }
        guard scheme == "https" || (scheme == "http" && Self.isLoopback(authority)) else {
            throw SettingsError(
                school: "server",
                "the server's address must begin with https://; http:// is for loopback alone"
            )
        }
        let inAddress = Self.schoolName(in: rest)
        if let inAddress, !school.trimmed.isEmpty, Self.decoded(inAddress) != Self.decoded(school.trimmed) {
            throw SettingsError(
                school: "school",
                "the address in 'server:' is that of the school '\(Self.decoded(inAddress))'",
                cures: ["leave one of the two out, or make them agree"]
            )
        }
        let name = school.trimmed.isEmpty ? inAddress : school
        guard let name, !name.trimmed.isEmpty else {
            throw SettingsError(
                school: "school",
                "the school's login name is missing",
                cures: ["it stands after 'school=' in the address of the school's login page"]
            )
        }
        self.origin = "\(scheme)://\(authority)"
        self.authority = authority
        self.entry = entry
        self.school = Self.decoded(name.trimmed)
    }

    /// The address of a route, with a query whose values are encoded here.
    func url(_ route: String, _ query: [(String, String)] = []) -> String {
        let pairs = query.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }
        return origin + route + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// `afs+engen` and `m%C3%BCller` as browsers show them become `afs engen` and `müller`; anything else stays as it is.
    static func decoded(_ name: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? name
    }

    private static func isAuthorityByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "[]:".utf8.contains(byte)
    }

    private static func isLoopback(_ authority: String) -> Bool {
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return LoopbackName.matches(host)
    }

    private static func schoolName(in address: String) -> String? {
        for mark in ["?school=", "&school="] {
            if let (_, value) = split(address, at: mark) { return value.prefix { $0 != "&" && $0 != "#" }.trimmed }
        }
        return nil
    }

    /// The texts before and after the first mark.
    private static func split(_ text: String, at mark: String) -> (String, String)? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(mark) {
                return (String(text[..<start]), String(text[start...].dropFirst(mark.count)))
            }
            start = text.index(after: start)
        }
        return nil
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
