import Glibc

/// `bot-bench SUBCOMMAND …`: conformance scores and speeds.
@main
enum BotBench {
    /// A subcommand: its usage, and what it does with its arguments. It gives the exit code.
    struct Subcommand: Sendable {
        let name: String
        let usage: String
        let run: @Sendable ([String]) -> Int32
    }

    static let subcommands: [Subcommand] =
        CELBench.subcommands + JSONBench.subcommands + LiquidBench.subcommands + RulesBench.subcommands

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let name = arguments.first, let subcommand = subcommands.first(where: { $0.name == name }) else {
            print("usage:")
            for subcommand in subcommands { print("  bot-bench \(subcommand.name) \(subcommand.usage)") }
            exit(64)
        }
        exit(subcommand.run(Array(arguments.dropFirst())))
    }
}

/// The bytes of a file; nil where it cannot be read.
func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = Array(repeating: UInt8(0), count: 1 << 16)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count < 0 { return nil }
        if count == 0 { return bytes }
        bytes.append(contentsOf: buffer.prefix(count))
    }
}
