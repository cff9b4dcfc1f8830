import BotCore
import BotEngine
import Values

/// A sink that shows what it would send.
struct RehearsedSink: Sink {
    let inner: any Sink
    let terminal: Terminal

    static func wrapping(_ setup: SinkSetup, terminal: Terminal) -> SinkSetup {
        var setup = setup
        setup.sink = RehearsedSink(inner: setup.sink, terminal: terminal)
        return setup
    }

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        try inner.prepare(message, at: now)
    }

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        let to = payload.recipient.isEmpty ? "" : " to \(payload.recipient)"
        let part = payload.parts > 1 ? ", part \(payload.part) of \(payload.parts)" : ""
        let head = "── would be sent through \(payload.sink)\(to)\(part) by the rule \(payload.rule)"
        let lines = payload.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in [head] + lines.map({ "  " + $0 }) { terminal.print(TerminalText.line(line)) }
        return Receipt()
    }
}
