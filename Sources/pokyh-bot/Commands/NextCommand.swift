import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot next [RULE]`.
enum NextCommand {
    static let command = Command(
        "next",
        operands: "[RULE]",
        "lists the coming times of scheduled rules, and when held news are told",
        details: [
            "What rules hold back for a digest, quiet hours, a group or a limit is listed with the moment at which it is told, if it is",
            "still true then.",
            "Times inside records, such as a lesson's start, are known as far as the last answers of the sources say them.",
            "Times that 'only_on' will pass over are among them: what day it is to the school is asked when they come.",
            "Example: pokyh-bot next mensa-today -n 5",
        ],
        options: [
            CommandList.config,
            .option("--number", short: "-n", "N", "how many at most; standard: 10"),
        ],
        arity: 0...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let count: Int
        do throws(UsageError) {
            count = try arguments.integer("--number", in: 1...1000, standard: 10)
        } catch {
            throw CommandFailure(error, command: "next")
        }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let book = configuration.rules.book
        let rule = try arguments.operands.first.map { id throws(CommandFailure) in
            try book.summary(of: id, command: "next")
        }
        let context = await context(configuration, world)
        let slots = book.upcoming(after: context.now, rule: rule?.id, count: count, in: context)
        let held = book.held(in: context.memory).filter { rule == nil || $0.rule == rule?.id }
        let lines =
            slots.map { slot in
                let words = book.words(for: slot, in: context)
                return (slot.due, slot.rule + (words.isEmpty ? "" : "  \(words)"))
            } + held.map { ($0.until, "\($0.rule)  \($0.text), for \($0.audience.joined(separator: ", "))") }
        for (instant, text) in lines.sorted(by: { $0.0 < $1.0 }).prefix(count) {
            let (date, time) = configuration.installation.zone.reading(at: instant)
            world.terminal.print(TerminalText.line("\(date) \(time)  \(text)"))
        }
        if lines.isEmpty {
            let trigger = rule.map { $0.isEnabled ? ": '\($0.id)' fires \($0.trigger)" : ": '\($0.id)' is off" } ?? ""
            world.terminal.print("nothing is scheduled\(trigger)")
        }
        return .fine
    }

    /// Before the first start there is no memory, and times of day are known all the same.
    private static func context(_ configuration: Configuration, _ world: World) async -> RuleContext {
        let book = configuration.rules.book
        let now = world.clock.now
        do throws(CommandFailure) {
            return try await StateReading.read(configuration) { store throws(StateError) in
                try await StateReading.context(for: book, in: store, at: now)
            }
        } catch {
            if book.readSources.isEmpty { return RuleContext(now: now) }
            for line in error.lines { world.terminal.error(line) }
            world.terminal.error("times inside records are not known")
            return RuleContext(now: now)
        }
    }
}
