@testable import BotTransport
import Glibc
import Synchronization

/// A server on loopback that answers each connection by a script: raw bytes, at exactly the moments a test wants.
final class ScriptedServer: Sendable {
    let port: Int
    /// Filled when the port is free again after `stop`.
    let stopped = Recorder<Void>()
    private let listener: Int32
    private let connections = Mutex(0)

    /// - Parameter script: runs on a thread of its own for each connection, in the order accepted (`index` from 0); the connection is
    ///   closed when it returns.
    init(_ script: @escaping @Sendable (ScriptedConnection, _ index: Int) -> Void) throws {
        signal(SIGPIPE, SIG_IGN)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 256) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw ServerError.noPort }
        port = Int(UInt16(bigEndian: address.sin_port))
        try startThread { [self] in accept(script) }
    }

    enum ServerError: Error { case noPort }

    var url: String { "http://127.0.0.1:\(port)" }
    /// How many connections were made so far.
    var connectionCount: Int { connections.withLock { $0 } }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func accept(_ script: @escaping @Sendable (ScriptedConnection, Int) -> Void) {
        while true {
            // A child of another test that inherits it would keep the connection open.
            let socket = Glibc.accept(listener, nil, nil)
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            guard socket >= 0 else { break }
            let index = connections.withLock { count in
                defer { count += 1 }
                return count
            }
            let connection = ScriptedConnection(socket)
            try? startThread {
                script(connection, index)
                connection.close()
            }
        }
        Glibc.close(listener)
        stopped.record(())
    }
}

/// One accepted connection; blocking.
final class ScriptedConnection: Sendable {
    private let socket: Int32
    private let state = Mutex((received: [UInt8](), isClosed: false))

    init(_ socket: Int32) { self.socket = socket }

    /// Reads once; false at the end of the stream.
    @discardableResult func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        state.withLock { $0.received += buffer[..<count] }
        return true
    }

    /// Waits until the other side hangs up.
    func waitForEnd() { while receive() {} }

    /// The next line without its end; nil at the end of the stream.
    func line() -> String? {
        while true {
            let line = state.withLock { state -> [UInt8]? in
                guard let end = state.received.firstIndex(of: 10) else { return nil }
                defer { state.received.removeSubrange(...end) }
                return Array(state.received[..<end])
            }
            if let line { return String(decoding: line.last == 13 ? line.dropLast() : line[...], as: UTF8.self) }
            guard receive() else { return nil }
        }
    }

    func bytes(_ count: Int) -> [UInt8]? {
        while state.withLock({ $0.received.count }) < count {
            guard receive() else { return nil }
        }
        return state.withLock { state in
            defer { state.received.removeFirst(count) }
            return Array(state.received[..<count])
        }
    }

    /// The next HTTP request; nil at the end of the stream.
    func request() -> ScriptedRequest? {
        guard let first = line() else { return nil }
        var request = ScriptedRequest(line: first)
        while let line = line(), !line.isEmpty { request.headers.append(line) }
        if let length = request.header("content-length").flatMap({ Int($0) }) {
            guard let body = bytes(length) else { return nil }
            request.body = body
        }
        return request
    }

    /// Writes all; false if the other side has hung up.
    @discardableResult func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// A whole answer.
    func answer(_ status: String = "200 OK", headers: [String] = [], _ body: [UInt8] = []) {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
        send(Array(lines.map { $0 + "\r\n" }.joined().utf8) + [13, 10] + body)
    }

    /// Ends the connection as a killed server does: by a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if wasOpen { Glibc.close(socket) }
    }
}

struct ScriptedRequest: Sendable {
    var line: String
    var headers: [String] = []
    var body: [UInt8] = []

    func header(_ name: String) -> String? {
        headers.first { $0.lowercased().hasPrefix(name + ":") }.map { field in
            String(field.dropFirst(name.count + 1).drop { $0 == " " })
        }
    }
}

/// Things that happened on a server's threads, for a test to look at or to wait for.
final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func record(_ element: Element) {
        elements.withLock { $0.append(element) }
        continuation.yield(element)
    }

    var all: [Element] { elements.withLock { $0 } }

    /// Waits for the first `count` things.
    func wait(for count: Int) async {
        guard all.count < count else { return }
        for await _ in stream where all.count >= count { return }
    }
}
