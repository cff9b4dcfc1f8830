import BotCore
import CCurl

/// What an exchange with a mail server came to: libcurl's code and the replies together. One reply of the wrong class decides more
/// than the code does, and a message that was asked for and not answered may have been taken.
struct SMTPVerdict {
    var code: CURLcode
    var transcript: SMTPTranscript
    /// Host and port.
    var place: String

    var result: Result<Receipt, PluginError> {
        if code == CURLE_OK { return .success(Receipt(remoteID: transcript.finalReply?.queueID)) }
        return .failure(error)
    }

    private var error: PluginError {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            .transient(
                "The name of the mail server \(place) could not be found: check it and this machine's name server."
            )
        case CURLE_COULDNT_CONNECT:
            .transient(
                "No connection to the mail server \(place) came about: it may be down, or a firewall is between."
            )
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
            // Certificates lapse and are renewed within days: what waits for that is not given up.
            .transient(
                "The certificate of the mail server \(place) is not trusted: nothing was sent. Check the host in 'smtp'; if the "
                    + "school has an authority of its own, name its certificate file in 'ca_file'."
            )
        case CURLE_USE_SSL_FAILED:
            .permanent(
                "The mail server \(place) offers no STARTTLS or refuses it: nothing was sent. Check 'smtp' of the mail sink; port 465 wants smtps://."
            )
        case CURLE_SSL_CONNECT_ERROR where transcript.replies.isEmpty:
            .transient(
                "No secure connection to the mail server \(place) came about. If this lasts: port 587 wants smtp:// in 'smtp', not smtps://."
            )
        case CURLE_LOGIN_DENIED: loginFailed
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            .permanent(
                "The mail server \(place) cannot be addressed like this: check 'smtp' and 'hello' of the mail sink."
            )
        default: byReplies
        }
    }

    private var loginFailed: PluginError {
        guard let reply = transcript.lastReply else { return byReplies }
        if reply.isTransientFailure {
            return failure(.transient(retryAfter: nil), "The mail server \(place) cannot check logins now", reply)
        }
        if reply.isPermanentFailure {
            return failure(
                .unauthorized,
                "The mail server \(place) refused the login: check 'user' and 'password'",
                reply
            )
        }
        return .permanent(
            "The mail server \(place) knows no kind of login that a user and a password can do: name another one in 'smtp'."
        )
    }

    private var byReplies: PluginError {
        if transcript.hasSentMessage {
            if let reply = transcript.finalReply, reply.code >= 400 { return refused(reply) }
            return .uncertain(
                "The mail server \(place) took the message but did not confirm it (\(Libcurl.text(of: code))): it may have been delivered."
            )
        }
        if let reply = transcript.lastReply, reply.code >= 400 { return refused(reply) }
        return .transient(
            "The exchange with the mail server \(place) broke off before the message (\(Libcurl.text(of: code)))."
        )
    }

    private func refused(_ reply: SMTPReply) -> PluginError {
        // RFC 5321 §4.5.3.1.10: 552 was long used for too many recipients, which passes.
        let passes = reply.isTransientFailure || reply.code == 552 && reply.enhancedCode == "5.5.3"
        let what = "The mail server \(place) \(passes ? "did not take the mail now" : "refused the mail")"
        var error = failure(passes ? .transient(retryAfter: nil) : .permanent, what + meaning(of: reply), reply)
        let isRecipients =
            transcript.answersRecipient && (passes || Self.goneRecipient.contains(reply.enhancedCode ?? ""))
        error.scope = isRecipients ? .recipient : .whole
        return error
    }

    /// No such mailbox, moved, a domain that takes no mail, a mailbox that is not in use any more (RFC 3463 sections 3.2 and 3.3, RFC 7505
    /// section 4.2). A full mailbox or a policy is none of these.
    private static let goneRecipient: Set<String> = ["5.1.1", "5.1.6", "5.1.10", "5.2.1"]

    /// The server's own words may hold addresses: they are evidence, not message.
    private func failure(_ disposition: PluginError.Disposition, _ what: String, _ reply: SMTPReply) -> PluginError {
        let codes = [String(reply.code), reply.enhancedCode].compactMap(\.self).joined(separator: " ")
        let words = String(reply.lines.joined(separator: " ").prefix(500))
        return PluginError(disposition, "\(what) (\(codes)).", evidence: "\(reply.code) \(words)")
    }

    /// RFC 3463 §3: the second and third number say what it is about.
    private func meaning(of reply: SMTPReply) -> String {
        guard let enhanced = reply.enhancedCode else { return reply.code == 552 ? ": it is too large" : "" }
        let parts = enhanced.split(separator: ".")
        return switch (parts[1], parts[2]) {
        case ("1", "7"), ("1", "8"): ": the sender's address is not accepted"
        case ("1", _): ": the recipient's address is not accepted"
        case ("2", "2"): ": the recipient's mailbox is full"
        case ("2", _): ": the recipient's mailbox is not in use"
        case ("3", "4"), ("2", "3"): ": it is too large"
        case ("7", _): ": by its policy; ask the server's admin"
        default: ""
        }
    }
}
