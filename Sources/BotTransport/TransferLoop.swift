import BotCore
import CCurl
import Glibc
import Synchronization
import Values

/// The thread that runs all transfers, and the way in for other threads.
///
/// Tasks leave what they want in the inbox and wake the thread; it empties the inbox, starts what has its turn, lets libcurl work and
/// waits in `curl_multi_poll`. A wake-up that comes between two waits makes the next one return at once, so that none is lost.
final class TransferLoop: Sendable {
    private struct Inbox {
        var added: [Transfer] = []
        var cancelled: [UInt64] = []
        var isStopping = false
        /// The multi handle is about to go: no further wake-up may touch it.
        var isClosed = false
        /// It has gone, and with it all connections.
        var isGone = false
        var waitingForClose: [CheckedContinuation<Void, Never>] = []

        /// The thread is being woken for what lies here, and has not come to take it.
        var hasNews: Bool { isStopping || !added.isEmpty || !cancelled.isEmpty }
    }

    /// Safe to share: other threads use it for `curl_multi_wakeup` alone, the one call that libcurl allows from them, and while they are
    /// counted in `wakers`.
    private struct Multi: @unchecked Sendable {
        let raw: UnsafeMutableRawPointer
    }

    private let inbox = Mutex(Inbox())
    /// How many threads are waking the loop's. Grows under the inbox's lock, and not once `isClosed`.
    private let wakers = Atomic<Int>(0)
    private let ids = Atomic<UInt64>(0)
    private let multi: Multi

    init(_ settings: HTTPSettings) throws(PluginError) {
        guard Libcurl.isReady, let raw = curl_multi_init() else {
            throw .transient("libcurl could not be set up: the machine is short of memory.")
        }
        multi = Multi(raw: raw)
        // The default follows the number of transfers under way, so that kept connections of finished ones would be closed (measured:
        // 57 to 128 connections instead of 32 for 5,000 requests).
        _ = curl_wall_set_multi_number(raw, CURLMOPT_MAXCONNECTS, 32)
        _ = curl_wall_set_multi_number(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        do throws(PluginError) {
            try startThread { [self] in work(settings) }
        } catch {
            curl_multi_cleanup(raw)
            throw error
        }
    }

    /// Changes the inbox and wakes the thread: once for all that comes before the thread does, and when the lock is free, which the thread
    /// would otherwise meet taken (measured: one part in fifty of a run over 500 sources went into its waiting).
    private func post(_ change: (inout Inbox) -> Void) {
        let wakes = inbox.withLock { inbox in
            let isAwaited = inbox.hasNews
            change(&inbox)
            if isAwaited || inbox.isClosed { return false }
            wakers.add(1, ordering: .relaxed)
            return true
        }
        guard wakes else { return }
        curl_multi_wakeup(multi.raw)
        wakers.subtract(1, ordering: .releasing)
    }

    func run(
        _ request: HTTPRequest,
        at address: WebAddress,
        fields: [String],
        proxy: String?
    ) async throws(PluginError) -> HTTPResponse {
        let id = ids.add(1, ordering: .relaxed).newValue
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Transfer.Outcome, Never>) in
                let transfer = Transfer(
                    id: id,
                    request: request,
                    address: address,
                    fields: fields,
                    proxy: proxy,
                    continuation: continuation
                )
                add(transfer)
            }
        } onCancel: {
            post { $0.cancelled.append(id) }
        }
        return try outcome.get()
    }

    private func add(_ transfer: Transfer) {
        var isRefused = false
        post { inbox in
            isRefused = inbox.isStopping
            guard !isRefused else { return }
            inbox.added.append(transfer)
            // The cancellation may have been taken out of the inbox before the transfer was put in.
            if Task.isCancelled { inbox.cancelled.append(transfer.id) }
        }
        if isRefused { transfer.end(.failure(.transient(TransferEnd.closed(transfer.address)))) }
    }

    func stop() { post { $0.isStopping = true } }

    func close() async {
        await withCheckedContinuation { continuation in
            var isGone = false
            post { inbox in
                isGone = inbox.isGone
                inbox.isStopping = true
                if !isGone { inbox.waitingForClose.append(continuation) }
            }
            if isGone { continuation.resume() }
        }
    }

    /// The thread's whole life.
    private func work(_ settings: HTTPSettings) {
        let desk = TransferDesk(multi: multi.raw, settings)
        while true {
            let (added, cancelled, isStopping) = takeNews()
            added.forEach(desk.enqueue)
            cancelled.forEach(desk.cancel)
            if isStopping { break }
            desk.work(now: monotonicNow())
            curl_multi_poll(multi.raw, nil, 0, desk.waitMilliseconds(now: monotonicNow()), nil)
        }
        desk.abortAll()
        inbox.withLock { $0.isClosed = true }
        while wakers.load(ordering: .acquiring) > 0 { sched_yield() }
        curl_multi_cleanup(multi.raw)
        let closers = inbox.withLock { inbox in
            inbox.isGone = true
            return inbox.waitingForClose
        }
        closers.forEach { $0.resume() }
    }

    private func takeNews() -> (added: [Transfer], cancelled: [UInt64], isStopping: Bool) {
        inbox.withLock { inbox in
            let news = (inbox.added, inbox.cancelled, inbox.isStopping)
            (inbox.added, inbox.cancelled) = ([], [])
            return news
        }
    }
}
