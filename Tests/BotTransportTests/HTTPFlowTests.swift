import BotCore
import BotTransport
import Synchronization
import Testing
import Values

@Suite struct HTTPFlowTests {
    private static let oneAtATime = HTTPSettings(
        hosts: HostPolicies(usual: HostPolicy(connections: 1, gap: .zero))
    )

    @Test func `no more requests are under way at a host than its policy says`() async throws {
        let settings = HTTPSettings(hosts: HostPolicies(usual: HostPolicy(connections: 2, gap: .zero)))
        let underWay = Mutex((now: 0, most: 0))
        try await withServer({ connection, _ in
            while connection.request() != nil {
                underWay.withLock { counts in
                    counts.now += 1
                    counts.most = max(counts.most, counts.now)
                }
                underWay.withLock { $0.now -= 1 }
                connection.answer()
            }
        }) { server in
            try await withClient(settings) { client in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<100 { group.addTask { try await client.send(HTTPRequest("GET", server.url)).status } }
                    for try await status in group { #expect(status == 200) }
                }
            }
        }
        #expect(underWay.withLock { $0.most } <= 2)
    }

    @Test func `a host that hangs delays no other`() async throws {
        let reached = Recorder<Int>()
        try await withServer({ connection, index in
            _ = connection.request()
            reached.record(index)
            if index == 0 { connection.waitForEnd() } else { connection.answer() }
        }) { server in
            try await withClient(Self.oneAtATime) { client in
                let hanging = Task { await failure(of: client, HTTPRequest("GET", server.url, timeout: .seconds(600))) }
                await reached.wait(for: 1)
                let other = "http://localhost:\(server.port)"
                let answer = try await client.send(HTTPRequest("GET", other))
                #expect(answer.status == 200)
                hanging.cancel()
                #expect(await hanging.value?.disposition == .uncertain)
            }
        }
    }

    @Test func `waiting for one's turn does not count as time of the request`() async throws {
        let reached = Recorder<Int>()
        try await withServer({ connection, index in
            _ = connection.request()
            reached.record(index)
            if index == 0 { connection.waitForEnd() } else { connection.answer() }
        }) { server in
            try await withClient(Self.oneAtATime) { client in
                let first = Task {
                    await failure(of: client, HTTPRequest("GET", server.url, timeout: .milliseconds(2500)))
                }
                await reached.wait(for: 1)
                // It waits about 2.5 s for the first to time out, longer than it may take itself.
                let second = try await client.send(HTTPRequest("GET", server.url, timeout: .seconds(2)))
                #expect(second.status == 200)
                #expect(await first.value?.disposition == .uncertain)
            }
        }
    }

    @Test func `a request that is cancelled ends, on its way, in the line and before it began`() async throws {
        let reached = Recorder<Int>()
        try await withServer({ connection, index in
            _ = connection.request()
            reached.record(index)
            connection.waitForEnd()
        }) { server in
            try await withClient(Self.oneAtATime) { client in
                let running = Task { await failure(of: client, HTTPRequest("POST", server.url, body: [1])) }
                await reached.wait(for: 1)
                let waiting = Task { await failure(of: client, HTTPRequest("POST", server.url, body: [2])) }
                waiting.cancel()
                #expect(await waiting.value?.disposition == .transient(retryAfter: nil))
                running.cancel()
                #expect(await running.value?.disposition == .uncertain)
                let late = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await failure(of: client, HTTPRequest("POST", server.url, body: [3]))
                }
                #expect(await late.value != nil)
            }
        }
    }

    @Test func `a storm of cancellations leaves nothing behind`() async throws {
        try await withServer({ connection, _ in connection.waitForEnd() }) { server in
            try await withClient { client in
                await withTaskGroup(of: PluginError?.self) { group in
                    for _ in 0..<200 {
                        group.addTask {
                            await failure(of: client, HTTPRequest("GET", server.url, timeout: .seconds(600)))
                        }
                    }
                    group.cancelAll()
                    for await error in group { #expect(error != nil) }
                }
            }
        }
    }

    @Test func `closing ends what is under way and in the line, and refuses what comes later`() async throws {
        let reached = Recorder<Int>()
        try await withServer({ connection, index in
            _ = connection.request()
            reached.record(index)
            connection.waitForEnd()
            reached.record(index)
        }) { server in
            let client = try CurlHTTPClient(Self.oneAtATime)
            let running = Task { await failure(of: client, HTTPRequest("POST", server.url, body: [1])) }
            await reached.wait(for: 1)
            let waiting = Task { await failure(of: client, HTTPRequest("POST", server.url, body: [2])) }
            await client.close()
            #expect(await running.value?.disposition == .uncertain)
            #expect(await waiting.value?.disposition == .transient(retryAfter: nil))
            let late = await failure(of: client, HTTPRequest("GET", server.url))
            #expect(late?.disposition == .transient(retryAfter: nil))
            await client.close()
            // The server saw the connection end.
            await reached.wait(for: 2)
        }
    }

    @Test func `a client that is let go ends its thread and connections`() async throws {
        let ended = Recorder<Int>()
        try await withServer({ connection, index in
            while connection.request() != nil { connection.answer() }
            ended.record(index)
        }) { server in
            do {
                let client = try CurlHTTPClient()
                _ = try await client.send(HTTPRequest("GET", server.url))
            }
            await ended.wait(for: 1)
        }
    }
}
