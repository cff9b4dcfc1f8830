import BotCore
import BotTransport
import Values
import WebUntisProvider

/// `pokyh-bot schools search NAME`.
enum SchoolsCommand {
    static let command = Command(
        "schools",
        operands: "search NAME",
        "finds a school's server and login name in WebUntis' directory",
        details: ["Asks the vendor's public directory. Example: pokyh-bot schools search \"Landesberufsschule\""],
        arity: 2...Int.max,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        guard arguments.operands[0] == "search" else {
            throw CommandFailure(
                UsageError(message: "'schools' is called as: pokyh-bot \(command.usage)"),
                command: "schools"
            )
        }
        let name = arguments.operands.dropFirst().joined(separator: " ")
        do throws(PluginError) {
            let http = try CurlHTTPClient(HTTPSettings(proxy: ProxySettings { world.environment[$0] }))
            let schools = try await SchoolSearch.find(name, through: http)
            await http.close()
            for school in schools {
                world.terminal.print(TerminalText.line("\(school.name), \(school.address)"))
                world.terminal.print("  {server: \(school.server), school: \(school.school)}")
            }
            if schools.isEmpty { world.terminal.print("the directory knows no school with '\(name)' in its name") }
            return schools.isEmpty ? .somethingFailed : .fine
        } catch {
            world.terminal.error(error.message)
            return .somethingFailed
        }
    }
}
