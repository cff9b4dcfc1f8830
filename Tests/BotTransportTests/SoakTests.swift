import BotCore
import BotTransport
import Foundation
import Glibc
import Testing
import Values

/// Days of polling, of which half fails, in a process that does nothing else: descriptors and memory stay where they were.
@Suite struct SoakTests {
    /// How often each of the targets is asked at the same time.
    private static let width = 5
    private static let windows = 5
    private static let requestsInWindow = 1_000

    /// What leaks leaks in every stretch of requests; what other work on the machine brings about (another thread, a later answer) comes
    /// now and then. So the stretch that grew least is judged. Memory is what is allocated and not freed, not what the system lends.
    /// Descriptors are counted when all connections are closed: how many are kept open meanwhile depends on the moment.
    @Test func `PERF-04 six thousand requests, half of which fail, leave no descriptor and no memory behind`()
        async throws
    {
        // The far end lives in this process: its threads and descriptors are not what is measured.
        let server = try ScriptedServer { connection, _ in
            while let request = connection.request() {
                switch request.line.split(separator: " ").dropFirst().first {
                case "/reset": return connection.reset()
                case "/close": return
                case "/silence": return connection.waitForEnd()
                default: connection.answer("200 OK", [UInt8](repeating: 0x78, count: 2000))
                }
            }
        }
        defer { server.stop() }
        await #expect(processExitsWith: .success) { [port = server.port as Int] in
            let settings = HTTPSettings(hosts: HostPolicies(usual: .unlimited))
            // What libraries open once for the whole process is no leak.
            let first = try CurlHTTPClient(settings)
            try await Self.poll(first, port, requests: Self.requestsInWindow)
            await first.close()
            let before = Usage.descriptors
            let client = try CurlHTTPClient(settings)
            try await Self.poll(client, port, requests: Self.requestsInWindow)
            var growth: [Int] = []
            var last = try Usage.allocatedBytes()
            for _ in 1..<Self.windows {
                try await Self.poll(client, port, requests: Self.requestsInWindow)
                let now = try Usage.allocatedBytes()
                growth.append(now - last)
                last = now
            }
            // A request and its answer hold some kilobytes: a fiftieth of them kept would be seen.
            #expect((growth.min() ?? 0) < 64 * Self.requestsInWindow, "\(growth)")
            await client.close()
            #expect(Usage.descriptors <= before, "\(Usage.descriptors) instead of \(before)")
        }
    }

    /// Asks, and checks that every second request is answered.
    private static func poll(_ client: CurlHTTPClient, _ port: Int, requests: Int) async throws {
        let url = "http://127.0.0.1:\(port)"
        let targets = [
            "\(url)/good", "\(url)/reset", "\(url)/good", "\(url)/close", "\(url)/good", "\(url)/silence",
            "\(url)/good",
            "http://127.0.0.1:1/refused", "\(url)/good", "https://127.0.0.1:\(port)/no-tls",
        ]
        let round = Array(repeating: targets, count: width).flatMap(\.self)
        var answered = 0
        for _ in 0..<requests / round.count {
            answered += await withTaskGroup(of: Bool.self, returning: Int.self) { group in
                for target in round {
                    // A server without TLS waits for the end of a line that never comes.
                    let waits = target.hasSuffix("silence") || target.hasSuffix("no-tls")
                    let request = HTTPRequest("GET", target, timeout: waits ? .milliseconds(20) : .minutes(5))
                    group.addTask { (try? await client.send(request)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        try #require(answered == requests / 2)
    }
}

/// What this process holds of the machine.
enum Usage {
    static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? .max
    }

    private struct NoFigures: Error {}

    /// What is allocated and not freed, over all arenas: what malloc has of the system, less what lies free in it (malloc_info(3), whose
    /// last totals are those of the process). Chunks that a thread keeps at hand for itself count as allocated: some kilobytes.
    static func allocatedBytes() throws -> Int {
        var text: UnsafeMutablePointer<CChar>?
        var length = 0
        // Swift's module of glibc leaves <malloc.h> out.
        typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &length) else {
            throw NoFigures()
        }
        let outcome = unsafeBitCast(symbol, to: MallocInfo.self)(0, stream)
        fclose(stream)
        defer { free(text) }
        guard outcome == 0, let text else { throw NoFigures() }
        let totals = String(cString: text).components(separatedBy: "</heap>").last ?? ""
        func size(_ element: String) throws -> Int {
            guard let start = totals.range(of: "<\(element) "),
                let size = totals[start.upperBound...].firstMatch(of: /size="(\d+)"/), let number = Int(size.1)
            else { throw NoFigures() }
            return number
        }
        let lent = try size("system type=\"current\"") + size("total type=\"mmap\"")
        return try lent - size("total type=\"fast\"") - size("total type=\"rest\"")
    }
}
