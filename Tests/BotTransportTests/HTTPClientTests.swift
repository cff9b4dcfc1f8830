import BotCore
import BotTransport
import Testing
import Values

/// A client without politeness, for one test; closed at its end.
func withClient<Result>(
    _ settings: HTTPSettings = HTTPSettings(hosts: HostPolicies(usual: .unlimited)),
    _ body: (CurlHTTPClient) async throws -> Result
) async throws -> Result {
    let client = try CurlHTTPClient(settings)
    do {
        let result = try await body(client)
        await client.close()
        return result
    } catch {
        await client.close()
        throw error
    }
}

/// A server for one test; stopped at its end.
func withServer<Result>(
    _ script: @escaping @Sendable (ScriptedConnection, Int) -> Void,
    _ body: (ScriptedServer) async throws -> Result
) async throws -> Result {
    let server = try ScriptedServer(script)
    defer { server.stop() }
    return try await body(server)
}

/// What a request ends with, if it does not end with an answer.
func failure(of client: CurlHTTPClient, _ request: HTTPRequest) async -> PluginError? {
    do throws(PluginError) {
        _ = try await client.send(request)
        return nil
    } catch {
        return error
    }
}

@Suite struct HTTPClientTests {
    @Test(arguments: ["müller anna", "pä ss@#1 ", "Şeyma 李 🦊", String(repeating: "ü", count: 40_000)])
    func `PROV-19 a body is sent whole, and its length is that of its bytes`(text: String) async throws {
        let seen = Recorder<ScriptedRequest>()
        try await withServer({ connection, _ in
            guard let request = connection.request() else { return }
            seen.record(request)
            connection.answer()
        }) { server in
            let body = Array(text.utf8)
            try await withClient { client in
                _ = try await client.send(HTTPRequest("POST", server.url, body: body))
            }
            let request = try #require(seen.all.first)
            #expect(request.body == body && body.count > text.count)
            #expect(request.header("content-length") == String(body.count))
            #expect(request.header("transfer-encoding") == nil && request.header("expect") == nil)
        }
    }

    @Test func `a request arrives as written and its answer comes back whole`() async throws {
        let seen = Recorder<ScriptedRequest>()
        try await withServer({ connection, _ in
            guard let request = connection.request() else { return }
            seen.record(request)
            connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            connection.answer(
                "201 Created",
                headers: ["X-Name:  Grüße ", "Set-Cookie: a=1", "set-cookie: b=2"],
                [0, 255, 10]
            )
        }) { server in
            let request = HTTPRequest(
                "PUT",
                server.url + "/a/b?c=d",
                headers: [("X-Empty", ""), ("X-One", "eins"), ("Content-Type", "application/json")],
                body: Array("{}".utf8)
            )
            let answer = try await withClient { try await $0.send(request) }
            #expect(answer.status == 201)
            #expect(answer.body == [0, 255, 10])
            #expect(answer.header("x-name") == "Grüße")
            #expect(answer.header("link") == nil)
            #expect(answer.headers(named: "Set-Cookie") == ["a=1", "b=2"])
        }
        let request = try #require(seen.all.first)
        #expect(request.line == "PUT /a/b?c=d HTTP/1.1")
        #expect(request.body == Array("{}".utf8))
        #expect(request.header("x-empty") == "")
        #expect(request.header("x-one") == "eins")
        #expect(request.header("content-type") == "application/json")
        #expect(request.header("user-agent") == "pokyh-bot")
        #expect(request.header("expect") == nil)
    }

    @Test(arguments: [
        ("GET", nil, nil), ("HEAD", nil, nil), ("DELETE", nil, nil), ("POST", nil, "0"), ("POST", "", "0"),
        ("POST", "x", "1"), ("PATCH", "xy", "2"), ("OPTIONS", nil, nil),
    ])
    func `every method is sent with its body and nothing invented`(method: String, body: String?, length: String?)
        async throws
    {
        let seen = Recorder<ScriptedRequest>()
        try await withServer({ connection, _ in
            guard let request = connection.request() else { return }
            seen.record(request)
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }) { server in
            let request = HTTPRequest(method, server.url, body: body.map { Array($0.utf8) })
            let answer = try await withClient { try await $0.send(request) }
            #expect(answer.status == 204)
        }
        let request = try #require(seen.all.first)
        #expect(request.line == "\(method) / HTTP/1.1")
        #expect(request.header("content-length") == length)
        #expect(request.header("content-type") == nil)
        #expect(request.body == Array((body ?? "").utf8))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `SINK-26 a redirect is an answer and takes no key elsewhere`(status: Int) async throws {
        let elsewhere = try ScriptedServer { connection, _ in connection.answer() }
        defer { elsewhere.stop() }
        let location = elsewhere.url
        try await withServer({ connection, _ in
            _ = connection.request()
            connection.answer("\(status) Moved", headers: ["Location: \(location)/"])
        }) { server in
            let request = HTTPRequest("GET", server.url, headers: [("Authorization", "Bearer geheim")])
            let answer = try await withClient { try await $0.send(request) }
            #expect(answer.status == status)
            #expect(answer.header("location") == location + "/")
        }
        #expect(elsewhere.connectionCount == 0)
    }

    @Test(arguments: [200, 400, 401, 404, 429, 500, 503])
    func `an answer of any status is an answer`(status: Int) async throws {
        try await withServer({ connection, _ in
            _ = connection.request()
            connection.answer("\(status) Whatever", Array("why".utf8))
        }) { server in
            let answer = try await withClient { try await $0.send(HTTPRequest("GET", server.url)) }
            #expect(answer.status == status)
            #expect(answer.body == Array("why".utf8))
        }
    }

    @Test func `one connection serves many requests`() async throws {
        try await withServer({ connection, _ in
            while connection.request() != nil { connection.answer() }
        }) { server in
            try await withClient { client in
                for _ in 0..<20 { _ = try await client.send(HTTPRequest("GET", server.url)) }
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `a hundred requests at once all get their own answer`() async throws {
        try await withServer({ connection, _ in
            while let request = connection.request() { connection.answer("200 OK", Array(request.line.utf8)) }
        }) { server in
            try await withClient { client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<100 {
                        group.addTask {
                            let answer = try await client.send(HTTPRequest("GET", "\(server.url)/\(index)"))
                            #expect(String(decoding: answer.body, as: UTF8.self) == "GET /\(index) HTTP/1.1")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func `gzip is undone`() async throws {
        let text = Array("Stundenplan".utf8)
        let seen = Recorder<ScriptedRequest>()
        try await withServer({ connection, _ in
            if let request = connection.request() { seen.record(request) }
            connection.answer(headers: ["Content-Encoding: gzip"], Gzip.stored(text))
        }) { server in
            let answer = try await withClient { try await $0.send(HTTPRequest("GET", server.url)) }
            #expect(answer.body == text)
        }
        #expect(seen.all.first?.header("accept-encoding") == "gzip, deflate")
    }

    @Test func `headers cannot be smuggled, and their values are never told`() async throws {
        let bad: [(name: String, value: String)] = [
            ("X-Key", "geheim\r\nX-Evil: 1"), ("X-Key", "geheim\0"), ("X Key", "geheim"), ("", "geheim"),
            ("Content-Length", "5"), ("Transfer-Encoding", "chunked"), ("Host", "geheim"),
        ]
        try await withServer({ connection, _ in connection.answer() }) { server in
            try await withClient { client in
                for header in bad {
                    let error = await failure(of: client, HTTPRequest("GET", server.url, headers: [header]))
                    #expect(error?.disposition == .permanent)
                    #expect(error?.message.contains("geheim") == false)
                }
                let error = await failure(of: client, HTTPRequest("GET /\r\nX: y", server.url))
                #expect(error?.disposition == .permanent)
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test func `errors name scheme and host, never path, query or a registered secret`() async throws {
        let client = try CurlHTTPClient(redactor: Redactor([Secret("s3cret")]))
        let error = await failure(of: client, HTTPRequest("GET", "http://127.0.0.1:1/botTOKEN/send?key=s3cret"))
        #expect(error?.disposition == .transient(retryAfter: nil))
        #expect(error?.message.contains("http://127.0.0.1:1 ") == true)
        #expect(error?.message.contains("TOKEN") == false)
        let named = await failure(of: client, HTTPRequest("GET", "http://s3cret.example/"))
        #expect(named?.message.contains("•••.example") == true)
        await client.close()
    }
}
