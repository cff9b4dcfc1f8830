import Synchronization
import Values

/// The groups that have become supergroups, and their new numbers: what the sink asks to be remembered of it.
final class ChatMoves: Sendable {
    /// By what the settings or the rule call the chat.
    private let moved: Mutex<[String: Int64]>

    /// - Parameter memo: what `memo` was at the last delivery; `.null` at first.
    init(_ memo: Value) {
        let pairs = memo["moved"].map?.compactMap { pair in pair.value.integer.map { (pair.key.plainText, $0) } } ?? []
        moved = Mutex(Dictionary(pairs) { _, last in last })
    }

    /// Where a chat is now.
    func place(of chat: TelegramChat) -> TelegramChat {
        moved.withLock { $0[chat.text] }.map { .number($0) } ?? chat
    }

    func note(_ chat: TelegramChat, movedTo number: Int64) { moved.withLock { $0[chat.text] = number } }

    /// Nil while no chat has moved.
    var memo: Value? {
        let pairs = moved.withLock { $0 }.sorted { $0.key < $1.key }
        return pairs.isEmpty ? nil : ["moved": .map(ValueMap(pairs.map { (.string($0.key), .int($0.value)) }))]
    }
}
