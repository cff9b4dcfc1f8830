import BotCore
import Testing
import Values

/// What becomes of what an address answers.
@Suite struct AnswerTests {
    private let good = HTTPResponse.json(["events": [["id": 1, "title": "Spiel"]]])

    @Test(
        arguments: [
            (.page(200, "<!DOCTYPE html><title>Wartung</title>"), .transient(retryAfter: nil)),
            (.page(200, " \n<html>", type: "application/json"), .transient(retryAfter: nil)),
            (.page(200, "{}"), .transient(retryAfter: nil)),
            (.page(200, "{\"events\":[{\"id\":1},", type: "application/json"), .transient(retryAfter: nil)),
            (.page(200, "", type: "application/json"), .transient(retryAfter: nil)),
            (.page(200, "[1,]", type: "text/plain"), .permanent),
            (.page(200, "{\"events\":[\"\u{FFFD}\"]} x", type: "application/json"), .permanent),
            (.json([]), .permanent),
            (.json(["events": ["id": 1]]), .permanent), (.json(["error": "x"]), .permanent),
            (.json(["events": [["name": "x"]]]), .permanent),
            (.page(204, ""), .permanent), (.page(206, "[]"), .permanent), (.page(301, ""), .permanent),
            (.page(304, ""), .permanent),
            (.page(400, ""), .permanent), (.page(401, ""), .unauthorized), (.page(403, ""), .permanent),
            (.page(404, ""), .permanent),
            (.page(407, ""), .unauthorized), (.page(408, ""), .transient(retryAfter: nil)),
            (.page(410, ""), .permanent),
            (.page(429, ""), .transient(retryAfter: nil)), (.page(500, "{}"), .transient(retryAfter: nil)),
            (.page(503, ""), .transient(retryAfter: nil)),
        ] as [(HTTPResponse, PluginError.Disposition)]
    )
    func `PROV-03 an answer that is no proven list changes nothing, and the next good one tells nothing`(
        answer: HTTPResponse,
        disposition: PluginError.Disposition
    ) async throws {
        let http = ScriptedAddress(good)
        var source = try Source(http)
        _ = try await source.poll()
        let (state, rows) = (source.state, source.rows)
        http.answer(answer)
        let error = try #require(await source.failure())
        #expect(error.disposition == disposition && error.message.hasPrefix("source 'club': "))
        #expect(!error.message.contains("SECRET") && !error.message.contains("Wartung"))
        #expect(source.state == state && source.rows == rows)
        http.answer(good)
        #expect(try await source.poll().isEmpty)
    }

    @Test func `a server's wish to wait is passed on`() async throws {
        var answer = HTTPResponse.page(429, "")
        answer.headers.append(("Retry-After", "90"))
        var source = try Source(ScriptedAddress(answer))
        #expect(await source.failure()?.disposition == .transient(retryAfter: .seconds(90)))
    }

    @Test func `an answer lost on the way is asked for again later`() async throws {
        let http = ScriptedAddress()
        http.fail(.uncertain("no answer came"))
        var source = try Source(http)
        #expect(await source.failure()?.disposition == .transient(retryAfter: nil))
        http.fail(.permanent("the answer is larger than 16 MB"))
        #expect(await source.failure()?.disposition == .permanent)
        #expect(http.requests.allSatisfy { $0.bodyLimit <= 16 << 20 })
    }

    @Test func `a first page that is as it was says nothing of a page that has come after it`() async throws {
        let marks = [(name: "ETag", value: "\"7\"")]
        let link = (name: "Link", value: "<https://club.example.org/events.json?page=2>; rel=\"next\"")
        let body: Value = ["events": [["id": 1]]]
        var unchanged = HTTPResponse.page(304, "")
        unchanged.headers.append(link)
        let http = ScriptedAddress(
            .json(body, headers: marks),
            unchanged,
            .json(body, headers: marks + [link]),
            .json(["events": [["id": 2]]])
        )
        var source = try Source(http)
        _ = try await source.poll()
        #expect(try await source.poll().map(\.kind) == ["item.added"])
        #expect(http.requests.count == 4 && http.requests[2].field("If-None-Match") == nil)
    }

    @Test func `an answer is asked for again only if it is another one`() async throws {
        let marks = [
            (name: "ETag", value: "W/\"7\""), (name: "Last-Modified", value: "Mon, 30 Nov 2026 06:00:00 GMT"),
            (name: "Date", value: "Mon, 30 Nov 2026 07:00:00 GMT"),
        ]
        let body: Value = ["events": [["id": 1]]]
        let http = ScriptedAddress(.json(body, headers: marks), .page(304, ""))
        var source = try Source(http)
        _ = try await source.poll()
        for _ in 0..<2 {
            #expect(try await source.poll().isEmpty)
            #expect(source.last?.records == nil && source.rows.count == 1)
        }
        let asked = http.requests.map { [$0.field("If-None-Match"), $0.field("If-Modified-Since")] }
        #expect(
            asked[0] == [nil, nil] && asked[1] == ["W/\"7\"", "Mon, 30 Nov 2026 06:00:00 GMT"] && asked[2] == asked[1]
        )
        http.answer(.json(["events": [["id": 1], ["id": 2]]]))
        #expect(try await source.poll().map(\.kind) == ["item.added"])
        #expect(try await source.poll().isEmpty)
        #expect(http.requests.last?.field("If-None-Match") == nil)
    }

    @Test func `the same bytes again are not read again, others are, and neither tells what is known`() async throws {
        let http = ScriptedAddress(good)
        var source = try Source(http)
        _ = try await source.poll()
        #expect(source.last?.records?.count == 1)
        for _ in 0..<2 {
            #expect(try await source.poll().isEmpty)
            #expect(source.last?.records == nil && source.rows.count == 1)
        }
        http.answer(.json(["events": [["id": 1, "title": "Training"]]]))
        #expect(try await source.poll().map(\.kind) == ["item.changed"])
        http.answer(good)
        #expect(try await source.poll().map(\.kind) == ["item.changed"])
        #expect(try await source.poll().isEmpty)
    }

    @Test(
        arguments: [
            [["id": 1], ["id": 2, "title": ["x": 1]], ["title": "no key"]], [["id": 1], ["id": 1, "title": "other"]],
        ] as [Value]
    )
    func `an answer that could be read in part alone is read anew each time`(events: Value) async throws {
        let http = ScriptedAddress(.json(["events": events]))
        var source = try Source(http)
        for _ in 0..<2 {
            _ = try await source.poll()
            #expect(source.last?.records != nil && source.last?.unreadable == 1)
        }
    }

    @Test func `what was remembered under other settings is not asked about`() async throws {
        let http = ScriptedAddress(.json(["events": [["id": 1]]], headers: [("ETag", "\"7\"")]))
        var source = try Source(http)
        _ = try await source.poll()
        var other = try Source(http, ["items": "events", "ignore": ["views"]])
        (other.state, other.rows) = (source.state, source.rows)
        _ = try await other.poll()
        #expect(http.requests.map { $0.field("If-None-Match") } == [nil, nil])
    }

    @Test func `a date of the same second and a tag that is no header field are not sent back`() async throws {
        let date = "Mon, 30 Nov 2026 07:00:00 GMT"
        let marks = [
            (name: "Last-Modified", value: date), (name: "Date", value: date), (name: "ETag", value: "\"a\u{7}\""),
        ]
        let http = ScriptedAddress(.json(["events": [["id": 1]]], headers: marks))
        var source = try Source(http)
        _ = try await source.poll()
        _ = try await source.poll()
        #expect(http.requests.allSatisfy { $0.field("If-Modified-Since") == nil && $0.field("If-None-Match") == nil })
    }

    @Test func `header fields are sent with every request, secret ones too`() async throws {
        let http = ScriptedAddress(good)
        var source = try Source(
            http,
            ["items": "events", "headers": ["X-Tenant": "3a"], "secret_headers": ["X-API-Key": .null]],
            secrets: ["secret_headers.X-API-Key": Secret("key"), "authorization": Secret("Bearer t")]
        )
        _ = try await source.poll()
        let request = http.requests[0]
        #expect(request.method == "GET" && request.url == Source.url && request.field("Accept") == "application/json")
        #expect(request.field("X-Tenant") == "3a" && request.field("X-API-Key") == "key")
        #expect(request.field("Authorization") == "Bearer t")
    }

    // MARK: Pages

    private func page(_ ids: Range<Int64>, next: String? = nil) -> HTTPResponse {
        var headers = [(name: "ETag", value: "\"p\"")]
        if let next {
            headers.append(("Link", "<https://x.example/a>; rel=prev, <\(next)>; title=\"x\"; rel=\"next last\""))
        }
        return .json(["events": .list(ids.map { ["id": .int($0)] })], headers: headers)
    }

    @Test func `PROV-14 a list in pages is read to its end`() async throws {
        let http = ScriptedAddress(
            page(0..<20, next: "https://CLUB.example.org/events.json?page=2"),
            page(20..<40, next: "/events.json?page=3"),
            page(40..<47, next: "?page=4"),
            page(47..<47)
        )
        var source = try Source(http)
        _ = try await source.poll()
        #expect(source.rows.count == 47)
        #expect(http.requests.dropFirst().map { $0.url.suffix(7) } == ["?page=2", "?page=3", "?page=4"])
        // That the first page is as it was does not say so of the others.
        #expect(source.state.memo.isNull)
    }

    @Test(arguments: [
        "https://evil.example/events.json", "https://club.example.org:444/x", "http://club.example.org/x",
        "//evil.example/x", "javascript:x",
        "https://club.example.org.evil.example/x", Source.url,
    ])
    func `a list that goes on elsewhere or in circles is not half read`(next: String) async throws {
        let http = ScriptedAddress(page(0..<20, next: next))
        var source = try Source(http)
        let error = await source.failure()
        #expect(error?.disposition == .permanent && error?.message.contains("evil") == false)
        #expect(http.requests.count == 1 && source.rows.isEmpty)
    }

    @Test func `a list without end is refused`() async throws {
        let pages = (0..<100).map { page($0 * 20..<$0 * 20 + 20, next: "?page=\($0 + 2)") }
        let http = ScriptedAddress()
        http.answer(pages)
        var source = try Source(http)
        #expect(await source.failure()?.disposition == .permanent)
        #expect(http.requests.count == 20)
    }
}
