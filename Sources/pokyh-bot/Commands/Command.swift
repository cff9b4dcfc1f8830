import BotCore
import Values

/// One command of the program, as the help shows it.
struct Command: Sendable {
    var name: String
    /// What stands behind the name: `[PATH…]`.
    var operands: String
    /// One line.
    var summary: String
    /// Further lines of `help COMMAND`: what it does, exit statuses, an example.
    var details: [String]
    var options: [OptionSpecification]
    /// How many operands it takes.
    var arity: ClosedRange<Int>
    var run: @Sendable (Arguments, World) async throws(CommandFailure) -> ExitCode

    init(
        _ name: String,
        operands: String = "",
        _ summary: String,
        details: [String] = [],
        options: [OptionSpecification] = [],
        arity: ClosedRange<Int> = 0...0,
        run: @escaping @Sendable (Arguments, World) async throws(CommandFailure) -> ExitCode
    ) {
        self.name = name
        self.operands = operands
        self.summary = summary
        self.details = details
        self.options = options
        self.arity = arity
        self.run = run
    }

    var readsBotFile: Bool { options.contains { $0.name == CommandList.config.name } }

    var usage: String { operands.isEmpty ? name : "\(name) \(operands)" }
}

/// Why a command ended early: the lines for standard error, and the exit status.
struct CommandFailure: Error, Sendable {
    var code: ExitCode
    var lines: [String]

    init(_ code: ExitCode, lines: [String]) {
        self.code = code
        self.lines = lines
    }

    init(_ code: ExitCode, _ lines: String...) {
        self.code = code
        self.lines = lines
    }

    init(_ error: UsageError, command: String? = nil) {
        let help = command.map { "pokyh-bot help \($0)" } ?? "pokyh-bot help"
        self.init(.usage, "pokyh-bot: \(error.message)")
        if let cure = error.cure { lines.append("  \(cure)") }
        lines.append("  see: \(help)")
    }

    init(_ error: StateError) { self.init(.state, "state: \(error)") }

    init(_ problem: FileProblem, _ code: ExitCode = .configuration) {
        self.init(code, "\(problem.path): \(problem.reason)")
    }
}
