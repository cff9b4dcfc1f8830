import Foundation
import Glibc
import Synchronization
import Testing
import Values

@testable import SchoolSimulator

/// `retry`: what a far end has refused is really asked once more, by the bot that runs.
@Suite(.timeLimit(.minutes(10))) struct RetryProcessTests {
    @Test func `PROV-04 a running bot logs in again at a school that has lifted its lock, and once for each retry`()
        async throws
    {
        let town = try SchoolTown()
        defer { town.close() }
        let user = SchoolSimulator.School.paola.userName
        try town.happen("fault locked \(user)")
        let bot = try town.start("run")
        #expect(bot.line(with: "Source marks:") != nil)
        #expect(await retried { try await town.run("retry", "kind-a").status == 0 })
        // Refused once more, and said once more: the lock is still there.
        #expect(bot.line(with: "Source marks:") != nil)
        try town.happen("fault off")
        #expect(await retried { try await town.run("retry", "kind-a").status == 0 })
        #expect(bot.line(with: "Source marks:")?.contains("first look") == true)
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
    }

    @Test func `a running bot logs in again at a homeserver that accepts the password by now`() async throws {
        let sinks = [
            "one: {kind: matrix, homeserver: \"http://127.0.0.1:PORT\", room: \"!r:example.org\", user: bot, password: {secret: PASSWORD}}",
            "admin: {kind: webhook, url: \"http://127.0.0.1:PORT/hook/admin\"}",
        ]
        let town = try FeedTown(sinks: sinks, send: ["one"])
        defer { town.close() }
        let base = "/_matrix/client/v3"
        let logins = Mutex(0)
        let isOpen = Mutex(false)
        let forbidden: Value = ["errcode": "M_FORBIDDEN", "error": "no"]
        town.far.on("\(base)/login") { _ in
            logins.withLock { $0 += 1 }
            return isOpen.withLock(\.self)
                ? .json(["access_token": "t", "device_id": "D"]) : .json(forbidden, status: 403)
        }
        town.far.on("\(base)/rooms/!r:example.org/state/m.room.encryption") { _ in
            .json(["errcode": "M_NOT_FOUND", "error": "no"], status: 404)
        }
        town.far.show([1: "old"])
        #expect(try await town.run("once", environment: ["PASSWORD": "p"]).status == 0)
        town.far.show([1: "old", 2: "new"])
        try await makePollsDue(in: town.state)
        let bot = try town.start("run", environment: ["PASSWORD": "p"])
        // The admin hears of it as soon as it is written.
        #expect(await soon { town.far.arrivals.contains { $0.hook == "admin" } })
        isOpen.withLock { $0 = true }
        #expect(await retried { try await town.run("retry", "one").status == 0 })
        #expect(await soon { town.far.requests.contains { $0.path.contains("/send/m.room.message/") } })
        #expect(logins.withLock(\.self) == 2)
        bot.signal(SIGTERM)
        _ = bot.wait()
    }

    @Test(arguments: [
        ("headers: {X-Tenant: old}", "headers: {X-Tenant: right}"),
        ("headers: {A: b}", "headers: {A: b, X-Tenant: right}"),
    ])
    func `a source that rests is asked again when any of its settings has changed, also a header`(
        old: String,
        corrected: String
    ) async throws {
        let town = try FeedTown(sources: [
            "list: {provider: http.json, url: \"http://127.0.0.1:PORT/list\", key: id, every: 1m, \(old)}"
        ])
        defer { town.close() }
        town.far.on("/list") { request in
            request.header("x-tenant") == "right" ? .json([]) : .json(["error": "no"], status: 401)
        }
        #expect(try await town.run("once").status == 1)
        let resting = try await town.run("once")
        #expect(resting.status == 1)
        // A source without an account is no account.
        #expect(resting.errors.contains("source 'list' rests until its settings change"), "\(resting.errors)")
        #expect(town.far.requests.count { $0.path == "/list" } == 1)
        try town.exchange(old, for: corrected)
        #expect(try await town.run("once").status == 0)
    }

    @Test func `a webhook that rests is tried again when one of its headers has changed`() async throws {
        let town = try FeedTown(
            sinks: [
                "one: {kind: webhook, url: \"http://127.0.0.1:PORT/hook/one\", headers: {X-Tenant: old}}",
                "admin: {kind: webhook, url: \"http://127.0.0.1:PORT/hook/admin\"}",
            ],
            send: ["one"]
        )
        defer { town.close() }
        town.far.on("/hook/one") { request in
            request.header("x-tenant") == "right" ? .text("ok") : .text("no", status: 401)
        }
        town.far.show([1: "old"])
        #expect(try await town.run("once").status == 0)
        town.far.show([1: "old", 2: "new"])
        for _ in 0..<2 { #expect(try await town.run("once").status == 1) }
        #expect(town.far.titles("one").count == 1)
        try town.exchange("X-Tenant: old", for: "X-Tenant: right")
        #expect(try await town.run("once").status == 0)
        #expect(town.far.titles("one").count == 2)
    }

    /// What a bot says in its log is on the disk a moment later.
    private func retried(_ retry: () async throws -> Bool) async -> Bool {
        for _ in 0..<100 {
            if (try? await retry()) == true { return true }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    /// Waits up to a minute for what another process brings about.
    private func soon(_ condition: () -> Bool) async -> Bool {
        for _ in 0..<600 {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return false
    }
}
