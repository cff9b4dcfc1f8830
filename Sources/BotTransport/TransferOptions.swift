import BotCore
import CCurl
import Values

extension EasyHandle {
    /// Sets everything for one transfer. The caller keeps the transfer alive until it has ended.
    func prepare(_ transfer: Transfer, _ settings: HTTPSettings) {
        let request = transfer.request
        set(CURLOPT_URL, request.url)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, false)
        // With signals, time-outs of name look-ups would interrupt other threads.
        set(CURLOPT_NOSIGNAL, true)
        // Without it, the end of a transfer waits for a name look-up that hangs, and all other transfers with it.
        set(CURLOPT_QUICK_EXIT, true)
        set(CURLOPT_TIMEOUT_MS, milliseconds(request.timeout))
        set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(min(settings.connectTimeout, request.timeout)))
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, max(1, Int(settings.stallTimeout.milliseconds + 999) / 1000))
        // Looks at Content-Length alone, and 0 means no limit; the write callback counts.
        set(CURLOPT_MAXFILESIZE_LARGE, size: request.bodyLimit)
        set(CURLOPT_ACCEPT_ENCODING, AnswerHead.encodings)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // A second request waits to learn whether the first one's connection can carry both.
        set(CURLOPT_PIPEWAIT, true)
        set(CURLOPT_TCP_KEEPALIVE, true)
        set(CURLOPT_USERAGENT, settings.userAgent)
        set(CURLOPT_PROXY, transfer.proxy ?? "")
        // The list of exceptions was applied in choosing the proxy; libcurl would read the environment again.
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        verifyCertificates(trusting: settings.caFile)
        set(CURLOPT_HTTPHEADER, transfer.fields)
        setBody(of: request)
        setCallbacks(Unmanaged.passUnretained(transfer).toOpaque(), errorText: transfer.errorText)
    }

    private func setBody(of request: HTTPRequest) {
        let takesBody = ["POST", "PUT", "PATCH"].contains(request.method)
        if let body = request.body ?? (takesBody ? [] : nil) {
            set(CURLOPT_POST, true)
            set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            body.withUnsafeBytes { bytes in
                // An empty array may have no address, which would mean that the body comes from a callback.
                if let start = bytes.baseAddress, !bytes.isEmpty {
                    set(CURLOPT_COPYPOSTFIELDS, pointer: start)
                } else {
                    set(CURLOPT_COPYPOSTFIELDS, "")
                }
            }
            if request.method != "POST" { set(CURLOPT_CUSTOMREQUEST, request.method) }
        } else if request.method == "HEAD" {
            set(CURLOPT_NOBODY, true)
        } else if request.method != "GET" {
            set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func setCallbacks(_ transfer: UnsafeMutableRawPointer, errorText: UnsafeMutablePointer<CChar>) {
        set(CURLOPT_PRIVATE, pointer: transfer)
        set(CURLOPT_ERRORBUFFER, pointer: errorText)
        set(CURLOPT_WRITEDATA, pointer: transfer)
        set(
            CURLOPT_WRITEFUNCTION,
            callback: { bytes, size, count, context in
                let isFine = Transfer.at(context)?.receive(
                    body: UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
                // Anything but the number of bytes ends the transfer; for no bytes that has to be another number than 0.
                return isFine == true ? size * count : size * count + 1
            }
        )
        set(CURLOPT_HEADERDATA, pointer: transfer)
        set(
            CURLOPT_HEADERFUNCTION,
            callback: { bytes, size, count, context in
                let isFine = Transfer.at(context)?.receive(
                    head: UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
                return isFine == true ? size * count : size * count + 1
            }
        )
        set(CURLOPT_PREREQDATA, pointer: transfer)
        setBeforeRequest { context, _, _, _, _ in
            Transfer.at(context)?.mayBeWritten() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        set(CURLOPT_OPENSOCKETDATA, pointer: transfer)
        setOpenSocket { context, _, address in
            guard let transfer = Transfer.at(context), let address else { return -1 }
            return transfer.openSocket(to: address)
        }
    }

    /// At least 1: libcurl takes 0 for no limit.
    private func milliseconds(_ span: TimeSpan) -> Int { Int(max(1, min(span.milliseconds, Int64(Int32.max)))) }
}

extension Transfer {
    fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The address is that of the proxy, which the admin chose, if there is one: it may be anywhere.
    fileprivate func openSocket(to peer: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let opened = BotTransport.openSocket(peer) { ip in
            proxy == nil ? AddressPolicy.objection(to: ip, expectsLoopback: address.isLoopback) : nil
        }
        if let objection = opened.objection { refusedPeer = objection }
        return opened.socket
    }
}
