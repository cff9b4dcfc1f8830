import BotCore

/// One reply of a mail server, perhaps not yet whole.
struct SMTPReply: Sendable, Hashable {
    /// 200 to 599.
    let code: Int
    /// The texts of its lines, without codes.
    fileprivate(set) var lines: [String]
    fileprivate(set) var isWhole: Bool

    var isTransientFailure: Bool { code / 100 == 4 }
    var isPermanentFailure: Bool { code / 100 == 5 }

    /// `4.7.1` of `450 4.7.1 greylisted` (RFC 3463); its class has to be the reply's.
    var enhancedCode: String? {
        guard let word = lines.last?.split(separator: " ", maxSplits: 1).first else { return nil }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ (1...3).contains($0.utf8.count) && Int($0) != nil }),
            parts[0] == String(code / 100)
        else { return nil }
        return String(word)
    }

    /// The server's own id of an accepted mail: `queued as X` (Postfix, Exchange), `id=X` (Exim), `X Message accepted` (Sendmail).
    var queueID: String? {
        let words = lines.joined(separator: " ").split(separator: " ")
        var found: Substring?
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1] : nil
            if word.lowercased() == "queued", next?.lowercased() == "as", index + 2 < words.count {
                found = words[index + 2]
            }
            if word.hasPrefix("id=") { found = word.dropFirst(3) }
            if word.lowercased() == "message", next?.lowercased() == "accepted", index > 0 { found = words[index - 1] }
            if found != nil { break }
        }
        guard let id = found?.prefix(128), !id.isEmpty, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return String(id)
    }
}

/// Every reply that one mail's exchange brought, in order. libcurl hands each line to the header callback; its own result code alone
/// misleads (250 with a failed login, for instance).
struct SMTPTranscript: Sendable {
    private(set) var replies: [SMTPReply] = []
    private var size = 0

    /// Far more than any server says; more is no mail server.
    static let limit = 64 << 10

    /// - Returns: false if the server says too much.
    mutating func record(_ line: UnsafeRawBufferPointer) -> Bool {
        size += line.count
        guard size <= Self.limit else { return false }
        var bytes = line[...]
        while let last = bytes.last, last == 13 || last == 10 { bytes.removeLast() }
        let text = String(decoding: bytes, as: UTF8.self)
        // Three digits, then a blank or the end for the last line, a hyphen for the others (RFC 5321 §4.2.1).
        guard let code = Int(text.utf8.prefix(3).map { String(UnicodeScalar($0)) }.joined()), (200...599).contains(code)
        else {
            return true
        }
        let rest = text.utf8.dropFirst(3)
        let isLast = rest.first != UInt8(ascii: "-")
        let words = String(Substring(rest.dropFirst()))
        if let last = replies.indices.last, !replies[last].isWhole, replies[last].code == code {
            replies[last].lines.append(words)
            replies[last].isWhole = isLast
        } else {
            replies.append(SMTPReply(code: code, lines: [words], isWhole: isLast))
        }
        return true
    }

    /// The last word on the mail. 221 is none: it answers the QUIT that libcurl says after a refusal (RFC 5321 §4.2.3).
    var lastReply: SMTPReply? { replies.last { $0.code != 221 } }

    private var goAhead: Int? { replies.firstIndex { $0.code == 354 } }

    /// Whether the last word was on the recipient: the server had said 250 to each EHLO, of which there is one for each 220, and to MAIL,
    /// and not yet to RCPT.
    var answersRecipient: Bool {
        guard !hasSentMessage, let last = lastReply, last.code >= 400 else { return false }
        return replies.count { $0.code == 250 } == serviceReadyCount + 1
    }

    /// The server asked for the message (354): from then on it may have it.
    var hasSentMessage: Bool { goAhead != nil }

    /// The reply to the whole message, or as much of it as came.
    var finalReply: SMTPReply? {
        goAhead.flatMap { goAhead in replies[(goAhead + 1)...].first { $0.code != 221 } }
    }

    /// How often a connection began anew in clear text or TLS: the greeting is 220, and so is the answer to STARTTLS.
    var serviceReadyCount: Int { replies.count { $0.code == 220 } }
}

/// What a server offers in its answer to EHLO.
struct SMTPOffer: Sendable, Hashable {
    private var words: [String: String] = [:]

    /// The first line is the server's name, the others are one extension each (RFC 5321 §4.1.1.1).
    init(_ reply: SMTPReply) {
        for line in reply.lines.dropFirst() {
            let parts = line.split(separator: " ", maxSplits: 1)
            if let keyword = parts.first { words[keyword.uppercased()] = parts.count > 1 ? String(parts[1]) : "" }
        }
    }

    /// Why this mail must not be given to this server; nil if it may be. libcurl looks at none of this: it would send without login
    /// where none is offered (measured).
    func objection(to mail: OutgoingMail, login isDemanded: Bool, at place: String) -> PluginError? {
        if isDemanded, words["AUTH"] == nil {
            return .permanent(
                "The mail server \(place) offers no login, but a user is set: nothing was sent. Check 'smtp' and 'user' of the mail sink."
            )
        }
        // 0 or no number: no fixed limit (RFC 1870 §3).
        if let limit = words["SIZE"].flatMap({ Int($0) }), limit > 0, mail.message.count > limit {
            return .permanent(
                "The mail has \(mail.message.count) bytes, and the mail server \(place) takes at most \(limit): it was not sent."
            )
        }
        return nil
    }
}
