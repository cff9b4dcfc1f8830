import BotCore
import CCurl

/// A checked `http` or `https` address, taken apart by libcurl's own parser, so that what is checked is what is connected to.
struct WebAddress: Sendable, Hashable {
    let scheme: String
    /// In lower case; IPv6 without brackets.
    let host: String
    let port: Int
    /// The host is written as loopback: `localhost`, `127.x.x.x`, `[::1]`.
    let isLoopback: Bool

    /// Scheme, host and, if unusual, port: all of an address that may be shown, since path and query may hold secrets.
    var shown: String {
        let host = host.contains(":") ? "[\(host)]" : host
        let usual = scheme == "https" ? 443 : 80
        return port == usual ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// - Throws: `.permanent`; the message never quotes more of the address than its host.
    init(_ url: String) throws(PluginError) {
        // RFC 3986 knows ASCII alone; blanks and control characters would be read differently by every party.
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .permanent(
                "An address has blanks, control characters or letters beyond ASCII in it: percent-encode them, or write "
                    + "the host in its xn-- form."
            )
        }
        guard let parts = Self.parts(of: url), parts.scheme == "https" || parts.scheme == "http", !parts.host.isEmpty
        else {
            throw .permanent("An address is not of the form https://host/path: check the setting that it comes from.")
        }
        guard !parts.hasCredentials else {
            throw .permanent(
                "An address has a user name or password in front of its host: give them in settings of their own."
            )
        }
        scheme = parts.scheme
        host = parts.host
        port = parts.port
        let literal = IPAddress(parts.host)
        isLoopback = LoopbackName.matches(parts.host)
        guard Self.isWrittenPlainly(parts.host, in: url, isLiteral: literal != nil) else {
            throw .permanent(
                "The address of '\(parts.host)' is written in an odd way: write the host as a name or as four numbers with dots."
            )
        }
        if let literal, let objection = AddressPolicy.objection(to: literal, expectsLoopback: isLoopback) {
            throw .permanent("\(shown) is refused: \(objection).")
        }
        guard scheme == "https" || isLoopback else {
            throw .permanent("\(shown) is refused: http:// is for this machine alone (localhost); write https://.")
        }
    }

    private struct Parts {
        var scheme = ""
        var host = ""
        var port = 0
        var hasCredentials = false
    }

    private static func parts(of url: String) -> Parts? {
        guard let parser = curl_url() else { return nil }
        defer { curl_url_cleanup(parser) }
        guard curl_url_set(parser, CURLUPART_URL, url, 0) == CURLUE_OK else { return nil }
        func part(_ name: CURLUPart, _ flags: Int32 = 0) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(parser, name, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        var parts = Parts()
        parts.scheme = part(CURLUPART_SCHEME)?.lowercased() ?? ""
        parts.host = part(CURLUPART_HOST)?.lowercased() ?? ""
        if parts.host.hasPrefix("["), parts.host.hasSuffix("]") {
            parts.host = String(parts.host.dropFirst().dropLast())
        }
        parts.port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap { Int($0) } ?? 0
        parts.hasCredentials = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
        if part(CURLUPART_ZONEID) != nil { return nil }
        return parts
    }

    /// libcurl turns `2130706433`, `0x7f.1` and `%31%32%37…` into what they stand for; people write such forms only to get past a
    /// check, so the host has to stand in the address as it was understood.
    private static func isWrittenPlainly(_ host: String, in url: String, isLiteral: Bool) -> Bool {
        var rest = url.lowercased().utf8[...]
        while !rest.starts(with: "://".utf8) { if rest.popFirst() == nil { return false } }
        let authority = rest.dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        let isBracketed = host.utf8.contains(UInt8(ascii: ":"))
        let written = isBracketed ? "[\(host)]" : host
        guard authority.starts(with: written.utf8) else {
            return isLiteral && authority.first == UInt8(ascii: "[") && isBracketed
        }
        let following = authority.dropFirst(written.utf8.count).first
        return following == nil || following == UInt8(ascii: ":")
    }
}
