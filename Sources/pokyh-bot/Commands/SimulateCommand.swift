import BotCore
import BotTransport
import SchoolSimulator
import Values

/// `pokyh-bot simulate`.
enum SimulateCommand {
    static let command = Command(
        "simulate",
        operands: "--port N | --at URL COMMAND…",
        "runs an embedded school to write rules against, or makes something happen in one",
        details: [
            "The school speaks WebUntis and POKYH over HTTP on this machine alone; all people in it are invented.",
            "  pokyh-bot simulate --port 8090                                 runs it until it is stopped",
            "  pokyh-bot simulate --at http://127.0.0.1:8090 cancel MAT next  makes something happen there",
            "  pokyh-bot simulate --at http://127.0.0.1:8090 help             lists all that can happen",
        ],
        options: [
            .option("--port", "N", "the port to serve on; 0 for a free one"),
            .option("--at", "URL", "the address of a running school"),
            .option("--classmates", "N", "how many other students sit in the class; standard: 4"),
        ],
        arity: 0...Int.max,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        do throws(UsageError) {
            switch (arguments.value("--port"), arguments.value("--at")) {
            case (_?, nil):
                let port = try arguments.integer("--port", in: 0...65_535, standard: 0)
                let classmates = try arguments.integer("--classmates", in: 0...2000, standard: 4)
                guard arguments.operands.isEmpty else {
                    throw UsageError(message: "commands go to a running school", cure: "simulate --at URL COMMAND…")
                }
                return try await serve(port: UInt16(port), classmates: classmates, world)
            case (nil, let url?): return try await command(arguments.operands, at: url, world)
            default: throw UsageError(message: "'simulate' needs either --port N or --at URL")
            }
        } catch {
            throw CommandFailure(error, command: "simulate")
        }
    }

    private static func serve(port: UInt16, classmates: Int, _ world: World) async throws(UsageError) -> ExitCode {
        let clock = world.clock
        let school = SchoolSimulator.School(startingAt: clock.now, classmates: classmates)
        let server = SimulatorServer(port: port, now: { clock.now }, school: school)
        do throws(SimulatorServerError) {
            try server.start()
        } catch {
            world.terminal.error("\(error)")
            return .somethingFailed
        }
        let signals = SignalWatch()
        world.terminal.print(SimulatedInstallation.introduction(url: server.url))
        for await signal in signals.stream where signal == .stop { break }
        server.stop()
        return .fine
    }

    private static func command(_ words: [String], at url: String, _ world: World) async throws(UsageError) -> ExitCode
    {
        let authority = url.dropFirst("http://".count).prefix { $0 != "/" }
        guard url.hasPrefix("http://"), LoopbackName.matches(authority.prefix { $0 != ":" }), !authority.contains("@")
        else {
            throw UsageError(message: "'--at' wants the address that 'simulate --port' printed: http://127.0.0.1:PORT")
        }
        guard let first = words.first else {
            throw UsageError(message: "what is to happen?", cure: "simulate --at \(url) help")
        }
        if first == "help" {
            world.terminal.print(CommandCatalogue.help)
            return .fine
        }
        let base = url.hasSuffix("/") ? String(url.dropLast()) : url
        return await post(line(of: words), to: base + "/__simulator/command", world)
    }

    /// Words that the shell took apart are quoted again.
    private static func line(of words: [String]) -> String {
        words.map { word in
            let needsQuotes = word.isEmpty || word.contains { $0 == " " || $0 == "\"" }
            return needsQuotes ? "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" : word
        }.joined(separator: " ")
    }

    private static func post(_ line: String, to url: String, _ world: World) async -> ExitCode {
        do throws(PluginError) {
            let client = try CurlHTTPClient()
            let response = try await client.send(HTTPRequest("POST", url, body: Array(line.utf8)))
            await client.close()
            let text = String(decoding: response.body, as: UTF8.self).split(separator: "\n").joined(separator: "\n")
            if response.status == 200 {
                world.terminal.print(text)
                return .fine
            }
            world.terminal.error(text)
            return .somethingFailed
        } catch {
            world.terminal.error(
                "\(error.message)\n  is the school running? start it with: pokyh-bot simulate --port 8090"
            )
            return .somethingFailed
        }
    }
}
