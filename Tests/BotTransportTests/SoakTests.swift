import BotCore
import BotTransport
import Foundation
import Glibc
import Testing
import Values

/// Days of polling, of which half fails, in a process of its own: descriptors and memory stay where they were.
@Suite struct SoakTests {
    /// Other work on the machine moves the figures, so it is run by hand: `SOAK=1 swift test --filter SoakTests`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SOAK"] != nil, "needs SOAK, and a machine that is quiet"))
    func `PERF-04 five thousand requests, half of which fail, leave no descriptor and no memory behind`() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer { connection, index in
                while let request = connection.request() {
                    switch request.line.split(separator: " ").dropFirst().first {
                    case "/reset": return connection.reset()
                    case "/close": return
                    case "/silence": return connection.waitForEnd()
                    default: connection.answer("200 OK", [UInt8](repeating: 0x78, count: 2000))
                    }
                }
            }
            let client = try CurlHTTPClient(HTTPSettings(hosts: HostPolicies(usual: .unlimited)))
            let targets = [
                "\(server.url)/good", "\(server.url)/reset", "\(server.url)/good", "\(server.url)/close",
                "\(server.url)/good", "\(server.url)/silence", "\(server.url)/good", "http://127.0.0.1:1/refused",
                "\(server.url)/good", "https://127.0.0.1:\(server.port)/no-tls",
            ]
            func poll(_ count: Int) async {
                for start in stride(from: 0, to: count, by: targets.count) {
                    _ = start
                    await withTaskGroup(of: Void.self) { group in
                        for target in targets {
                            // A server without TLS waits for the end of a line that never comes.
                            let waits = target.hasSuffix("silence") || target.hasSuffix("no-tls")
                            let request = HTTPRequest(
                                "GET",
                                target,
                                timeout: waits ? .milliseconds(20) : .seconds(5)
                            )
                            group.addTask { _ = try? await client.send(request) }
                        }
                    }
                }
            }
            await poll(1000)
            let before = (descriptors: Usage.descriptors, pages: Usage.residentPages)
            await poll(4000)
            // The server's ends close later than the client's, on a busy machine by seconds.
            for _ in 0..<1_000 where Usage.descriptors > before.descriptors + 5 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(Usage.descriptors <= before.descriptors + 5)
            #expect(Double(Usage.residentPages) <= Double(before.pages) * 1.05 + 512)
            await client.close()
            server.stop()
        }
    }
}

/// What this process holds of the machine.
enum Usage {
    static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? .max
    }

    /// The second number of `/proc/self/statm` (proc(5)).
    static var residentPages: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? .max
    }
}
