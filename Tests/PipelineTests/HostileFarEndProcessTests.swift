import BotCore
import BotState
import Foundation
import Glibc
import Testing
import Values

@testable import SchoolSimulator

/// What far ends do to the program: silence, endless answers, bombs, redirects, floods.
@Suite struct HostileFarEndProcessTests {
    /// The sources that have failed by now, and those that have not.
    private func failures(in town: FeedTown) async throws -> [String: Int] {
        let store = try await SQLiteStore.openBeside(folder: town.state.path)
        let states = try await store.sources()
        await store.close()
        return states.mapValues(\.health.failures)
    }

    @Test func `PERF-01 a source and a sink that hang end at their limits, and hold up no other`() async throws {
        let names = ["good", "silent", "trickling", "closing"]
        let town = try FeedTown(
            sources: names.map { FeedTown.list(at: "http://127.0.0.1:PORT", name: $0, path: "/\($0)") },
            send: ["one", "two"]
        )
        defer { town.close() }
        for name in names { town.far.on("/\(name)") { _ in .json([["id": 1, "title": "old"]]) } }
        #expect(try await town.run("once").status == 0)
        try await makePollsDue(in: town.state)

        town.far.on("/good") { _ in .json([["id": 1, "title": "new"]]) }
        let hanging = { @Sendable (delivery: ServedAnswer.Delivery) in
            { @Sendable (_: ServedRequest) in
                var answer = ServedAnswer.json([["id": 1, "title": "new"]])
                answer.delivery = delivery
                return answer
            }
        }
        town.far.on("/silent", hanging(.never))
        town.far.on("/trickling", hanging(.slow(pause: .seconds(30))))
        town.far.on("/closing", hanging(.cut(after: 3)))
        town.far.on("/hook/two", hanging(.never))
        let bell = Bell()
        town.far.onArrival { if $0.hook == "one" { bell.ring() } }
        let (status, left, isTold) = try await onThread {
            let bot = try town.start("run")
            let isTold = bell.wait()
            var hanging: Set = ["silent", "trickling", "closing"]
            while !hanging.isEmpty, let line = bot.line(with: "warning Source ") {
                hanging = hanging.filter { !line.contains("Source \($0):") }
            }
            bot.signal(SIGTERM)
            return (bot.wait().status, hanging, isTold)
        }
        #expect(status == 0 && left == [] && isTold)
        #expect(town.far.titles("one") == ["new"])
        let counted = try await failures(in: town)
        #expect(counted["good"] == 0 && names.dropFirst().allSatisfy { counted[$0] ?? 0 >= 1 }, "\(counted)")
    }

    enum Flood: String, CaseIterable, Sendable {
        case gzipBomb, endlessBody, endlessHeader, deepNesting

        func play(_ send: ([UInt8]) -> Bool) {
            func line(_ fields: String...) { _ = send(Array(fields.map { $0 + "\r\n" }.joined().utf8)) }
            switch self {
            case .gzipBomb:
                // 4 GiB of zeros.
                let bomb = Gzip.bomb(unpackedBytes: 4 << 30)
                line(
                    "HTTP/1.1 200 OK",
                    "Content-Type: application/json",
                    "Content-Encoding: gzip",
                    "Content-Length: \(bomb.count)",
                    ""
                )
                _ = send(bomb)
            case .endlessBody:
                line("HTTP/1.1 200 OK", "Content-Type: application/json", "Transfer-Encoding: chunked", "")
                let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x10000) + [13, 10]
                while send(chunk) {}
            case .endlessHeader:
                line("HTTP/1.1 200 OK")
                _ = send(Array("X-Long: ".utf8))
                let piece = [UInt8](repeating: 0x78, count: 1 << 16)
                while send(piece) {}
            case .deepNesting:
                let body = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
                line("HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: \(body.count)", "")
                _ = send(body)
            }
        }
    }

    @Test(arguments: Flood.allCases)
    func `PERF-03 a flood of an answer is a failed poll, and memory stays small`(flood: Flood) async throws {
        let server = try RawServer { flood.play($0) }
        defer { server.stop() }
        let list = FeedTown.list(at: "http://127.0.0.1:PORT")
        let town = try FeedTown(sources: [list, FeedTown.list(at: server.url, name: "flood")])
        defer { town.close() }
        let end = try await town.run("once")
        #expect(end.status == 1 && end.errors.contains("Source flood:"), "\(end.errors)")
        #expect(end.peakMemory < 150, "\(end.peakMemory) MiB")
        #expect(try await failures(in: town) == ["list": 0, "flood": 1])
    }

    @Test func `a redirect takes no key to another place, and is no delivery`() async throws {
        let elsewhere = try FeedTown()
        defer { elsewhere.close() }
        let town = try FeedTown(
            sources: [
                "list: {provider: http.json, url: \"http://127.0.0.1:PORT/list\", key: id, "
                    + "authorization: {secret: LIST_KEY}, secret_headers: {X-Key: {secret: OTHER_KEY}}}"
            ],
            sinks: [
                "one: {kind: webhook, url: \"http://127.0.0.1:PORT/hook/one\", authorization: {secret: HOOK_KEY}}",
                "admin: {kind: webhook, url: \"http://127.0.0.1:PORT/hook/admin\"}",
            ],
            send: ["one"]
        )
        defer { town.close() }
        let keys = ["LIST_KEY": "Bearer list-key-1", "OTHER_KEY": "other-key-2", "HOOK_KEY": "Bearer hook-key-3"]
        town.far.show([1: "old"])
        #expect(try await town.run("once", environment: keys).status == 0)
        town.far.show([1: "new"])
        let away = { @Sendable (status: Int) in
            { @Sendable (request: ServedRequest) in
                ServedAnswer(status, headers: [("Location", "http://localhost:\(elsewhere.port)\(request.path)")])
            }
        }
        town.far.on("/hook/one", away(307))
        let delivering = try await town.run("once", environment: keys)
        #expect(delivering.status == 1)
        town.far.on("/list", away(302))
        let polling = try await town.run("once", environment: keys)
        #expect(polling.status == 1 && polling.errors.contains("Source list:"), "\(polling.errors)")
        #expect(elsewhere.far.requests.isEmpty)
        for key in ["list-key-1", "other-key-2", "hook-key-3"] {
            #expect(!delivering.errors.contains(key) && !polling.errors.contains(key))
        }
    }

    @Test func `10,000 changes at once are one message, told once`() async throws {
        let town = try FeedTown(send: ["one"])
        defer { town.close() }
        town.far.show(Dictionary(uniqueKeysWithValues: (1...10_000).map { ($0, "old \($0)") }))
        #expect(try await town.run("once").status == 0)
        town.far.show(Dictionary(uniqueKeysWithValues: (1...10_000).map { ($0, "new \($0)") }))
        let end = try await town.run("once")
        #expect(end.status == 0, "\(end.errors)")
        #expect(town.far.arrivals.count == 1)
        #expect(end.peakMemory < 256, "\(end.peakMemory) MiB")
        #expect(try await town.run("once").status == 0)
        #expect(town.far.arrivals.count == 1)
    }
}
