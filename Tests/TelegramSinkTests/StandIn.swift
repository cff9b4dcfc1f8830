import BotCore
import BotTransport
import Foundation
import Glibc
import Values

/// The Bot API stand-in of `servers/tg_fake.py`, running beside a test.
struct StandIn {
    private let process: Process
    let client: CurlHTTPClient
    /// `http://127.0.0.1:PORT`.
    let url: String

    /// Nil where there is no Python or the script is absent.
    static let script: String? = {
        let folder =
            ProcessInfo.processInfo.environment["POKYH_SHARED"].map { URL(filePath: $0) }
            ?? packageRoot.deletingLastPathComponent().appending(path: "shared")
        let path = folder.appending(path: "servers/tg_fake.py").path
        return FileManager.default.isReadableFile(atPath: path) && python != nil ? path : nil
    }()

    private static let python: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The folder of `Package.swift`, three levels above this file.
    private static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    enum Failure: Error { case cannotStart }

    /// Runs a test against a stand-in of its own.
    static func run(_ body: (StandIn) async throws -> Void) async throws {
        let standIn = try await StandIn()
        do {
            try await body(standIn)
        } catch {
            await standIn.end()
            throw error
        }
        await standIn.end()
    }

    private init() async throws {
        guard let script = Self.script, let python = Self.python else { throw Failure.cannotStart }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-u", script, "0", TelegramTestBot.token]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = await Self.line(from: output.fileHandleForReading)
        guard let port = line.split(separator: " ").last.flatMap({ UInt16($0) }) else {
            process.terminate()
            throw Failure.cannotStart
        }
        self.process = process
        url = "http://127.0.0.1:\(port)"
        client = try CurlHTTPClient(HTTPSettings(hosts: HostPolicies(usual: .unlimited)))
    }

    private func end() async {
        await client.close()
        // With TDLib in it, the stand-in lives on after SIGTERM; it has nothing to lose.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// `listening PORT`. Tests share a few threads, so the waiting is done elsewhere.
    private static func line(from handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes: [UInt8] = []
                while let byte = (try? handle.read(upToCount: 1))?.first, byte != 10 { bytes.append(byte) }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    func control(_ command: Value) async throws {
        let body = command.jsonBytes
        _ = try await client.send(
            HTTPRequest("POST", url + "/__control", headers: [("Content-Type", "application/json")], body: body)
        )
    }

    func chat(_ id: Int64, _ type: String, _ state: String = "ok", to newID: Int64? = nil) async throws {
        var chat: ValueMap = ["id": .int(id), "type": .string(type), "state": .string(state)]
        if let newID { chat["to"] = .int(newID) }
        try await control(["chat": .map(chat)])
    }

    /// All messages that were accepted, in order.
    func messages() async throws -> [Value] {
        try Value(json: try await client.send(HTTPRequest("GET", url + "/__messages")).body).list ?? []
    }
}
