import BotCore
import BotPlugins
import BotRules
import BotState
import Values

/// `pokyh-bot show KIND`.
enum ShowCommand {
    static let command = Command(
        "show",
        operands: ShownKind.all.map { $0.words[0] }.joined(separator: "|"),
        "shows what a source last answered",
        details: [
            "Reads the last good snapshot from the state folder and says how old it is; asks nobody. The table has the fields that say",
            "something; --json has all of them, and the key of each record.",
            "Example: pokyh-bot show timetable --source timetable-3a",
        ],
        options: [
            CommandList.config,
            .option("--source", "SOURCE", "only this source of the bot file"),
            .flag("--json", "prints the records as JSON, one object for each source, for programs"),
        ],
        arity: 1...1,
        run: run
    )

    @Sendable static func run(_ arguments: Arguments, _ world: World) async throws(CommandFailure) -> ExitCode {
        let word = arguments.operands[0]
        guard let kind = ShownKind.all.first(where: { $0.words.contains(word) }) else {
            let words = ShownKind.all.map(\.words[0])
            throw CommandFailure(
                UsageError(
                    message: "'\(word)' cannot be shown",
                    cure: Spelling.question(about: word, among: words) ?? "one of: \(words.joined(separator: ", "))"
                ),
                command: "show"
            )
        }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let sources = try wanted(arguments.value("--source"), kind, configuration)
        let views = try await StateReading.read(configuration) { store throws(StateError) in
            var views: [(source: SourceEntry, view: SourceView?)] = []
            for source in sources { views.append((source, try await store.view(of: source.name))) }
            return views
        }
        let now = world.clock.now
        if arguments.has("--json") {
            let objects = views.compactMap { entry in entry.view.map { json(entry.source, $0, kind, at: now) } }
            world.terminal.print(Value.list(objects).prettyJSON)
        } else {
            for entry in views { printTable(entry.source, entry.view, kind, world, at: now) }
        }
        return views.contains { $0.view != nil } ? .fine : .somethingFailed
    }

    private static func wanted(
        _ name: String?,
        _ kind: ShownKind,
        _ configuration: Configuration
    ) throws(CommandFailure) -> [SourceEntry] {
        let fitting = configuration.installation.sources.filter { kind.providers.contains($0.plugin.name) }
        guard let name else {
            if fitting.isEmpty {
                let providers = kind.providers.joined(separator: " or ")
                throw CommandFailure(.configuration, "\(configuration.path) has no source with provider: \(providers)")
            }
            return fitting
        }
        guard let source = fitting.first(where: { $0.name == name }) else {
            let cure =
                fitting.isEmpty
                ? "the bot file has none of this kind"
                : "sources of this kind: \(fitting.map(\.name).joined(separator: ", "))"
            throw CommandFailure(
                UsageError(message: "there is no source '\(name)' of this kind", cure: cure),
                command: "show"
            )
        }
        return [source]
    }

    private static func json(_ source: SourceEntry, _ view: SourceView, _ kind: ShownKind, at now: Timestamp) -> Value {
        let records = view.records.filter { $0.type == kind.type }.sorted { $0.key < $1.key }
        return [
            "source": .string(source.name),
            "taken_at": .string(view.takenAt.rfc3339),
            "age_seconds": .int(max(0, (now - view.takenAt).seconds)),
            "student": ["id": .string(view.student.id), "name": .string(view.student.name)],
            "keys": .list(records.map { .string($0.key) }),
            "records": .list(records.map { .map($0.fields) }),
        ]
    }

    private static func printTable(
        _ source: SourceEntry,
        _ view: SourceView?,
        _ kind: ShownKind,
        _ world: World,
        at now: Timestamp
    ) {
        guard let view else {
            world.terminal.print(
                "\(source.name): nothing known yet; the source has not answered since the bot was set up"
            )
            return
        }
        let name = view.student.name.isEmpty ? "" : ", \(view.student.name)"
        world.terminal.print(
            TerminalText.line("\(source.name)\(name), as of \(Age.text(from: view.takenAt, to: now)) ago")
        )
        let records = view.records.filter { $0.type == kind.type }
        guard let shape = source.schema.records.first(where: { $0.name == kind.type }), !records.isEmpty else {
            world.terminal.print("  nothing")
            return
        }
        for row in RecordTable(records, shape: shape, zone: source.zone).lines { world.terminal.print("  " + row) }
    }
}

/// What can be shown: the first record that a provider declares, under the words by which people may call it.
struct ShownKind: Sendable {
    /// The one that the help names comes first.
    var words: [String]
    var type: String
    var providers: [String]

    static let all: [ShownKind] = {
        var kinds: [ShownKind] = []
        for provider in BuiltInPlugins.catalogue.providers {
            let schema = provider.schema(Settings(name: provider.name, values: [:]))
            guard let type = schema.records.first?.name else { continue }
            // Two providers of one record are one kind.
            if let place = kinds.firstIndex(where: { $0.type == type }) {
                kinds[place].providers.append(provider.name)
                continue
            }
            let own = String(provider.name.split(separator: ".").last ?? "")
            // What is named for its form holds items of whatever a list is made of.
            let name = provider.name.hasPrefix("http.") ? type + "s" : own
            let words = [name.hyphenated, name, type, type.hyphenated, type + "s"]
            var seen: Set<String> = []
            kinds.append(
                ShownKind(words: words.filter { seen.insert($0).inserted }, type: type, providers: [provider.name])
            )
        }
        return kinds
    }()
}

extension String {
    fileprivate var hyphenated: String { String(map { $0 == "_" ? "-" : $0 }) }
}
