public import BotCore
import Synchronization
public import Values

/// A sink that remembers what it was handed and answers what it is told to; once the script is used up it takes everything.
public final class RecordingSink: Sink {
    /// What a delivery is answered.
    public enum Answer: Sendable {
        case taken
        /// Taken, and `memo` is to be remembered.
        case takenRemembering(Value)
        case refused(PluginError)
        /// It arrives, and the answer is lost.
        case arrivedWithoutAnswer
        /// Waits for its task to be cancelled, and may have arrived.
        case wait
        /// Waits for its task to be cancelled, and says this then.
        case waitThenRefuse(PluginError)
    }

    private struct State {
        var answers: [Answer]
        var tried: [Payload] = []
        var arrived: [Payload] = []
        var running = 0
        var mostRunning = 0
    }
    private let state: Mutex<State>
    private let recipients: [String]
    private let parts: Int
    private let refusal: @Sendable (Message) -> PluginError?
    private let beforeAnswer: @Sendable (Payload) async -> Void

    /// - Parameters:
    ///   - recipients: one payload each; those of the message come first.
    ///   - parts: how many parts each message has.
    ///   - refusal: why `prepare` cannot put a message into form, if so.
    ///   - beforeAnswer: runs in every delivery before its answer.
    public init(
        _ answers: [Answer] = [],
        recipients: [String] = [""],
        parts: Int = 1,
        refusal: @escaping @Sendable (Message) -> PluginError? = { _ in nil },
        beforeAnswer: @escaping @Sendable (Payload) async -> Void = { _ in }
    ) {
        state = Mutex(State(answers: answers))
        self.recipients = recipients
        self.parts = parts
        self.refusal = refusal
        self.beforeAnswer = beforeAnswer
    }

    /// Every payload that was handed over, in order.
    public var tried: [Payload] { state.withLock { $0.tried } }
    /// Those that arrived.
    public var arrived: [Payload] { state.withLock { $0.arrived } }
    public var mostRunning: Int { state.withLock { $0.mostRunning } }

    /// Adds what the next deliveries are answered, in order.
    public func then(_ answers: Answer...) { state.withLock { $0.answers += answers } }

    public func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        if let error = refusal(message) { throw error }
        let all = message.recipients.isEmpty ? recipients : message.recipients
        return all.flatMap { recipient in
            (1...parts).map { part in
                Payload(
                    id: [message.id, recipient, String(part)].filter { !$0.isEmpty }.joined(separator: "."),
                    message: message.id,
                    rule: message.rule,
                    sink: message.sink,
                    recipient: recipient,
                    part: part,
                    parts: parts,
                    orderKey: message.orderKey,
                    createdAt: now,
                    expires: message.expires,
                    text: message.title.plain,
                    content: .string(message.body.plain)
                )
            }
        }
    }

    public func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        let answer = state.withLock { state -> Answer in
            state.tried.append(payload)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            return state.answers.isEmpty ? .taken : state.answers.removeFirst()
        }
        defer { state.withLock { $0.running -= 1 } }
        await beforeAnswer(payload)
        switch answer {
        case .taken: return arrive(payload, Receipt(remoteID: "far-\(payload.id)"))
        case .takenRemembering(let memo): return arrive(payload, Receipt(sinkMemo: memo))
        case .refused(let error): throw error
        case .arrivedWithoutAnswer:
            _ = arrive(payload, Receipt())
            throw .uncertain("the connection ended before the answer")
        case .wait:
            while !Task.isCancelled { await Task.yield() }
            throw .uncertain("cancelled")
        case .waitThenRefuse(let error):
            while !Task.isCancelled { await Task.yield() }
            throw error
        }
    }

    private func arrive(_ payload: Payload, _ receipt: Receipt) -> Receipt {
        state.withLock { $0.arrived.append(payload) }
        return receipt
    }
}
