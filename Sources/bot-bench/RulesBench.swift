import BotCore
import BotRules
import CBench
import Glibc
import Values

/// `bot-bench rules`: how many events a second a book of many rules bears when none of them fires, what a rule costs in memory, and
/// how long checking takes.
enum RulesBench {
    static let subcommands = [
        BotBench.Subcommand(name: "rules", usage: "[RULES] [EVENTS]") { arguments in
            let rules = arguments.first.flatMap { Int($0) } ?? 10_000
            let events = arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
            guard rules > 0, events > 0 else { return 64 }
            return run(rules: rules, events: events)
        }
    ]

    /// Ten kinds, so that a tenth of the rules has the kind of an event.
    private static let kinds = (0..<10).map { "lesson.kind_\($0)" }
    private static let batch = 1000

    private static func run(rules: Int, events: Int) -> Int32 {
        print("scaling, rules that differ in `match`: rules, events, events/s")
        for count in [rules / 10, rules / 3] where count > 0 {
            let book = RuleFiles.load(files(count, isIndexed: true), in: installation).book
            print("  \(count) \(events) \(speed(of: book, events))")
            print("  \(count) \(events / 10) \(speed(of: book, max(1, events / 10)))")
        }
        let blind = RuleFiles.load(files(max(1, rules / 10), isIndexed: false), in: installation).book
        let few = max(1, events / 100)
        print("rules without `match`, each with a condition of its own, which no index can help:")
        print("  \(max(1, rules / 10)) \(few) \(speed(of: blind, few))")

        let texts = files(rules, isIndexed: true)
        let before = cbench_heap_bytes()
        let start = seconds()
        let set = RuleFiles.load(texts, in: installation)
        let check = seconds() - start
        let after = cbench_heap_bytes()
        let bytes = (after > before ? Int(after - before) : 0) / rules
        guard set.complaints.isEmpty, set.ruleCount == rules else {
            print(set.complaints.first?.text ?? "rules are missing")
            return 1
        }
        let rate = speed(of: set.book, events)
        print("rules \(rules) events/s \(rate) bytes/rule \(bytes) check_s \(rounded(check))")
        return 0
    }

    // MARK: Measuring

    /// Events a second; none of them is told.
    private static func speed(of book: RuleBook, _ count: Int) -> Int {
        let now = Timestamp(seconds: 1_780_000_000)
        var told = 0
        var spent = 0.0
        for first in stride(from: 0, to: count, by: batch) {
            let events = (first..<min(count, first + batch)).map(event)
            let start = seconds()
            told += book.decide(on: events, in: RuleContext(now: now)).messages.count
            spent += seconds() - start
        }
        if told > 0 { print("  \(told) messages where none was expected") }
        return Int(Double(count) / max(spent, 1e-9))
    }

    /// Processor time of this thread: what others do on the machine does not count.
    private static func seconds() -> Double { Double(cbench_thread_nanoseconds()) / 1e9 }

    private static func rounded(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    // MARK: Rules and events

    private static let record = RecordShape(
        "lesson",
        "A lesson.",
        fields: [
            FieldShape("id", .string), FieldShape("date", .string), FieldShape("start", .timestamp),
            FieldShape("end", .timestamp), FieldShape("subject", .string), FieldShape("teachers", .list(.string)),
            FieldShape("room", .string), FieldShape("classes", .list(.string)), FieldShape("text", .string),
            FieldShape("state", .string), FieldShape("number", .int),
        ]
    )

    private static let installation: Installation = {
        let schema = SourceSchema(
            records: [record],
            events: kinds.map { EventDeclaration($0, of: "lesson", "A kind.", expiry: .field("end")) }
        )
        let provider = ProviderPlugin(
            name: "bench",
            "",
            interval: .hours(1),
            settings: [],
            schema: { _ in schema },
            make: { _, _, _ in Idle() }
        )
        let sink = SinkPlugin(kind: "bench", "", settings: [], make: { _, _, _ in Idle() })
        var installation = Installation(zone: .utc)
        installation.sources = [
            SourceEntry(
                name: "timetable",
                plugin: provider,
                settings: Settings(name: "timetable", values: ValueMap()),
                schema: schema,
                zone: .utc,
                interval: .hours(1)
            )
        ]
        let settings = Settings(name: "chat", values: ValueMap())
        installation.sinks = [SinkEntry(name: "chat", plugin: sink, settings: settings)]
        return installation
    }()

    /// Neither polls nor delivers.
    private struct Idle: Provider, Sink {
        func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot { Snapshot(records: []) }
        func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] { [] }
        func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] { [] }
        func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt { Receipt() }
    }

    private static func files(_ count: Int, isIndexed: Bool) -> [SourceFile] {
        stride(from: 0, to: count, by: 500).map { start in
            let rules = (start..<min(count, start + 500)).map { rule($0, isIndexed: isIndexed) }
            let text = "version: 1\nrules:\n" + rules.joined()
            return SourceFile(path: "rules/\(start).yaml", bytes: Array(text.utf8))
        }
    }

    private static func rule(_ number: Int, isIndexed: Bool) -> String {
        let match = isIndexed ? "    match: {lesson.classes: [class-\(number), form-\(number)]}\n" : ""
        return """
              - id: rule-\(number)
                when: {event: \(kinds[number % kinds.count])}
            \(match)    if: lesson.number == \(number + 1) && lesson.subject != "REL"
                message: {title: "{{ lesson.subject }} {{ lesson.start | date: '%H:%M' }}", body: "**{{ lesson.room }}**"}
                send: [chat]

            """
    }

    private static func event(_ number: Int) -> Event {
        let start = Timestamp(seconds: 1_780_000_000 + Int64(number))
        let fields: ValueMap = [
            "id": .string("\(number)"), "date": "2026-05-28", "start": .timestamp(start),
            "end": .timestamp(start + .minutes(50)), "subject": "MAT", "teachers": ["RO"], "room": "T101",
            "classes": [.string("none-\(number % 5000)"), "other"], "text": "", "state": "planned", "number": 0,
        ]
        return Event(
            id: "\(number)",
            worldID: "\(number)",
            kind: kinds[number % kinds.count],
            at: start,
            source: "timetable",
            account: "",
            student: .nobody,
            record: Record(key: "\(number)", type: "lesson", fields: fields),
            old: nil,
            changes: [],
            revision: 1
        )
    }
}
