import Dispatch
import Glibc
import Values

/// The smallest HTTP client that these tests need: one request a connection, on 127.0.0.1.
struct LoopbackClient: Sendable {
    let port: UInt16

    struct Answer: Sendable {
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
        var text: String { String(decoding: body, as: UTF8.self) }
        var json: Value? { try? Value(json: body) }
        /// Fewer bytes came than were announced.
        var isCutShort: Bool { header("Content-Length").flatMap { Int($0) }.map { $0 > body.count } ?? false }
    }

    enum Failure: Error {
        case noConnection
        /// The connection was closed before a status line came.
        case noAnswer
    }

    /// - Parameter url: `http://127.0.0.1:PORT`.
    init(url: String) { port = url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

    func get(_ path: String, _ headers: [(String, String)] = []) throws -> Answer {
        try send("GET", path, headers, [])
    }

    func post(_ path: String, _ headers: [(String, String)] = [], _ body: String) throws -> Answer {
        try send("POST", path, headers, Array(body.utf8))
    }

    /// Asks on a thread of its own, for answers that may not come: tests share few threads.
    func getElsewhere(_ path: String) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try get(path) }) }
        }
    }

    /// - Parameter isEnough: when to stop reading an answer that does not end.
    func send(
        _ method: String,
        _ path: String,
        _ headers: [(String, String)],
        _ body: [UInt8],
        until isEnough: ((String) -> Bool)? = nil
    ) throws -> Answer {
        let connection = try connected()
        defer { close(connection) }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || method == "POST" { head += "Content-Length: \(body.count)\r\n" }
        let request = Array((head + "\r\n").utf8) + body
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { break }
            received += buffer[..<count]
            if let isEnough, isEnough(String(decoding: received, as: UTF8.self)) { break }
        }
        return try Self.parsed(received)
    }

    private func connected() throws -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(connection)
            throw Failure.noConnection
        }
        return connection
    }

    private static func parsed(_ bytes: [UInt8]) throws -> Answer {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) }) else {
            throw Failure.noAnswer
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        var answer = Answer()
        answer.status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        answer.headers = lines.dropFirst().map { line in
            let halves = line.split(separator: ":", maxSplits: 1)
            return (String(halves[0]), halves.count > 1 ? String(halves[1].drop { $0 == " " }) : "")
        }
        answer.body = Array(bytes[(end + separator.count)...])
        return answer
    }
}
