import BotCore
import BotTestKit
import BotEngine
import HTTPJSONProvider
import Synchronization
import Values

/// Answers every request with what the test lined up, the last answer again and again, and remembers the requests.
final class ScriptedAddress: HTTPClient {
    private let state: Mutex<(answers: [Result<HTTPResponse, PluginError>], requests: [HTTPRequest])>

    init(_ answers: HTTPResponse...) { state = Mutex((answers.map { .success($0) }, [])) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func answer(_ answers: HTTPResponse...) { answer(answers) }
    func answer(_ answers: [HTTPResponse]) { state.withLock { $0.answers = answers.map { .success($0) } } }
    func fail(_ error: PluginError) { state.withLock { $0.answers = [.failure(error)] } }

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            guard let first = state.answers.first else {
                return Result<HTTPResponse, PluginError>.failure(.permanent("no answer lined up"))
            }
            if state.answers.count > 1 { state.answers.removeFirst() }
            return first
        }
        return try answer.get()
    }
}

extension HTTPResponse {
    static func json(_ body: Value, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "application/json")] + headers,
            body: body.jsonBytes
        )
    }

    static func page(_ status: Int, _ text: String, type: String = "text/html; charset=utf-8") -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", type)], body: Array(text.utf8))
    }
}

extension HTTPRequest {
    func field(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A source as the engine keeps it: its state and rows, compared by the engine's own differ.
struct Source {
    static let now = Timestamp(seconds: 1_796_022_000)  // 2026-11-30T07:00:00Z
    static let url = "https://club.example.org/events.json?key=SECRET"
    static let rome = Zone("Europe/Rome") ?? .utc

    let provider: any Provider
    let schema: SourceSchema
    var state = SourceState()
    var rows: [StoredRecord] = []
    var last: Snapshot?

    init(_ http: any HTTPClient, _ extra: ValueMap = ["items": "events"], secrets: [String: Secret] = [:]) throws {
        var values: ValueMap = ["key": "id"]
        for setting in HTTPJSONPlugin.items.settings {
            if let standard = setting.standard { values[setting.key] = standard }
        }
        for pair in extra { values[pair.key] = pair.value }
        let all = secrets.merging(["url": Secret(Self.url)]) { given, _ in given }
        let settings = Settings(name: "club", values: values, secrets: all)
        let tools = Tools(http: http, mail: NoMail(), log: .silent, print: { _ in true }, hasColours: false)
        schema = HTTPJSONPlugin.items.schema(settings)
        provider = try HTTPJSONPlugin.items.make(settings, nil, tools)
    }

    /// Polls once, so long after the first time, and tells what came of it.
    mutating func poll(after span: TimeSpan = .zero) async throws -> [Occurrence] {
        let now = Self.now + span
        let keys = Set(rows.map(\.record.key))
        let request = FetchRequest(now: now, zone: Self.rome, memo: state.memo, knownKeys: keys)
        let snapshot = try await provider.fetch(request)
        last = snapshot
        let comparison = Differ(snapshot, state: state, stored: StoredRecords(present: rows), schema: schema)
            .compare(at: now)
        state = comparison.state
        let put = Dictionary(comparison.put.map { ($0.record.key, $0) }) { first, _ in first }
        rows = rows.filter { comparison.gone[$0.record.key] == nil && put[$0.record.key] == nil } + comparison.put
        guard let difference = comparison.difference else { return [] }
        return provider.interpret(difference, in: InterpretationContext(now: Self.now, zone: Self.rome))
    }

    /// The error of a poll, which leaves everything as it was.
    mutating func failure() async -> PluginError? {
        do {
            _ = try await poll()
            return nil
        } catch {
            return error as? PluginError
        }
    }

    func fields(_ key: String) -> ValueMap { rows.first { $0.record.key == key }?.record.fields ?? [:] }
}
