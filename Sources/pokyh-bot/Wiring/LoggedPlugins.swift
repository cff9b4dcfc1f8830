import BotCore
import Values

/// Says at `debug` what a provider answered; names of students may appear there.
struct LoggedProvider: Provider {
    let name: String
    let inner: any Provider
    let log: Log

    var looksAtKnownKeys: Bool { inner.looksAtKnownKeys }

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        do throws(PluginError) {
            let snapshot = try await inner.fetch(request)
            let count = snapshot.records.map { $0.count.counted("record") } ?? "unchanged"
            log(.debug, "source \(name): \(count), \(snapshot.unreadable) unreadable, student \(snapshot.student.name)")
            return snapshot
        } catch {
            log(.debug, "source \(name): \(error.message)" + (error.evidence.map { "; the answer was: \($0)" } ?? ""))
            throw error
        }
    }

    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        let occurrences = inner.interpret(difference, in: context)
        for occurrence in occurrences { log(.debug, "source \(name): \(occurrence.kind) \(occurrence.record.key)") }
        return occurrences
    }
}

/// Says at `debug` what a sink was given and answered; recipients and titles appear there.
struct LoggedSink: Sink {
    let inner: any Sink
    let log: Log

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        try inner.prepare(message, at: now)
    }

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        let place = "sink \(payload.sink): \(payload.id) to '\(payload.recipient)'"
        do throws(PluginError) {
            let receipt = try await inner.deliver(payload, at: now)
            log(.debug, "\(place) delivered" + (receipt.remoteID.map { " as \($0)" } ?? ""))
            return receipt
        } catch {
            log(.debug, "\(place) failed: \(error.message)" + (error.evidence.map { "; the answer was: \($0)" } ?? ""))
            throw error
        }
    }

    func forgetRefusal() async { await inner.forgetRefusal() }
}
