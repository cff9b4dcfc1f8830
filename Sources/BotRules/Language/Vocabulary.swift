import BotCore
import Values

/// What the rules of one installation may speak of: the events, records and queries that its sources declare, and the bot's own health.
///
/// An object, since all rules of a book go by the same one.
final class Vocabulary: Sendable {
    /// An event kind as one source declares it.
    struct Declared: Sendable {
        /// The source's name; empty for the bot's own health.
        let source: String
        let event: EventDeclaration
        let record: RecordShape
    }

    /// A query that one source answers, or several of one student together.
    struct Query: Sendable {
        let sources: [String]
        let declaration: QueryDeclaration
    }

    /// All who declare one event kind, in the order of the sources, and where each of them stands.
    private struct Kind {
        private(set) var declared: [Declared] = []
        private(set) var places: [String: Int] = [:]

        mutating func add(_ entry: Declared) {
            if places[entry.source] == nil { places[entry.source] = declared.count }
            declared.append(entry)
        }
    }

    let installation: Installation
    /// All event kinds, in the order of the sources.
    let kindNames: [String]
    private let sourcePlaces: [String: Int]
    private let sinkLocales: [String: String]
    private let kinds: [String: Kind]
    private let queries: [String: [Query]]

    init(_ installation: Installation) {
        self.installation = installation
        sourcePlaces = Dictionary(installation.sources.enumerated().map { ($1.name, $0) }) { first, _ in first }
        sinkLocales = Dictionary(installation.sinks.compactMap { sink in sink.locale.map { (sink.name, $0) } }) {
            first,
            _ in first
        }
        var names: [String] = []
        var kinds: [String: Kind] = [:]
        var queries: [String: [Query]] = [:]
        let schemas = installation.sources.map { ($0.name, $0.schema) } + [("", Self.healthSchema(of: installation))]
        for (source, schema) in schemas {
            for event in schema.events {
                guard let record = schema.records.first(where: { $0.name == event.record }) else { continue }
                if kinds[event.kind] == nil { names.append(event.kind) }
                kinds[event.kind, default: Kind()].add(Declared(source: source, event: event, record: record))
            }
            for query in schema.queries where !query.isJoint {
                queries[query.name, default: []].append(Query(sources: [source], declaration: query))
            }
        }
        for query in Self.jointQueries(of: installation) { queries[query.declaration.name, default: []].append(query) }
        kindNames = names
        self.kinds = kinds
        self.queries = queries
    }

    /// The declarations about the bot's own health, with the names of this installation.
    private static func healthSchema(of installation: Installation) -> SourceSchema {
        let names = [
            "source": installation.sources.map(\.name) + [""], "sink": installation.sinks.map(\.name),
        ]
        var schema = HealthSchema.schema
        schema.records = schema.records.map { record in
            guard let known = names[record.name] else { return record }
            let fields = record.fields.map { field in
                field.name == "name"
                    ? FieldShape(field.name, field.shape, oneOf: known, field.documentation) : field
            }
            return RecordShape(record.name, record.documentation, fields: fields)
        }
        return schema
    }

    /// The source of a name; nil where there is none.
    func source(_ name: String) -> SourceEntry? { sourcePlaces[name].map { installation.sources[$0] } }

    /// The language that a sink reads, else the bot's.
    func locale(ofSink name: String) -> String { sinkLocales[name] ?? installation.locale }

    /// Whether one of these sources tells of a student.
    func haveStudent(_ sources: Set<String>) -> Bool {
        sources.contains { source($0)?.isAboutStudent ?? false }
    }

    // MARK: Names of the bot file

    /// What `source` can be; empty for some news of the bot's own health.
    var sourceNames: [String] { installation.sources.map(\.name) + [""] }

    /// What `account` can be; empty where a source needs none.
    var accountNames: [String] {
        let names = installation.accounts.map(\.name) + installation.sources.compactMap(\.account)
        return Set(names).sorted() + [""]
    }

    /// Names and ids by which sources and families call students.
    var studentNames: [String] {
        Set(installation.families.flatMap(\.students) + installation.sources.compactMap(\.student)).sorted()
    }

    /// Classes that accounts name.
    var classNames: [String] {
        installation.accounts.compactMap { $0.settings.text("class_name") }.filter { !$0.isEmpty }
    }

    /// By what name the students of these sources are called; nil where a source does not say, or gives an id.
    func studentNames(of sources: Set<String>) -> [String]? {
        var names: Set<String> = []
        for source in sources {
            guard let name = self.source(source)?.student, !name.isNumber else { return nil }
            names.insert(name)
        }
        return names.isEmpty ? nil : names.sorted()
    }

    /// A joint query for each student of each account. What names no student, such as an inbox, belongs to all students of its account.
    private static func jointQueries(of installation: Installation) -> [Query] {
        var queries: [Query] = []
        let sources = installation.sources.filter { $0.isEnabled && $0.account != nil }
        for account in sources.compactMap(\.account).distinct {
            let own = sources.filter { $0.account == account }
            let declared = own.flatMap { $0.schema.queries.filter(\.isJoint) }
            let students = own.compactMap { $0.settings.text("student") }.distinct
            for name in declared.map(\.name).distinct {
                guard let query = declared.first(where: { $0.name == name }) else { continue }
                let answering = own.filter { $0.schema.queries.contains { $0.name == name } }
                for student in students.isEmpty ? [nil] : students.map(Optional.some) {
                    let fitting = answering.filter { source in
                        source.settings.text("student").map { $0 == student } ?? true
                    }
                    if !fitting.isEmpty { queries.append(Query(sources: fitting.map(\.name), declaration: query)) }
                }
            }
        }
        return queries
    }

    /// The kinds that a name or a pattern such as `lesson.*` stands for; none for an unknown one.
    func kinds(named pattern: String) -> [String] {
        guard pattern.hasSuffix(".*") else { return kinds[pattern] == nil ? [] : [pattern] }
        let prefix = pattern.dropLast()
        return kindNames.filter { $0.hasPrefix(prefix) }
    }

    /// Who declares a kind, among the named sources (nil for all).
    func declarations(of kind: String, in sources: Set<String>?) -> [Declared] {
        let all = kinds[kind]?.declared ?? []
        guard let sources else { return all }
        return all.filter { sources.contains($0.source) }
    }

    /// Whether another source of the same school may tell of the same change.
    func othersMaySee(_ event: Event) -> Bool {
        guard event.record.worldKey != nil, let school = source(event.source)?.school?.name else { return false }
        return declarations(of: event.kind, in: nil).contains { declared in
            declared.source != event.source && source(declared.source)?.school?.name == school
        }
    }

    func declaration(of event: Event) -> EventDeclaration? { declaration(of: event.kind, in: event.source) }

    /// How a source declares a kind; one that does not, how another one does.
    func declaration(of kind: String, in source: String) -> EventDeclaration? {
        kinds[kind].map { $0.declared[$0.places[source] ?? 0].event }
    }

    var queryNames: [String] { queries.keys.sorted() }

    /// All queries that sources declare, also those that need an account which this installation does not have.
    var declaredQueryNames: [String] {
        Set(installation.sources.flatMap { $0.schema.queries.map(\.name) }).sorted()
    }

    func answers(to query: String) -> [Query] { queries[query] ?? [] }

    /// The sources with a record of a type, with its shape.
    func sources(with record: String) -> [(source: SourceEntry, shape: RecordShape)] {
        installation.sources.compactMap { source in
            source.schema.records.first { $0.name == record }.map { (source, $0) }
        }
    }

    /// The fields of a record at which news of it are stale.
    func expiryFields(of record: String) -> Set<String> {
        let events = installation.sources.flatMap(\.schema.events).filter { $0.record == record }
        return Set(
            events.compactMap { event in
                if case .field(let name) = event.expiry { name } else { nil }
            }
        )
    }

    /// The names of all records that sources have.
    var recordNames: [String] {
        installation.sources.flatMap { $0.schema.records.map(\.name) }.distinct
    }
}

extension [String] {
    /// Each once, in their order.
    fileprivate var distinct: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension SourceEntry {
    /// The student whom the bot file names for it, by name or id.
    var student: String? { settings.text("student") }

    /// Whether what it tells is about a student: those that can be given one are, and no others.
    var isAboutStudent: Bool { plugin.settings.contains { $0.key == "student" } }
}

extension String {
    /// Whether it can be the id of a student, which the bot file need not know.
    var isNumber: Bool { !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
}
