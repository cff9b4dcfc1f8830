import BotCore
import Foundation
import Glibc
import Synchronization
import Testing
import Values

@testable import SchoolSimulator
@testable import pokyh_bot

/// What must stay secret, whatever happens: keys, names, files.
@Suite struct SecretProcessTests {
    private static let token = "123456789:AAFakeFakeFakeFakeFakeFake_Fake-FakeX"
    private static let path = "T0SECRET/B0SECRET/x9y8z7SECRET"

    /// The ways in which a secret is written on its way somewhere.
    private static func forms(of secret: String) -> [String] {
        let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
        let base64 = Data(secret.utf8).base64EncodedString()
        return [
            secret, encoded, encoded.lowercased(), base64.trimmingCharacters(in: ["="]),
            base64.replacing("+", with: "-").replacing("/", with: "_").trimmingCharacters(in: ["="]),
        ]
    }

    /// What runs of the bot wrote: to the log, to their output, to the state.
    private static func everything(said ends: [BotProcess.End], in town: FeedTown, output: String) throws -> Data {
        var said = Data(ends.map(\.errors).joined(separator: "\n").utf8)
        said.append(try Data(contentsOf: URL(filePath: output)))
        for data in try town.stateBytes().values { said.append(data) }
        return said
    }

    @Test func `SEC-01 a key in an address is told nowhere, whatever way the address fails`() async throws {
        let failing = ["nowhere", "missing", "untrusted", "hook-nowhere", "hook-missing", "hook-untrusted"]
        let town = try FeedTown(
            sources: [
                "list: {provider: http.json, url: \"http://127.0.0.1:PORT/list\", key: id}",
                "gone: {provider: http.json, url: {secret: LIST}, key: id}",
            ],
            sinks: [
                "nowhere: {kind: telegram, token: {secret: TOKEN}, chat: -100123, api: \"https://chat.invalid\"}",
                "missing: {kind: telegram, token: {secret: TOKEN}, chat: -100123, api: \"http://127.0.0.1:PORT\"}",
                "untrusted: {kind: telegram, token: {secret: TOKEN}, chat: -100123, api: \"https://127.0.0.1:PORT\"}",
                "hook-nowhere: {kind: webhook, url: {secret: HOOK_NOWHERE}}",
                "hook-missing: {kind: webhook, url: {secret: HOOK_MISSING}}",
                "hook-untrusted: {kind: webhook, url: {secret: HOOK_UNTRUSTED}}",
                "admin: {kind: webhook, url: \"http://127.0.0.1:PORT/hook/admin\"}",
            ],
            send: failing
        )
        defer { town.close() }
        let secrets = [
            "TOKEN": Self.token, "LIST": "\(town.url)/private/\(Self.path)",
            "HOOK_NOWHERE": "https://hooks.invalid/\(Self.path)", "HOOK_MISSING": "\(town.url)/\(Self.path)",
            "HOOK_UNTRUSTED": "https://127.0.0.1:\(town.port)/\(Self.path)",
        ]
        // The far end repeats in its error what it was asked, as real ones do.
        let echo = { @Sendable (request: ServedRequest) in
            ServedAnswer.text("{\"ok\":false,\"description\":\"no such page: \(request.path)\"}", status: 404)
        }
        for path in ["/bot\(Self.token)/sendMessage", "/\(Self.path)", "/private/\(Self.path)"] {
            town.far.on(path, echo)
        }
        let output = town.folder.appending(path: "output").path
        town.far.show([1: "old"])
        let first = try await town.run("once", "--verbose", environment: secrets, output: output)
        town.far.show([1: "new"])
        let second = try await town.run("once", "--verbose", environment: secrets, output: output)
        let status = try await town.run("status", environment: secrets, output: output)
        let history = try await town.run("history", environment: secrets, output: output)
        #expect(first.status == 1 && second.status == 1)
        // All were tried.
        for sink in failing {
            #expect(second.errors.contains("sink \(sink):"), "\(sink)")
        }

        var said = try Self.everything(said: [first, second, status, history], in: town, output: output)
        for request in town.far.requests where request.path == "/hook/admin" { said.append(contentsOf: request.body) }
        for secret in [Self.token, Self.path, "x9y8z7SECRET"] {
            for form in Self.forms(of: secret) { #expect(said.range(of: Data(form.utf8)) == nil, "\(form)") }
        }
    }

    @Test func `SEC-01 a token that is none is refused without being shown`() async throws {
        let town = try FeedTown(
            sinks: ["chat: {kind: telegram, token: {secret: TOKEN}, chat: -100123}"],
            send: ["chat"],
            admin: "chat"
        )
        defer { town.close() }
        let output = town.folder.appending(path: "output").path
        let end = try await town.run("check", environment: ["TOKEN": "my token is \(Self.token)"], output: output)
        #expect(end.status == 78 && end.errors.contains("token"))
        let said = end.errors + String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
        #expect(!said.contains("AAFake"))
    }

    /// Everything in a folder that others may read or write, looked for over and over until the process ends.
    private final class ModeWatch: Sendable {
        private let found = Mutex<Set<String>>([])
        private let isOver = Mutex(false)

        var open: Set<String> { found.withLock { $0 } }

        init(_ folder: String) {
            Thread.detachNewThread { [self] in
                while !isOver.withLock({ $0 }) { look(at: folder) }
            }
        }

        private func look(at folder: String) {
            for path in [folder] + ((try? FileAccess.names(in: folder)) ?? []).map({ folder + "/" + $0 }) {
                if FileAccess.isReadableByOthers(path) { found.withLock { _ = $0.insert(path) } }
            }
        }

        func stop() { isOver.withLock { $0 = true } }
    }

    @Test func `SEC-05 whatever the mask, nothing the bot makes is ever open to others`() async throws {
        let town = try FeedTown(send: ["one"])
        defer { town.close() }
        let maskless = ["/bin/sh", "-c", "umask 000; exec \"$@\"", "sh"]
        let watch = ModeWatch(town.state.path)
        town.far.show([1: "old"])
        #expect(try await town.run("once", launcher: maskless).status == 0)
        town.far.show([1: "new"])
        #expect(try await town.run("once", launcher: maskless).status == 0)
        // Set aside and begun anew, too.
        try Data("no database".utf8).write(to: town.state.appending(path: "state.sqlite"))
        chmod(town.state.appending(path: "state.sqlite").path, 0o600)
        #expect(try await town.run("once", launcher: maskless).status == 0)
        watch.stop()
        #expect(watch.open == [])
        #expect(FileAccess.exists(town.state.path))
    }

    @Test func `SEC-05 a file with a secret that others can read is refused, and the error says how to close it`()
        async throws
    {
        let town = try FeedTown(
            sinks: ["hook: {kind: webhook, url: {secret: HOOK}}"],
            send: ["hook"],
            admin: "hook"
        )
        defer { town.close() }
        try FileManager.default.createDirectory(
            at: town.folder.appending(path: "secrets"),
            withIntermediateDirectories: true
        )
        try town.write("secrets/HOOK", "\(town.url)/hook/one")
        let file = town.folder.appending(path: "secrets/HOOK").path
        chmod(file, 0o644)
        let end = try await town.run("once")
        #expect(end.status == 78 && end.errors.contains("chmod 600 \(file)"), "\(end.errors)")
        #expect(!end.errors.contains("/hook/one") && town.far.requests.isEmpty)
        chmod(file, 0o600)
        #expect(try await town.run("once").status == 0)
    }

    @Test func `SEC-08 no secret is an argument, there is no option for one, and no other program is started`()
        async throws
    {
        for option in CommandList.all.flatMap(\.options) {
            for word in ["password", "token", "secret", "key"] {
                #expect(!option.name.contains(word), "\(option.name)")
            }
        }
        let town = try FeedTown(
            sinks: [
                "one: {kind: webhook, url: \"http://127.0.0.1:PORT/hook/one\", authorization: {secret: HOOK_KEY}}",
                "chat: {kind: telegram, token: {secret: TOKEN}, chat: -100123, api: \"http://127.0.0.1:PORT\"}",
            ],
            send: ["one", "chat"],
            admin: "one"
        )
        defer { town.close() }
        let keys = ["HOOK_KEY": "Bearer hook-key-3", "TOKEN": Self.token]
        town.far.show([1: "old"])
        _ = try await town.run("once", environment: keys)
        town.far.show([1: "new"])
        let (status, line, children) = try await onThread {
            let seen = Mutex<(line: String, children: String)>(("", "none were looked for"))
            let bot = try town.start("once", environment: keys)
            let pid = bot.pid
            town.far.onArrival { _ in
                let line = (try? FileAccess.read("/proc/\(pid)/cmdline")) ?? []
                let threads = (try? FileAccess.names(in: "/proc/\(pid)/task")) ?? []
                let children = threads.map { thread in
                    String(
                        decoding: (try? FileAccess.read("/proc/\(pid)/task/\(thread)/children")) ?? [],
                        as: UTF8.self
                    )
                }
                seen.withLock { $0 = (String(decoding: line, as: UTF8.self), children.joined()) }
            }
            let status = bot.wait().status
            return seen.withLock { (status, $0.line, $0.children) }
        }
        #expect(status >= 0 && line.contains("once") && children == "")
        for secret in keys.values { #expect(!line.contains(secret)) }
    }

    @Test(arguments: [
        "file:///etc/passwd", "http://169.254.169.254/latest", "http://2130706433:PORT/hook/one",
        "http://[::ffff:127.0.0.1]:PORT/hook/one", "https://0x7f000001:PORT/hook/one",
        "gopher://127.0.0.1:PORT/hook/one",
    ])
    func `SEC-09 an address that leads behind the firewall by a detour is refused, and nothing is asked`(url: String)
        async throws
    {
        let town = try FeedTown(sinks: ["one: {kind: webhook, url: \"\(url)\"}"], send: ["one"], admin: "one")
        defer { town.close() }
        let end = try await town.run("send", "one", "Hallo")
        #expect([1, 78].contains(end.status), "\(end)")
        #expect(town.far.requests.isEmpty)
    }

    @Test(.enabled(if: Privileges.canMount, Privileges.whyNot))
    func `SEC-09 a name that leads to this machine is refused when it is looked up`() async throws {
        let town = try FeedTown(
            sinks: ["one: {kind: webhook, url: \"https://hooks.school.example:PORT/hook/one\"}"],
            send: ["one"],
            admin: "one"
        )
        defer { town.close() }
        try town.write("hosts", "127.0.0.1 hooks.school.example\n")
        let names = try PrivateMount(
            on: town.folder.appending(path: "names"),
            "mount --bind '\(town.folder.path)/hosts' /etc/hosts"
        )
        defer { names.close() }
        let end = try await town.run("send", "one", "Hallo", launcher: names.launcher)
        #expect(end.status == 1 && end.errors.contains("leads to this machine itself"), "\(end.errors)")
        #expect(town.far.requests.isEmpty)
    }

    @Test func `SEC-10 the log names accounts by their alias, and neither people nor marks`() async throws {
        let town = try SchoolTown()
        defer { town.close() }
        let output = town.folder.appending(path: "output").path
        var ends = [try await town.run("once", output: output)]
        #expect(ends[0].status == 0, "\(ends[0].errors)")
        try town.happen("grade anna MAT 8.5 for \"Functions\"")
        ends.append(try await town.run("once", output: output))
        #expect(town.far.arrivals.count == 1)
        try town.happen("fault http 500 on /WebUntis")
        ends.append(try await town.run("once", output: output))
        try town.happen("fault off")
        ends.append(try await town.run("once", password: "falsch", output: output))
        #expect(ends.map(\.status) == [0, 0, 1, 1])
        let said =
            ends.map(\.errors).joined(separator: "\n")
            + String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
        #expect(said.contains("kind-a"))
        for name in [SchoolSimulator.School.paola.userName, "Muster", "Anna", "8.5", "8,5", "Functions", "falsch"] {
            #expect(!said.localizedCaseInsensitiveContains(name), "\(name)")
        }
    }

    @Test func `STATE-06 a school that fails or has not resolved the session teaches nothing`() async throws {
        let town = try SchoolTown()
        defer { town.close() }
        try town.happen("grade anna MAT 8")
        for fault in ["http 503", "empty", "html"] {
            try town.happen("fault \(fault)")
            let end = try await town.run("once")
            #expect(end.status == 1, "\(fault): \(end.errors)")
            try town.happen("fault off")
            _ = try await town.run("retry", "kind-a")
            try await makePollsDue(in: town.folder.appending(path: "state"))
        }
        #expect(try await town.run("once").status == 0)
        #expect(town.far.arrivals == [])
        try town.happen("grade anna MAT 9.5")
        for _ in 0..<2 { #expect(try await town.run("once").status == 0) }
        #expect(town.far.titles("hook").count == 1 && town.far.titles("hook")[0].hasPrefix("9"))
    }
}
