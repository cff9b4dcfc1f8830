import BotCore
import CCurl
import Values

/// libcurl's handle for one account of one mail server. Belongs to its lane's thread.
///
/// Server, TLS and login are set once and never changed: libcurl 7.88 reuses a connection without TLS although TLS is demanded by then
/// (measured); only what belongs to the single mail is set anew.
final class SMTPSession {
    private let server: MailServer
    private let place: String
    private let easy: EasyHandle?

    private var job: MailJob?
    private var transcript = SMTPTranscript()
    private var position = 0
    /// What the server of the open connection offers; nil before its EHLO.
    private var offer: SMTPOffer?
    /// Why we broke off.
    private var objection: PluginError?
    /// When the server last said no and nothing else since.
    private var refusedAt: TimeSpan?
    /// Why an address that the host's name led to was not connected to. Others of the same name may still be.
    private var refusedPeer: PluginError?

    init(_ server: MailServer, _ settings: SMTPSettings) {
        self.server = server
        place = "\(server.host):\(server.port)"
        easy = EasyHandle()
        prepare(settings)
    }

    /// The handle's end says QUIT to the server; nothing of that may come back here.
    deinit { easy?.reset() }

    func deliver(_ job: MailJob) -> MailJob.Outcome {
        guard let easy else {
            return .failure(.transient("libcurl could not be set up: the machine is short of memory."))
        }
        guard !easy.hasRefusedOption else {
            return .failure(
                .permanent(
                    "libcurl on this machine lacks a setting that is needed for safe mail: 7.87 or later is required."
                )
            )
        }
        if let objection = offer?.objection(to: job.mail, login: server.user != nil, at: place) {
            return .failure(objection)
        }
        self.job = job
        defer { self.job = nil }
        transcript = SMTPTranscript()
        position = 0
        objection = nil
        refusedAt = nil
        let recipients = TextList()
        recipients.append(job.mail.recipient)
        easy.set(CURLOPT_MAIL_FROM, job.mail.sender)
        easy.set(CURLOPT_MAIL_RCPT, recipients)
        easy.set(CURLOPT_INFILESIZE_LARGE, size: job.mail.message.count)
        let code = withExtendedLifetime(recipients) { curl_easy_perform(easy.raw) }
        if code != CURLE_OK { easy.hangUp() }
        if let objection, !transcript.hasSentMessage { return .failure(objection) }
        if code == CURLE_COULDNT_CONNECT, let refusedPeer { return .failure(refusedPeer) }
        return SMTPVerdict(code: code, transcript: transcript, place: place).result
    }

    private func prepare(_ settings: SMTPSettings) {
        guard let easy else { return }
        let scheme = server.security == .tls ? "smtps" : "smtp"
        let host = server.host.contains(":") ? "[\(server.host)]" : server.host
        // libcurl has no other place for the name of EHLO than the path.
        easy.set(CURLOPT_URL, "\(scheme)://\(host):\(server.port)/\(server.helloName)")
        easy.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        easy.set(CURLOPT_NOSIGNAL, true)
        easy.set(CURLOPT_QUICK_EXIT, true)
        easy.set(CURLOPT_PROXY, "")
        easy.set(CURLOPT_USE_SSL, Int((server.security == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL).rawValue))
        easy.verifyCertificates(trusting: settings.caFile)
        if let user = server.user {
            easy.set(CURLOPT_USERNAME, user)
            easy.set(CURLOPT_PASSWORD, server.password?.reveal() ?? "")
        }
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(settings.connectTimeout))
        easy.set(CURLOPT_TIMEOUT_MS, milliseconds(settings.totalTimeout))
        easy.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, Int(settings.replyTimeout.seconds)))
        easy.set(CURLOPT_TCP_KEEPALIVE, true)
        easy.set(CURLOPT_UPLOAD, true)
        setCallbacks(of: easy)
    }

    private func milliseconds(_ span: TimeSpan) -> Int { Int(max(1, min(span.milliseconds, Int64(Int32.max)))) }

    private func setCallbacks(of easy: EasyHandle) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        easy.set(CURLOPT_HEADERDATA, pointer: me)
        easy.set(
            CURLOPT_HEADERFUNCTION,
            callback: { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return SMTPSession.at(context)?.hear(line) == true ? line.count : line.count + 1
            }
        )
        easy.set(CURLOPT_READDATA, pointer: me)
        easy.set(
            CURLOPT_READFUNCTION,
            callback: { bytes, size, count, context in
                SMTPSession.at(context)?.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
                    ?? Int(CURL_READFUNC_ABORT)
            }
        )
        easy.set(CURLOPT_OPENSOCKETDATA, pointer: me)
        easy.setOpenSocket { context, _, address in
            guard let session = SMTPSession.at(context), let address else { return -1 }
            return session.openSocket(to: address)
        }
        easy.set(CURLOPT_NOPROGRESS, false)
        easy.set(CURLOPT_XFERINFODATA, pointer: me)
        easy.setProgress { context, _, _, _, _ in
            SMTPSession.at(context)?.mayGoOn() == false ? 1 : 0
        }
    }

    /// Called about once a second. libcurl says QUIT after a refusal and after our breaking off, and would wait for the answer for as
    /// long as for any; a server that owes it is hung up on.
    private func mayGoOn() -> Bool {
        let isCancelled = job?.hasBeenCancelled == true
        let owesFarewell = refusedAt.map { monotonicNow() - $0 > Self.farewellTime } ?? false
        if isCancelled || owesFarewell { easy?.hangUp() }
        return !isCancelled
    }

    private static let farewellTime = TimeSpan.seconds(10)

    private static func at(_ context: UnsafeMutableRawPointer?) -> SMTPSession? {
        context.map { Unmanaged<SMTPSession>.fromOpaque($0).takeUnretainedValue() }
    }

    /// A line from the server; false breaks off.
    private func hear(_ line: UnsafeRawBufferPointer) -> Bool {
        guard transcript.record(line) else {
            objection = .permanent("\(place) says too much for a mail server: check 'smtp' of the mail sink.")
            return false
        }
        guard let reply = transcript.replies.last, reply.isWhole, let job else { return true }
        refusedAt = reply.code >= 400 ? monotonicNow() : nil
        if reply.code == 220 { offer = nil }
        // What counts is offered after TLS has begun; before, anybody on the way could have said it.
        let beginnings = server.security == .startTLS ? 2 : 1
        guard reply.code == 250, offer == nil, transcript.serviceReadyCount == beginnings else { return true }
        let offer = SMTPOffer(reply)
        self.offer = offer
        objection = offer.objection(to: job.mail, login: server.user != nil, at: place)
        return objection == nil
    }

    /// The next piece of the message. libcurl doubles leading dots and adds the final one.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let message = job?.mail.message else { return Int(CURL_READFUNC_ABORT) }
        let piece = message[position...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        position += piece.count
        return piece.count
    }

    private func openSocket(to peer: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let isClear = server.security == .none
        let opened = BotTransport.openSocket(peer) { address in
            isClear && !address.isLoopback ? "mail without TLS is for this machine alone" : nil
        }
        if let reason = opened.objection {
            refusedPeer = .permanent(
                "The mail server \(place) is refused: \(reason). Take 'tls: off' out of the mail sink."
            )
        }
        return opened.socket
    }
}
