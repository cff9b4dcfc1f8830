import Foundation
import Glibc

/// A server on loopback that reads a request's head and then writes what it likes, also what no library would.
final class RawServer: Sendable {
    private let listener: Int32
    let port: UInt16
    var url: String { "http://127.0.0.1:\(port)" }

    struct NoPort: Error {}

    /// - Parameter answer: called for each connection, with a function that writes bytes and is false when the other side has gone.
    init(_ answer: @escaping @Sendable (([UInt8]) -> Bool) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw NoPort() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { Self.serve(listener, answer) }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ listener: Int32, _ answer: @escaping @Sendable (([UInt8]) -> Bool) -> Void) {
        while true {
            let connection = accept(listener, nil, nil)
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            guard connection >= 0 else { break }
            Thread.detachNewThread {
                readHead(connection)
                answer { bytes in send(connection, bytes) }
                Glibc.close(connection)
            }
        }
        Glibc.close(listener)
    }

    private static func readHead(_ connection: Int32) {
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            head += buffer[..<count]
        }
    }

    private static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
