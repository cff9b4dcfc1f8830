import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot show KIND`.
enum ShowCommand {
    /// What people ask for, and the record type behind it.
    private static let kinds: [(word: String, type: String)] = [
        ("timetable", "lesson"), ("grades", "grade"), ("mensa", "dish"), ("messages", "message"),
        ("reminders", "reminder"), ("class", "school_class"),
    ]

    static let command = Command(
        "show",
        operands: kinds.map(\.word).joined(separator: "|"),
        "shows what a source last answered",
        details: [
            "Reads the last good snapshot from the state folder and says how old it is; asks nobody.",
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
        guard let type = kinds.first(where: { $0.word == word })?.type else {
            let words = kinds.map(\.word)
            throw CommandFailure(
                UsageError(
                    message: "'\(word)' cannot be shown",
                    cure: Spelling.question(about: word, among: words) ?? "one of: \(words.joined(separator: ", "))"
                ),
                command: "show"
            )
        }
        let configuration = try Configuration.load(try Configuration.path(arguments), in: world, secrets: .standIns)
        let sources = try wanted(arguments.value("--source"), type, configuration)
        let views = try await StateReading.read(configuration) { store throws(StateError) in
            var views: [(source: SourceEntry, view: SourceView?)] = []
            for source in sources { views.append((source, try await store.view(of: source.name))) }
            return views
        }
        let now = world.clock.now
        if arguments.has("--json") {
            let objects = views.compactMap { entry in entry.view.map { json(entry.source, $0, type, at: now) } }
            world.terminal.print(Value.list(objects).prettyJSON)
        } else {
            for entry in views { printTable(entry.source, entry.view, type, world, at: now) }
        }
        return views.contains { $0.view != nil } ? .fine : .somethingFailed
    }

    private static func wanted(
        _ name: String?,
        _ type: String,
        _ configuration: Configuration
    ) throws(CommandFailure) -> [SourceEntry] {
        let fitting = configuration.installation.sources.filter { $0.schema.records.contains { $0.name == type } }
        guard let name else {
            if fitting.isEmpty {
                throw CommandFailure(.configuration, "\(configuration.path) has no source of this kind")
            }
            return fitting
        }
        guard let source = fitting.first(where: { $0.name == name }) else {
            throw CommandFailure(
                UsageError(
                    message: "there is no source '\(name)' of this kind",
                    cure: "sources of this kind: \(fitting.map(\.name).joined(separator: ", "))"
                ),
                command: "show"
            )
        }
        return [source]
    }

    private static func json(_ source: SourceEntry, _ view: SourceView, _ type: String, at now: Timestamp) -> Value {
        [
            "source": .string(source.name),
            "taken_at": .string(view.takenAt.rfc3339),
            "age_seconds": .int(max(0, (now - view.takenAt).seconds)),
            "student": ["id": .string(view.student.id), "name": .string(view.student.name)],
            "records": .list(view.records.filter { $0.type == type }.map { .map($0.fields) }),
        ]
    }

    private static func printTable(
        _ source: SourceEntry,
        _ view: SourceView?,
        _ type: String,
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
        world.terminal.print("\(source.name)\(name), as of \(Age.text(from: view.takenAt, to: now)) ago")
        let rows = RecordTable.rows(of: view.records.filter { $0.type == type }, type, zone: source.zone)
        for row in rows { world.terminal.print("  " + row) }
        if rows.isEmpty { world.terminal.print("  nothing") }
    }
}

/// Records as lines for a terminal, one form for each type.
enum RecordTable {
    static func rows(of records: [Record], _ type: String, zone: Zone) -> [String] {
        let sorted = records.sorted { sortKey($0, type) < sortKey($1, type) }
        let cells = sorted.map { columns($0.fields, type, zone) }
        let widths = (cells.first ?? []).indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            let padded = zip(row, widths).map { text, width in text + String(repeating: " ", count: width - text.count)
            }
            return TerminalText.line(padded.joined(separator: "  "))
        }
    }

    private static func sortKey(_ record: Record, _ type: String) -> String {
        let fields = record.fields
        let time = ["start", "remind_at", "sent"].compactMap { fields[$0]?.timestamp?.rfc3339 }.first ?? ""
        return (fields["date"]?.plainText ?? "") + time + record.key
    }

    private static func columns(_ fields: ValueMap, _ type: String, _ zone: Zone) -> [String] {
        let text = { (name: String) in fields[name]?.plainText ?? "" }
        let list = { (name: String) in (fields[name]?.list ?? []).map(\.plainText).joined(separator: ", ") }
        let time = { (name: String) in fields[name]?.timestamp.map { zone.reading(at: $0).time.description } ?? "" }
        let moment = { (name: String) in
            fields[name]?.timestamp.map { "\(zone.reading(at: $0).date) \(zone.reading(at: $0).time)" } ?? ""
        }
        switch type {
        case "lesson":
            return [
                text("date"), "\(time("start"))–\(time("end"))", text("subject"), text("room"), list("teachers"),
                text("state"),
                text("text"),
            ]
        case "grade": return [text("date"), text("subject"), text("mark"), text("kind"), text("text")]
        case "dish": return [text("date"), text("category"), text("name"), text("price_text")]
        case "message": return [moment("sent"), text("sender"), text("subject")]
        case "school_class": return [text("state") == "found" ? text("name") : text("state"), text("id")]
        case "reminder": return [moment("remind_at"), text("title"), text("body")]
        default: return [fields.pairs.map { "\($0.key.plainText)=\($0.value.plainText)" }.joined(separator: " ")]
        }
    }
}
