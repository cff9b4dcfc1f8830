import Foundation

/// Conformance scores and speeds, one subcommand each.
@main
enum BotBench {
    private static var commands: [(name: String, run: ([String]) -> Int32)] { LiquidBench.commands }

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first, let command = commands.first(where: { $0.name == name }) else {
            print("usage: bot-bench \(commands.map(\.name).joined(separator: " | ")) …")
            exit(64)
        }
        exit(command.run(Array(arguments.dropFirst())))
    }
}
