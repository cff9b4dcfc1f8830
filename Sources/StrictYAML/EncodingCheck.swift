import Values

/// Whether the bytes of a file are text in UTF-8 that YAML allows, before any of it is parsed.
enum EncodingCheck {
    /// The largest file, in bytes. Rule files are written by hand; a school's whole set of rules is below 100 KiB.
    static let largest = 256 * 1024
    /// So many forbidden characters are shown one by one; a binary file would else fill the screen.
    private static let mostShown = 20

    static func complaints(about source: SourceText) -> [Complaint] {
        if let complaint = sizeComplaint(source) { return [complaint] }
        // Most files are plain ASCII, and looked through at a glance.
        if source.bytes.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) { return [] }
        if let complaint = encodingComplaint(source) ?? invalidUTF8(source) {
            return [complaint]
        }
        return forbiddenCharacters(source)
    }

    /// The name of an encoding that is not UTF-8: from its byte order mark (Unicode, section 23.8), or from a zero byte beside
    /// the first character, which no YAML text in UTF-8 has.
    static func foreignEncoding(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
        let zeros = bytes.prefix(4).map { $0 == 0 }
        return zeros == [false, true, false, true] || zeros == [true, false, true, false] ? "UTF-16" : nil
    }

    private static func sizeComplaint(_ source: SourceText) -> Complaint? {
        let size = source.bytes.count
        guard size > largest else { return nil }
        return Complaint(
            at: 0..<0,
            "the file has \(size) bytes; at most \(largest) (256 KiB) are read",
            cures: ["split it into several files; a rules folder may hold any number"]
        )
    }

    private static func encodingComplaint(_ source: SourceText) -> Complaint? {
        guard let encoding = foreignEncoding(of: source.bytes) else { return nil }
        return Complaint(
            at: 0..<0,
            "the file is \(encoding), not UTF-8",
            cures: ["save it again with the encoding UTF-8"]
        )
    }

    private static func invalidUTF8(_ source: SourceText) -> Complaint? {
        guard let offset = firstInvalidByte(in: source.bytes) else { return nil }
        let byte = source.bytes[offset]
        var cures = ["save the file again with the encoding UTF-8"]
        if byte >= 0xA0 {
            cures[0] += " (in Windows-1252 this byte is '\(Character(Unicode.Scalar(byte)))')"
        }
        return Complaint(
            at: offset..<offset + 1,
            "the byte \(hexadecimal(UInt32(byte), digits: 2)) is not UTF-8",
            cures: cures
        )
    }

    private static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        var decoder = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &iterator) {
            case .valid(let encoded): offset += encoded.count
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }

    private static func forbiddenCharacters(_ source: SourceText) -> [Complaint] {
        var complaints: [Complaint] = []
        var offset = source.textStart
        let text = source.text(source.textStart..<source.bytes.count)
        for scalar in text.unicodeScalars {
            let length = UTF8.width(scalar)
            if let (name, cure) = objection(to: scalar) {
                complaints.append(Complaint(at: offset..<offset + length, name, cures: [cure]))
                if complaints.count == mostShown { break }
            }
            offset += length
        }
        return complaints
    }

    /// Characters outside c-printable (YAML 1.2.2, production 1), and those that YAML 1.1 readers take for a line's end while
    /// YAML 1.2 does not (NEL, LS, PS): nobody sees them, so nobody can mean either.
    private static func objection(to scalar: Unicode.Scalar) -> (message: String, cure: String)? {
        let number = hexadecimal(scalar.value, digits: 4)
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E: return nil
        case 0: return ("a NUL byte", "delete it; the file may be damaged or no text at all")
        case 0x85, 0x2028, 0x2029:
            return ("the invisible line separator U+\(number)", "delete it, and end lines with the Enter key")
        case 0x01...0x1F, 0x7F...0x9F:
            return (
                "the control character U+\(number)",
                "delete it; if the text needs it, write \"\\x\(number.suffix(2))\" in double quotes"
            )
        case 0xFEFF: return ("a byte order mark within the file", "delete this invisible character")
        case 0xFFFE, 0xFFFF: return ("U+\(number), which is no character", "delete it")
        default: return nil
        }
    }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
