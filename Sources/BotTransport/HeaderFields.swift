import BotCore

/// The header fields of a request, checked against smuggling.
enum HeaderFields {
    /// These describe the connection and the body as they are sent; a second opinion would let one request be read as two.
    private static let ours: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer",
        "proxy-authorization", "proxy-connection", "keep-alive",
    ]

    /// The fields as libcurl takes them.
    /// - Throws: `.permanent`, naming the field but never its value.
    static func checked(
        _ headers: [(name: String, value: String)],
        of method: String,
        to address: WebAddress
    ) throws(PluginError) -> [String] {
        guard !method.isEmpty, method.utf8.allSatisfy(isToken) else {
            throw .permanent("The request to \(address.shown) has a method that is none.")
        }
        var lines: [String] = []
        lines.reserveCapacity(headers.count + 2)
        var hasType = false
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy(isToken) else {
                throw .permanent(
                    "A header name of the request to \(address.shown) has characters that names cannot have."
                )
            }
            let lowercased = name.lowercased()
            guard !ours.contains(lowercased) else {
                throw .permanent(
                    "The header \(name) of the request to \(address.shown) is set by the transport: leave it out."
                )
            }
            // RFC 9110 §5.5: no CR, LF or NUL; other control characters are never meant.
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .permanent(
                    "The header \(name) of the request to \(address.shown) has control characters in its value."
                )
            }
            // libcurl takes `Name;` for an empty value; `Name:` would remove the field.
            lines.append(value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? name + ";" : name + ": " + value)
            hasType = hasType || lowercased == "content-type"
        }
        // Removed: libcurl's guess that a body is a form.
        if !hasType { lines.append("Content-Type:") }
        // Removed: asking first and waiting a second for the answer, which many servers never give.
        lines.append("Expect:")
        return lines
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
