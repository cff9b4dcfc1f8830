import CMicroHTTPD
import Synchronization
import Values

/// An HTTP/1.1 server on 127.0.0.1: libmicrohttpd with its one polling thread, on which the handler is called.
final class LoopbackServer: Sendable {
    typealias Handler = @Sendable (ServedRequest) -> ServedAnswer

    private let handler: Handler
    /// The daemon's address; 0 while stopped. Held as a number, since pointers cannot be shared between threads.
    private let daemon = Mutex<UInt>(0)
    private let waiting: WaitingConnections

    init(waiting: WaitingConnections, handler: @escaping Handler) {
        self.waiting = waiting
        self.handler = handler
    }

    deinit { stop() }

    /// Binds and serves; the port that was taken, or nil where it is not free or the server already runs.
    func start(port: UInt16) -> UInt16? {
        daemon.withLock { daemon in
            guard daemon == 0 else { return nil }
            waiting.open()
            // Unretained: `deinit` stops the daemon, so no callback outlives this object.
            let context = Unmanaged.passUnretained(self).toOpaque()
            guard let started = microhttpd_start_on_loopback(port, Self.access, Self.completed, context) else {
                return nil
            }
            daemon = UInt(bitPattern: started)
            return microhttpd_port(started)
        }
    }

    /// Closes every connection, also those that are being kept waiting; returns when the last callback has ended.
    func stop() {
        let running = daemon.withLock { daemon in
            defer { daemon = 0 }
            return daemon
        }
        guard let pointer = OpaquePointer(bitPattern: running) else { return }
        waiting.close()
        MHD_stop_daemon(pointer)
    }

    // MARK: Callbacks of libmicrohttpd

    private static let access: MHD_AccessHandlerCallback = {
        context,
        connection,
        url,
        method,
        _,
        upload,
        uploadSize,
        slot in
        guard let context, let connection, let url, let method, let uploadSize, let slot else { return .NO }
        let server = Unmanaged<LoopbackServer>.fromOpaque(context).takeUnretainedValue()
        guard let known = slot.pointee else {
            slot.pointee = Unmanaged.passRetained(Incoming()).toOpaque()
            return .YES
        }
        let incoming = Unmanaged<Incoming>.fromOpaque(known).takeUnretainedValue()
        if uploadSize.pointee > 0 {
            incoming.take(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
            uploadSize.pointee = 0
            return .YES
        }
        let releases = server.waiting.releases
        let answer = incoming.answer ?? server.handler(incoming.request(connection, url: url, method: method))
        return server.send(answer, for: incoming, over: connection, since: releases)
    }

    private static let completed: MHD_RequestCompletedCallback = { _, _, slot, _ in
        guard let known = slot?.pointee else { return }
        Unmanaged<Incoming>.fromOpaque(known).release()
        slot?.pointee = nil
    }

    /// Queues an answer, or keeps the connection waiting first. libmicrohttpd calls again when a wait has ended.
    private func send(
        _ answer: ServedAnswer,
        for incoming: Incoming,
        over connection: OpaquePointer,
        since releases: UInt64
    ) -> MHD_Result {
        if incoming.answer == nil {
            incoming.answer = answer
            switch answer.delivery {
            case .never: return waiting.hold(connection, for: nil, since: releases) ? .YES : .NO
            default:
                if answer.delay > .zero, waiting.hold(connection, for: answer.delay, since: releases) { return .YES }
            }
        } else if case .never = answer.delivery {
            return .NO  // released because the server stops or the fault is over: the connection is closed
        }
        guard let response = makeResponse(answer, connection) else { return .NO }
        defer { MHD_destroy_response(response) }
        for header in answer.headers { MHD_add_response_header(response, header.name, header.value) }
        return MHD_queue_response(connection, UInt32(answer.status), response)
    }

    private func makeResponse(_ answer: ServedAnswer, _ connection: OpaquePointer) -> OpaquePointer? {
        if case .whole = answer.delivery {
            var body = answer.body
            return body.withUnsafeMutableBytes {
                MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
            }
        }
        let source = BodySource(answer, connection, waiting)
        let isOpen = if case .open = answer.delivery { true } else { false }
        // An unknown size is UInt64.max (MHD_SIZE_UNKNOWN, a macro that Swift does not import).
        return MHD_create_response_from_callback(
            isOpen ? UInt64.max : UInt64(answer.body.count),
            BodySource.pieceSize,
            BodySource.read,
            Unmanaged.passRetained(source).toOpaque(),
            BodySource.free
        )
    }
}

/// What is known of a request while it comes in. Only libmicrohttpd's thread touches it.
private final class Incoming {
    private var body: [UInt8] = []
    private var isTooLong = false
    var answer: ServedAnswer?

    func take(_ bytes: UnsafeRawBufferPointer) {
        let room = ServedRequest.longestBody - body.count
        isTooLong = isTooLong || bytes.count > room
        body += bytes.prefix(room)
    }

    func request(_ connection: OpaquePointer, url: UnsafePointer<CChar>, method: UnsafePointer<CChar>) -> ServedRequest
    {
        ServedRequest(
            method: String(cString: method),
            path: String(cString: url),
            query: Self.pairs(of: connection, .GET_ARGUMENT_KIND),
            headers: Self.pairs(of: connection, .HEADER_KIND).map { ($0.name.lowercased(), $0.value) },
            body: body,
            isBodyTooLong: isTooLong
        )
    }

    private static func pairs(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &pairs) { list in
            _ = MHD_get_connection_values(
                connection,
                kind,
                { context, _, name, value in
                    guard let name, let list = context?.assumingMemoryBound(to: [(name: String, value: String)].self)
                    else {
                        return .YES
                    }
                    list.pointee.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
                    return .YES
                },
                list
            )
        }
        return pairs
    }
}

/// A body that is handed out piece by piece. Only libmicrohttpd's thread touches it.
private final class BodySource {
    static let pieceSize = 1024

    private let answer: ServedAnswer
    private let connection: OpaquePointer
    private let waiting: WaitingConnections
    private var hasPaused = false

    init(_ answer: ServedAnswer, _ connection: OpaquePointer, _ waiting: WaitingConnections) {
        self.answer = answer
        self.connection = connection
        self.waiting = waiting
    }

    // What a reader returns for "no more" and for "close the connection" (macros that Swift does not import).
    private static let end = -1
    private static let failure = -2

    static let read: MHD_ContentReaderCallback = { context, position, buffer, size in
        guard let context, let buffer else { return failure }
        return Unmanaged<BodySource>.fromOpaque(context).takeUnretainedValue()
            .read(at: Int(position), into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
    }

    static let free: MHD_ContentReaderFreeCallback = { context in
        if let context { Unmanaged<BodySource>.fromOpaque(context).release() }
    }

    private func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var last = answer.body.count
        switch answer.delivery {
        case .cut(let count): last = min(last, count)
        case .slow(let pause):
            if !hasPaused {
                hasPaused = true
                return waiting.hold(connection, for: pause, since: waiting.releases) ? 0 : Self.failure
            }
            hasPaused = false
        case .open where position >= last:
            return waiting.hold(connection, for: nil, since: waiting.releases) ? 0 : Self.end
        default: break
        }
        guard position < last else { return position < answer.body.count ? Self.failure : Self.end }
        let piece = answer.body[position..<min(last, position + min(buffer.count, Self.pieceSize))]
        buffer.copyBytes(from: piece)
        return piece.count
    }
}
