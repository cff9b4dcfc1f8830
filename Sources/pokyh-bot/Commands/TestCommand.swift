import BotCore
import BotEngine
import BotPlugins
import BotRules
import Values

/// `pokyh-bot test [PATH…]`.
enum TestCommand {
    static let command = Command(
        "test",
        operands: "[PATH…]",
        "runs the tests that stand in rule files",
        details: [
            "Without a PATH the rule files of the bot file are tested. Nothing is sent, nobody is asked, and no secret is needed.",
            "Exit status 1 if a test fails, 78 if a file cannot be read.",
        ],
        options: [
            CommandList.config,
            .option("--format", formats.joined(separator: "|"), "for people, or a report that machines read"),
            .flag("--coverage", "also says which rules and which parts of their conditions no test reached"),
        ],
        arity: 0...Int.max,
        run: run
    )

    private static let formats = ["text", "tap", "junit"]

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let format: String
        do throws(UsageError) {
            format = try arguments.choice("--format", among: formats)
        } catch {
            throw CommandFailure(error, command: "test")
        }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let files =
            arguments.operands.isEmpty
            ? configuration.ruleFiles
            : try Configuration.readRules(arguments.operands, from: ".")
        let rules = RuleFiles.load(files, in: configuration.installation, previous: nil)
        for complaints in rules.complaints where !complaints.complaints.isEmpty {
            world.terminal.error(complaints.text)
        }
        let report = RuleTests.run(
            files,
            in: configuration.installation,
            interpret: try interpreter(configuration, world),
            judge: judge
        )
        switch format {
        case "tap": world.terminal.print(String(report.tap.dropLast()))
        case "junit": world.terminal.print(String(report.junit.dropLast()))
        default: print(report, world)
        }
        if arguments.has("--coverage") {
            // Reports for machines stay what they are; this is for people beside them.
            for line in lines(of: report.coverage) {
                if format == "text" { world.terminal.print(line) } else { world.terminal.error(line) }
            }
        }
        if rules.hasErrors { return .configuration }
        return report.failed == 0 ? .fine : .somethingFailed
    }

    private static func print(_ report: TestReport, _ world: World) {
        for result in report.results {
            world.terminal.print("\(result.passed ? "ok" : "FAILED")  \(result.file):\(result.line): \(result.name)")
            for failure in result.failures {
                world.terminal.print(failure.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            }
        }
        world.terminal.print("\(report.passed) passed, \(report.failed) failed")
        if report.results.isEmpty {
            world.terminal.error(
                "no file has tests; write some under 'tests:', or let 'pokyh-bot record EVENT' write one from what happened"
            )
        }
    }

    private static func lines(of coverage: RuleCoverage) -> [String] {
        let whole = coverage.ruleCount - coverage.gaps.count
        return coverage.gaps.flatMap { gap in gap.missing.map { "\(gap.file): \(gap.rule): \($0)" } }
            + ["\(whole) of \(coverage.ruleCount) rules reached whole"]
    }

    /// What the real courier makes of a try.
    @Sendable static func judge(
        _ sink: SinkEntry,
        _ claimed: ClaimedPayload,
        _ outcome: Result<Receipt, PluginError>,
        _ state: SinkState,
        _ now: Timestamp
    ) -> DeliveryJudgement {
        let verdict = Rehearsal.verdict(
            on: claimed,
            outcome: outcome,
            sink: sink.name,
            uncertain: UncertainPolicy(rawValue: sink.uncertain) ?? .resend,
            recognisesRepeats: sink.plugin.recognisesRepeats(sink.settings),
            state: state,
            at: now
        )
        return DeliveryJudgement(settlement: verdict.settlement, state: verdict.state, events: verdict.events)
    }

    /// What the real differ and the real providers make of two answers.
    private static func interpreter(
        _ configuration: Configuration,
        _ world: World
    ) throws(CommandFailure) -> PollInterpreter {
        var materials = House.Materials(http: Silence(), mail: Silence(), log: .silent, terminal: world.terminal)
        materials.hasSinks = false
        let house = try House.build(configuration, with: materials)
        let sources = Dictionary(uniqueKeysWithValues: house.sources.map { ($0.name, $0) })
        return { entry, before, after, now, history in
            guard let source = sources[entry.name] else { return [] }
            history.count += 1
            return Rehearsal.events(
                of: source,
                from: before,
                to: after,
                student: .nobody,
                at: now,
                revision: history.count,
                worlds: &history.worlds
            )
        }
    }
}

/// The transports of commands that must not reach anybody.
struct Silence: HTTPClient, MailTransport {
    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        throw .permanent("this command reaches nobody")
    }

    func send(_ mail: OutgoingMail, through server: MailServer) async throws(PluginError) -> Receipt {
        throw .permanent("this command reaches nobody")
    }
}
