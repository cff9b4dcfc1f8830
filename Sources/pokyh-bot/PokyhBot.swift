import BotCore
import Foundation
import Glibc

/// The program: finds the command, runs it, and turns what came of it into an exit status.
@main
struct PokyhBot {
    static func main() async {
        // A reader that goes away (`pokyh-bot history | head`) must not kill the program in the middle of its work.
        signal(SIGPIPE, SIG_IGN)
        // Whatever this program makes is its user's alone.
        umask(0o077)
        let world = World(environment: ProcessInfo.processInfo.environment)
        let code = await run(Array(CommandLine.arguments.dropFirst()), in: world)
        exit(code.rawValue)
    }

    static func run(_ words: [String], in world: World) async -> ExitCode {
        do throws(CommandFailure) {
            return try await CommandList.run(words, in: world)
        } catch {
            for line in error.lines { world.terminal.error(line) }
            return error.code
        }
    }
}

/// What every command may use of the machine.
struct World: Sendable {
    var environment: [String: String]
    var terminal: Terminal
    var clock = LiveClock()

    init(environment: [String: String]) {
        self.environment = environment
        terminal = Terminal(environment: environment)
    }
}
