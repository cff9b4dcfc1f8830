import BotCore
import BotTestKit
import Synchronization
import Values

/// Something that a test turns on and off.
final class Switch: Sendable {
    private let state: Mutex<Bool>
    init(_ isOn: Bool) { state = Mutex(isOn) }
    var isOn: Bool { state.withLock { $0 } }
    func set(_ isOn: Bool) { state.withLock { $0 = isOn } }
}

/// A sink that nobody reaches while it is down.
struct SwitchedSink: Sink {
    let base: RecordingSink
    let isDown: Switch

    init(_ base: RecordingSink, _ isDown: Switch) {
        self.base = base
        self.isDown = isDown
    }

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        try base.prepare(message, at: now)
    }

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        if isDown.isOn { throw .transient("connection refused") }
        return try await base.deliver(payload, at: now)
    }
}
