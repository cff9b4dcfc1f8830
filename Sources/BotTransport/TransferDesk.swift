import BotCore
import CCurl
import Values

/// What the loop's thread holds: who waits, who is on the way, which handles are free. Belongs to that thread alone.
final class TransferDesk {
    private let multi: UnsafeMutableRawPointer
    private let settings: HTTPSettings
    private var queue: HostQueue<Transfer>
    private var running: [UInt64: (transfer: Transfer, easy: EasyHandle)] = [:]
    private var free: [EasyHandle] = []

    /// Handles kept for the next transfers; each has some 10 KiB.
    private static let mostFree = 16
    /// With nothing to do the thread looks up once a minute, for nothing: a new transfer wakes it.
    private static let longestWait: Int64 = 60_000

    init(multi: UnsafeMutableRawPointer, _ settings: HTTPSettings) {
        self.multi = multi
        self.settings = settings
        queue = HostQueue(policies: settings.hosts)
    }

    func enqueue(_ transfer: Transfer) {
        queue.join(transfer, host: transfer.address.host)
    }

    func cancel(_ id: UInt64) {
        if let waiting = queue.withdraw(where: { $0.id == id }) {
            waiting.end(
                .failure(.transient("The request to \(waiting.address.shown) was cancelled before it was sent."))
            )
        } else {
            breakOff(id, "was cancelled")
        }
    }

    func abortAll() {
        for waiting in queue.withdrawAll() {
            waiting.end(.failure(.transient(TransferEnd.closed(waiting.address))))
        }
        for id in Array(running.keys) { breakOff(id, "was broken off because the program ends") }
    }

    private func breakOff(_ id: UInt64, _ reason: String) {
        guard let (transfer, easy) = running[id] else { return }
        let end = TransferEnd(of: transfer, easy, code: CURLE_ABORTED_BY_CALLBACK)
        let error = end.notWhole("The request to \(transfer.address.shown) \(reason)")
        finish(id, .failure(error))
    }

    /// Lets libcurl work, ends what has ended, starts what has its turn.
    func work(now: TimeSpan) {
        var count: Int32 = 0
        curl_multi_perform(multi, &count)
        while let message = curl_multi_info_read(multi, &count) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle,
                let id = EasyHandle.owner(of: raw, as: Transfer.self)?.id, let (transfer, easy) = running[id]
            else { continue }
            let end = TransferEnd(of: transfer, easy, code: message.pointee.data.result)
            finish(transfer.id, end.outcome)
        }
        queue.admit(now: now).forEach(start)
    }

    /// How long the thread may wait if nothing comes. libcurl shortens it by its own timers.
    func waitMilliseconds(now: TimeSpan) -> Int32 {
        guard let turn = queue.nextTurn else { return Int32(Self.longestWait) }
        let span = turn - now
        return Int32(max(0, min(Self.longestWait, span.milliseconds + 1)))
    }

    private func start(_ transfer: Transfer) {
        guard let easy = free.popLast() ?? EasyHandle() else {
            queue.finish(host: transfer.address.host)
            transfer.end(.failure(.transient("libcurl has no handle left: the machine is short of memory.")))
            return
        }
        running[transfer.id] = (transfer, easy)
        easy.prepare(transfer, settings)
        if easy.hasRefusedOption {
            let why =
                "libcurl on this machine lacks a setting that is needed for safety: libcurl 7.87 or later is required."
            finish(transfer.id, .failure(.permanent(why)), wasAdded: false)
        } else if curl_multi_add_handle(multi, easy.raw) != CURLM_OK {
            let why = "libcurl did not take the request to \(transfer.address.shown)."
            finish(transfer.id, .failure(.transient(why)), wasAdded: false)
        }
    }

    private func finish(_ id: UInt64, _ outcome: Transfer.Outcome, wasAdded: Bool = true) {
        guard let (transfer, easy) = running.removeValue(forKey: id) else { return }
        queue.finish(host: transfer.address.host)
        if wasAdded { curl_multi_remove_handle(multi, easy.raw) }
        // Also lets go of all pointers to the transfer.
        easy.reset()
        if free.count < Self.mostFree { free.append(easy) }
        transfer.end(outcome)
    }
}
