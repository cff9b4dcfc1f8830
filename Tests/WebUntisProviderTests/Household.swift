import BotCore
import BotTestKit
import Testing
import Values
import WebUntisProvider

/// One account at a scripted school and the sources made from it, polled as the engine would.
struct Household {
    let school: ScriptedSchool
    let account: any Account

    init(
        _ school: ScriptedSchool,
        user: String = "testina.musterhofer",
        password: String = "pä ss@#1 ",
        schoolName: String = "lbs-brixen",
        server: String = "lbs-brixen.webuntis.com"
    ) throws {
        self.school = school
        let settings = Settings(
            name: "kind-a",
            values: ["user": .string(user)],
            secrets: ["password": Secret(password)]
        )
        account = try WebUntisPlugins.account.make(
            settings,
            School(name: "lbs", server: server, school: schoolName, zone: Fixtures.rome),
            Self.tools(school)
        )
    }

    static func tools(_ http: any HTTPClient) -> Tools {
        Tools(http: http, mail: NoMail(), log: .silent, print: { _ in true }, hasColours: false)
    }

    func source(_ plugin: ProviderPlugin, _ values: ValueMap = [:]) throws -> Source {
        var all: ValueMap = [:]
        for setting in plugin.settings {
            if let standard = setting.standard { all[setting.key] = standard }
        }
        for (key, value) in values { all[key] = value }
        let settings = Settings(name: "source", values: all)
        return Source(
            provider: try plugin.make(settings, account, Self.tools(school)),
            memory: SourceMemory(plugin.schema(settings)),
            schema: plugin.schema(settings)
        )
    }
}

/// A source with its memory.
struct Source {
    let provider: any Provider
    var memory: SourceMemory
    let schema: SourceSchema
    var lastSnapshot: Snapshot?

    /// Polls once; what is told is empty for the first poll.
    ///
    /// - Parameter others: records of the student's other sources.
    mutating func poll(at now: Timestamp = Fixtures.monday, others: [Record] = []) async throws -> [Occurrence] {
        let snapshot = try await provider.fetch(memory.request(at: now, in: Fixtures.rome))
        try checkShape(of: snapshot)
        lastSnapshot = snapshot
        guard let difference = memory.take(snapshot, at: now) else { return [] }
        return provider.interpret(
            difference,
            in: InterpretationContext(now: now, zone: Fixtures.rome, otherRecords: others)
        )
    }

    /// Every record holds what its declaration promises, and nothing else.
    private func checkShape(of snapshot: Snapshot) throws {
        let records = snapshot.records ?? []
        #expect(Set(records.map(\.key)).count == records.count)
        for record in records {
            let shape = try #require(schema.records.first { $0.name == record.type })
            for field in shape.fields where !field.isOptional {
                #expect(record.fields[field.name] != nil, "\(record.type).\(field.name) is missing")
            }
            for (key, value) in record.fields {
                let field = try #require(shape.field(key.plainText), "\(record.type).\(key.plainText) is not declared")
                #expect(Self.fits(value, field.shape), "\(record.type).\(field.name) is \(value.kindName)")
            }
        }
    }

    private static func fits(_ value: Value, _ shape: Shape) -> Bool {
        switch (value, shape) {
        case (.string, .string), (.bool, .bool), (.int, .int), (.double, .double), (.timestamp, .timestamp): true
        case (.list(let list), .list(let element)): list.allSatisfy { fits($0, element) }
        default: shape == .any
        }
    }

    func query(_ name: String, at now: Timestamp = Fixtures.monday) throws -> ValueMap {
        let query = try #require(schema.queries.first { $0.name == name })
        let answer = query.answer(
            memory.stored.values.map(\.record),
            QueryContext(now: now, zone: Fixtures.rome, locale: "de")
        )
        for field in query.result.fields where !field.isOptional { #expect(answer[field.name] != nil) }
        for (key, _) in answer { #expect(query.result.field(key.plainText) != nil) }
        return answer
    }
}

extension Occurrence {
    func text(_ field: String) -> String { record.fields[field]?.string ?? "" }
    func oldText(_ field: String) -> String { old?.fields[field]?.string ?? "" }
    /// `lesson.cancelled MAT 07:50–08:40`.
    var line: String { [kind, text("subject"), text("time")].filter { !$0.isEmpty }.joined(separator: " ") }
}
