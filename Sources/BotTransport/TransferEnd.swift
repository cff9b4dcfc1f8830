import BotCore
import CCurl
import Values

/// How a transfer ended, and what that means for the caller.
struct TransferEnd {
    private let transfer: Transfer
    private let code: CURLcode
    private let status: Int
    /// Bytes of the body that went out.
    private let uploaded: Int
    /// Microseconds since the request's turn came.
    private let elapsed: Int

    init(of transfer: Transfer, _ easy: EasyHandle, code: CURLcode) {
        self.transfer = transfer
        self.code = code
        status = easy.number(CURLINFO_RESPONSE_CODE)
        uploaded = easy.size(CURLINFO_SIZE_UPLOAD_T)
        elapsed = easy.size(CURLINFO_TOTAL_TIME_T)
    }

    private var place: String { transfer.address.shown }

    static func closed(_ address: WebAddress) -> String {
        "The request to \(address.shown) was not sent because the program ends."
    }

    var outcome: Transfer.Outcome {
        // libcurl takes a connection that ends within the headers for the end of the answer.
        if code == CURLE_OK, transfer.head.isComplete {
            return .success(HTTPResponse(status: status, headers: transfer.head.fields, body: transfer.body))
        }
        return .failure(transfer.objection ?? error)
    }

    /// The request reached the connection and its body went out whole. A request without body counts as written when its turn on the
    /// connection came: its few hundred bytes go out in one piece.
    private var isWhollyWritten: Bool { transfer.attempts > 0 && uploaded >= transfer.request.body?.count ?? 0 }

    private var isInHead: Bool { transfer.attempts > 0 && !transfer.head.isComplete }

    /// The error of an exchange that was not whole.
    func notWhole(_ what: String) -> PluginError {
        if transfer.attempts == 0 { return .transient(what + ".") }
        return isWhollyWritten
            ? .uncertain(what + "; whether it was taken is not known.")
            : .transient(what + "; it had not been sent whole.")
    }

    private var error: PluginError {
        switch code {
        case CURLE_OK: notWhole("\(place) closed the connection in the middle of its answer")
        case CURLE_URL_MALFORMAT:
            .permanent("The address of \(place) cannot be read: check the setting that it comes from.")
        case CURLE_COULDNT_RESOLVE_HOST:
            .transient("The name of \(place) could not be found: check the address and this machine's name server.")
        case CURLE_COULDNT_RESOLVE_PROXY:
            .transient("The name of the proxy could not be found: check https_proxy in the environment.")
        case CURLE_PROXY:
            .transient("The proxy that https_proxy names did not connect to \(place).")
        case CURLE_COULDNT_CONNECT: couldNotConnect
        case CURLE_OPERATION_TIMEDOUT: timedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
            refusedCertificate
        case CURLE_SSL_CONNECT_ERROR where transfer.attempts == 0:
            .transient("No secure connection to \(place) came about: it may not speak TLS there, or broke off.")
        case CURLE_FILESIZE_EXCEEDED: transfer.tooLong
        case CURLE_BAD_CONTENT_ENCODING:
            .permanent("\(place) answered with a compressed body that is damaged.")
        case CURLE_UNSUPPORTED_PROTOCOL where transfer.attempts > 0,
            CURLE_WEIRD_SERVER_REPLY where transfer.attempts > 0:
            .permanent("\(place) did not answer in HTTP: check the address and the port.")
        case CURLE_UNSUPPORTED_PROTOCOL:
            .permanent("\(place) cannot be asked by the libcurl of this machine.")
        // A single header line over libcurl's own limit: out of memory before libcurl 8.6, code 100 since.
        case CURLE_OUT_OF_MEMORY where isInHead, CURLcode(rawValue: 100) where isInHead: transfer.headTooLong
        case CURLE_OUT_OF_MEMORY:
            .transient("The machine is short of memory: the request to \(place) was given up.")
        default:
            notWhole("The exchange with \(place) broke off (\(Libcurl.text(of: code)))")
        }
    }

    private var couldNotConnect: PluginError {
        if let reason = transfer.refusedPeer { return .permanent("\(place) is refused: \(reason).") }
        let through = transfer.proxy == nil ? "" : " through the proxy that https_proxy names"
        return .transient("No connection to \(place)\(through) came about: it may be down, or a firewall is between.")
    }

    private var timedOut: PluginError {
        if transfer.attempts == 0 {
            return .transient("No connection to \(place) came about in time: it may be down, or a firewall is between.")
        }
        let limit = transfer.request.timeout
        return elapsed / 1000 >= limit.milliseconds
            ? notWhole("\(place) gave no whole answer within \(Self.text(limit))")
            : notWhole("\(place) fell silent in the middle of the exchange")
    }

    private static func text(_ span: TimeSpan) -> String {
        span.milliseconds % 1000 == 0 ? "\(span.seconds) s" : "\(span.milliseconds) ms"
    }

    /// Certificates lapse and are renewed within days: what waits for that is not given up.
    private var refusedCertificate: PluginError {
        let reason = String(cString: transfer.errorText)
        let shown = reason.isEmpty ? Libcurl.text(of: code) : reason
        return .transient(
            "The certificate of \(place) is not trusted (\(shown)). Nothing was sent. If the school has an authority of its own, name "
                + "its certificate file in 'ca_file'."
        )
    }
}
