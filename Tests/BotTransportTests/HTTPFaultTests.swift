import BotCore
import BotTransport
import Testing
import Values

/// What a server does wrong, and what that means for a request with and without a body.
enum HTTPFault: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case closesAtOnce, resetsAfterRequest, closesAfterRequest, cutsHeaders, cutsBody, cutsChunks, saysNothing,
        fallsSilent
    case answersGarbage, hugeBody, endlessBody, gzipBomb, damagedGzip, hugeHeader, endlessHeaders, foreignEncoding
    case resetsWithinHeaders

    var testDescription: String { rawValue }

    func play(_ connection: ScriptedConnection) {
        if self == .closesAtOnce { return }
        _ = connection.request()
        switch self {
        case .closesAtOnce, .closesAfterRequest: break
        case .resetsAfterRequest: connection.reset()
        case .cutsHeaders: connection.send("HTTP/1.1 200 OK\r\nContent-Le")
        case .resetsWithinHeaders:
            connection.send("HTTP/1.1 200 OK\r\nContent-Le")
            connection.reset()
        case .cutsBody: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":")
        case .cutsChunks: connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        case .saysNothing: connection.waitForEnd()
        case .fallsSilent:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
            connection.waitForEnd()
        case .answersGarbage: connection.send("SSH-2.0-OpenSSH_9.2\r\n")
        case .hugeBody:
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\n")
            connection.waitForEnd()
        case .endlessBody:
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("1000\r\n".utf8) + [UInt8](repeating: 0x78, count: 4096) + [13, 10]
            while connection.send(chunk) {}
        case .gzipBomb:
            connection.answer(headers: ["Content-Encoding: gzip"], Gzip.bomb(repeats: 100_000))
        case .damagedGzip:
            connection.answer(headers: ["Content-Encoding: gzip"], Array("<html>no gzip at all</html>".utf8))
        case .hugeHeader:
            connection.send("HTTP/1.1 200 OK\r\nX: ")
            while connection.send([UInt8](repeating: 0x78, count: 4096)) {}
        case .endlessHeaders:
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-Header: value\r\n") {}
        case .foreignEncoding: connection.answer(headers: ["Content-Encoding: zstd"], [1, 2, 3])
        }
    }

    var expected: PluginError.Disposition {
        switch self {
        case .closesAtOnce, .closesAfterRequest, .resetsAfterRequest, .cutsHeaders, .resetsWithinHeaders, .cutsBody,
            .cutsChunks, .saysNothing, .fallsSilent:
            .uncertain
        default: .permanent
        }
    }
}

@Suite struct HTTPFaultTests {
    @Test(arguments: HTTPFault.allCases)
    func `PERF-01 PERF-03 SINK-02 a broken answer is an error that says whether the request was taken`(fault: HTTPFault)
        async throws
    {
        let settings = HTTPSettings(hosts: HostPolicies(usual: .unlimited), stallTimeout: .seconds(1))
        try await withServer({ connection, _ in fault.play(connection) }) { server in
            let timeout = fault == .saysNothing ? TimeSpan.milliseconds(300) : .seconds(60)
            let request = HTTPRequest("POST", server.url, body: Array("{\"a\":1}".utf8), timeout: timeout)
            let error = try await withClient(settings) { await failure(of: $0, request) }
            #expect(error?.disposition == fault.expected, "\(String(describing: error))")
            #expect(error?.message.contains("127.0.0.1") == true)
        }
    }

    @Test func `SINK-02 what nobody listens for was surely not taken`() async throws {
        let error = try await withClient {
            await failure(of: $0, HTTPRequest("POST", "http://127.0.0.1:1/", body: [1]))
        }
        #expect(error?.disposition == .transient(retryAfter: nil))
    }

    @Test func `a body that did not go out whole was surely not taken`() async throws {
        try await withServer({ connection, _ in
            connection.receive()
            connection.reset()
        }) { server in
            let body = [UInt8](repeating: 0x78, count: 64 << 20)
            let error = try await withClient { await failure(of: $0, HTTPRequest("POST", server.url, body: body)) }
            #expect(error?.disposition == .transient(retryAfter: nil))
        }
    }

    @Test func `a large body that went out whole may have been taken`() async throws {
        try await withServer({ connection, _ in _ = connection.request() }) { server in
            let body = [UInt8](repeating: 0x78, count: 8 << 20)
            let error = try await withClient { await failure(of: $0, HTTPRequest("POST", server.url, body: body)) }
            #expect(error?.disposition == .uncertain)
        }
    }

    /// A kept connection that ends without an answer: libcurl would send again, also what must not be done twice.
    @Test(arguments: [("POST", 1), ("GET", 2)])
    func `a post is never sent twice behind the caller's back`(method: String, times: Int) async throws {
        let seen = Recorder<String>()
        try await withServer({ connection, index in
            while let request = connection.request() {
                seen.record(request.line)
                if index == 0, request.line.contains("/again") { return }
                connection.answer()
            }
        }) { server in
            try await withClient { client in
                _ = try await client.send(HTTPRequest("GET", server.url))
                let error = await failure(of: client, HTTPRequest(method, server.url + "/again"))
                #expect(error?.disposition == (method == "POST" ? .uncertain : nil))
            }
        }
        #expect(seen.all.count { $0.contains("/again") } == times)
    }

    @Test func `the limit of the body is exact`() async throws {
        try await withServer({ connection, _ in
            while connection.request() != nil {
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
            }
        }) { server in
            try await withClient { client in
                let answer = try await client.send(HTTPRequest("GET", server.url, bodyLimit: 5))
                #expect(answer.body == Array("hello".utf8))
                let error = await failure(of: client, HTTPRequest("GET", server.url, bodyLimit: 4))
                #expect(error?.disposition == .permanent)
                #expect(error?.message.contains("4 bytes") == true)
            }
        }
    }

    @Test func `trailers after the body are not taken for headers`() async throws {
        try await withServer({ connection, _ in
            _ = connection.request()
            connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nSet-Cookie: a=evil\r\n\r\n"
            )
        }) { server in
            let answer = try await withClient { try await $0.send(HTTPRequest("GET", server.url)) }
            #expect(answer.body == [0x78])
            #expect(answer.header("set-cookie") == nil)
        }
    }

    @Test func `a name that does not exist is a passing fault that names the host`() async throws {
        let request = HTTPRequest("GET", "https://does-not-exist.invalid/secret")
        let error = try await withClient { await failure(of: $0, request) }
        #expect(error?.disposition == .transient(retryAfter: nil))
        #expect(error?.message.contains("does-not-exist.invalid") == true)
        #expect(error?.message.contains("secret") == false)
    }
}
