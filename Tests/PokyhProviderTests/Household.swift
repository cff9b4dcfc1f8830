import BotCore
import BotTestKit
import PokyhProvider
import Testing
import Values

/// One account at a scripted backend and the sources made from it.
struct Household {
    let backend: ScriptedBackend
    let account: any Account

    init(_ backend: ScriptedBackend, password: String = "geheim", key: String = "key") throws {
        self.backend = backend
        let settings = Settings(
            name: "anna",
            values: ["user": "anna", "login": "password"],
            secrets: ["password": Secret(password), "api_key": Secret(key)]
        )
        account = try PokyhPlugins.account.make(settings, nil, Self.tools(backend))
    }

    static func tools(_ http: any HTTPClient, log: Log = .silent) -> Tools {
        Tools(http: http, mail: NoMail(), log: log, print: { _ in true }, hasColours: false)
    }

    func source(_ plugin: ProviderPlugin, _ values: ValueMap = [:], withAccount: Bool = true) throws -> Source {
        var all: ValueMap = [:]
        for setting in plugin.settings {
            if let standard = setting.standard { all[setting.key] = standard }
        }
        for (key, value) in values { all[key] = value }
        let settings = Settings(name: "source", values: all)
        let schema = plugin.schema(settings)
        let provider = try plugin.make(settings, withAccount ? account : nil, Self.tools(backend))
        return Source(provider: provider, memory: SourceMemory(schema), schema: schema)
    }
}

/// A source with its memory.
struct Source {
    let provider: any Provider
    var memory: SourceMemory
    let schema: SourceSchema
    var lastSnapshot: Snapshot?

    /// Polls once; what is told is empty for the first poll.
    mutating func poll(at now: Timestamp = Fixtures.monday) async throws -> [Occurrence] {
        let snapshot = try await provider.fetch(memory.request(at: now, in: Fixtures.rome))
        for record in snapshot.records ?? [] {
            let shape = try #require(schema.records.first { $0.name == record.type })
            for field in shape.fields where !field.isOptional {
                #expect(record.fields[field.name] != nil, "\(field.name) is missing")
            }
            for (key, _) in record.fields {
                #expect(shape.field(key.plainText) != nil, "\(key.plainText) is not declared")
            }
        }
        lastSnapshot = snapshot
        guard let difference = memory.take(snapshot, at: now) else { return [] }
        return provider.interpret(difference, in: InterpretationContext(now: now, zone: Fixtures.rome))
    }

    func query(_ name: String, at now: Timestamp = Fixtures.monday) throws -> ValueMap {
        let query = try #require(schema.queries.first { $0.name == name })
        let answer = query.answer(
            memory.stored.values.map(\.record),
            QueryContext(now: now, zone: Fixtures.rome, locale: "de")
        )
        for field in query.result.fields where !field.isOptional { #expect(answer[field.name] != nil) }
        return answer
    }
}

extension Occurrence {
    func text(_ field: String) -> String { record.fields[field]?.string ?? "" }
}

/// The error of a call that must fail.
func failure(_ body: () async throws -> Void) async -> PluginError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? PluginError
    }
}
