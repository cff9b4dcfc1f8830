import BotCore
import BotTransport
import Digests
import Foundation
import Testing
import Values

/// The sink against a real homeserver, where one is named: `POKYH_MATRIX_URL` (http to this machine) and
/// `POKYH_MATRIX_REGISTRATION_SECRET`, with which Synapse lets users be made.
@Suite(
    .enabled(
        if: Homeserver.isNamed,
        "skipped: POKYH_MATRIX_URL and POKYH_MATRIX_REGISTRATION_SECRET name no homeserver"
    )
)
struct MatrixServerTests {
    private let now = MatrixTestBot.now

    @Test func `an invited bot joins, and a repeat after another login is the same event`() async throws {
        try await Homeserver.run { server in
            let room = try await server.makeRoom()
            let first = try server.sink(room)
            let payload = try #require(try first.prepare(MatrixTestBot.message(values: ["5 < 7 @room"]), at: now).first)
            let receipt = try await first.deliver(payload, at: now)
            #expect(try await first.deliver(payload, at: now).remoteID == receipt.remoteID)
            let second = try server.sink(room, memo: try #require(receipt.sinkMemo))
            #expect(try await second.deliver(payload, at: now).remoteID == receipt.remoteID)
            let event = try await server.ask(
                "GET",
                "/rooms/\(server.encoded(room))/event/\(server.encoded(receipt.remoteID ?? ""))"
            )
            #expect(
                event["content"]["body"].string?.hasPrefix("Ausfall") == true && event["content"]["m.mentions"] == [:]
            )
            #expect(event["content"]["formatted_body"] == payload.content["formatted_body"])
        }
    }

    @Test func `an alias leads to its room, and the longest parts are taken`() async throws {
        try await Homeserver.run { server in
            let alias = try await server.makeAlias(of: try await server.makeRoom())
            let sink = try server.sink(alias)
            let text = (1...4000).map { "Zeile \($0) & mehr\t\"<x>\"" }.joined(separator: "\n")
            for payload in try sink.prepare(MatrixTestBot.message("{0}", values: [text]), at: now) {
                #expect(try await sink.deliver(payload, at: now).remoteID != nil)
            }
        }
    }

    @Test func `encrypted and closed rooms and wrong passwords are refused`() async throws {
        try await Homeserver.run { server in
            let encrypted = try server.sink(try await server.makeRoom(isEncrypted: true))
            let payload = try #require(try encrypted.prepare(MatrixTestBot.message(), at: now).first)
            #expect(await failure(of: encrypted, payload)?.message.contains("encrypted") == true)
            let closed = try server.sink(try await server.makeRoom(inviting: false))
            #expect(await failure(of: closed, payload)?.message.contains("invite") == true)
            let unknown = try server.sink("#nowhere:\(server.name)")
            #expect(await failure(of: unknown, payload)?.message.contains("alias") == true)
            let stranger = try server.sink("!x:\(server.name)", password: "wrong")
            #expect(await failure(of: stranger, payload)?.disposition == .unauthorized)
            let withToken = try server.sink("!x:\(server.name)", token: "wrong")
            #expect(await failure(of: withToken, payload)?.disposition == .unauthorized)
        }
    }
}

/// A Synapse that runs on this machine, with a bot and a teacher who owns the rooms.
private struct Homeserver {
    private let client: CurlHTTPClient
    private let url: String
    private let teacher: String
    private let bot: String
    let name: String

    private static let environment = ProcessInfo.processInfo.environment
    static let isNamed =
        environment["POKYH_MATRIX_URL"] != nil && environment["POKYH_MATRIX_REGISTRATION_SECRET"] != nil

    static func run(_ body: (Homeserver) async throws -> Void) async throws {
        let client = try CurlHTTPClient(HTTPSettings(hosts: HostPolicies(usual: .unlimited)))
        do {
            try await body(try await Homeserver(client))
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private init(_ client: CurlHTTPClient) async throws {
        self.client = client
        url = Self.environment["POKYH_MATRIX_URL"] ?? ""
        let secret = Self.environment["POKYH_MATRIX_REGISTRATION_SECRET"] ?? ""
        // Users stay at the server, so each run has its own.
        let run = UInt32.random(in: 0 ... .max)
        let owner = try await Self.register("teacher\(run)", client, url, secret)
        teacher = try #require(owner["access_token"].string)
        name = try #require(owner["home_server"].string)
        bot = try #require(try await Self.register("bot\(run)", client, url, secret)["user_id"].string)
    }

    /// Synapse's admin interface, "Shared-Secret Registration".
    private static func register(
        _ user: String,
        _ client: CurlHTTPClient,
        _ url: String,
        _ secret: String
    ) async throws -> Value {
        let address = url + "/_synapse/admin/v1/register"
        let nonce = try Value(json: try await client.send(HTTPRequest("GET", address)).body)["nonce"].string ?? ""
        let signed = [nonce, user, "SECRET-password", "notadmin"].joined(separator: "\0")
        let mac = Digest.hmacSHA1(key: Array(secret.utf8), Array(signed.utf8))
        let body: Value = [
            "nonce": .string(nonce), "username": .string(user), "password": "SECRET-password", "admin": false,
            "mac": .string(mac.map { String(UInt16($0) + 256, radix: 16).suffix(2) }.joined()),
        ]
        let request = HTTPRequest(
            "POST",
            address,
            headers: [("Content-Type", "application/json")],
            body: body.jsonBytes
        )
        return try Value(json: try await client.send(request).body)
    }

    /// Asks as the teacher.
    func ask(_ method: String, _ path: String, _ body: Value? = nil) async throws -> Value {
        let request = HTTPRequest(
            method,
            url + "/_matrix/client/v3" + path,
            headers: [("Authorization", "Bearer \(teacher)"), ("Content-Type", "application/json")],
            body: body?.jsonBytes
        )
        return try Value(json: try await client.send(request).body)
    }

    func encoded(_ piece: String) -> String {
        piece.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    func makeRoom(isEncrypted: Bool = false, inviting: Bool = true) async throws -> String {
        let encryption: Value = [
            "type": "m.room.encryption", "state_key": "", "content": ["algorithm": "m.megolm.v1.aes-sha2"],
        ]
        let answer = try await ask(
            "POST",
            "/createRoom",
            [
                "preset": "private_chat", "invite": inviting ? [.string(bot)] : [],
                "initial_state": isEncrypted ? [encryption] : [],
            ]
        )
        return try #require(answer["room_id"].string)
    }

    func makeAlias(of room: String) async throws -> String {
        let alias = "#room\(room.utf8.reduce(0) { $0 &* 31 &+ UInt32($1) }):\(name)"
        _ = try await ask("PUT", "/directory/room/\(encoded(alias))", ["room_id": .string(room)])
        return alias
    }

    func sink(
        _ room: String,
        password: String = "SECRET-password",
        token: String? = nil,
        memo: Value = .null
    ) throws -> any Sink {
        var values: ValueMap = ["homeserver": .string(url), "room": .string(room)]
        if token == nil { values["user"] = .string(bot) }
        let secrets = token.map { ["token": Secret($0)] } ?? ["password": Secret(password)]
        return try MatrixTestBot.sink(client, values, secrets: secrets, memo: memo)
    }
}
