import BotCore
import CCurl
import Glibc
import Synchronization
import Values

/// One mail on its way through a lane.
final class MailJob: Sendable {
    typealias Outcome = Result<Receipt, PluginError>

    let mail: OutgoingMail
    private let continuation: CheckedContinuation<Outcome, Never>
    private let isCancelled = Atomic(false)

    init(_ mail: OutgoingMail, _ continuation: CheckedContinuation<Outcome, Never>) {
        self.mail = mail
        self.continuation = continuation
    }

    var hasBeenCancelled: Bool { isCancelled.load(ordering: .relaxed) }
    func cancel() { isCancelled.store(true, ordering: .relaxed) }
    func end(_ outcome: Outcome) { continuation.resume(returning: outcome) }
}

/// The way to one account of one mail server: a thread of its own, one mail after the other, over one connection while mail comes.
final class MailLane: Sendable {
    private struct State {
        var waiting: [MailJob] = []
        var current: MailJob?
        var isClosing = false
        var isEnded = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let server: MailServer
    private let settings: SMTPSettings
    private let state = Mutex(State())
    private let bell: Bell

    init(_ server: MailServer, _ settings: SMTPSettings) throws(PluginError) {
        self.server = server
        self.settings = settings
        bell = Bell()
        try startThread { [self] in work() }
    }

    func send(_ mail: OutgoingMail) async throws(PluginError) -> Receipt {
        let cancellation = Mutex<(job: MailJob?, isCancelled: Bool)>((nil, false))
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<MailJob.Outcome, Never>) in
                let job = MailJob(mail, continuation)
                let isLate = cancellation.withLock { cancellation in
                    cancellation.job = job
                    return cancellation.isCancelled
                }
                if isLate { job.cancel() }
                enqueue(job)
            }
        } onCancel: {
            let job = cancellation.withLock { cancellation in
                cancellation.isCancelled = true
                return cancellation.job
            }
            if let job { cancel(job) }
        }
        return try outcome.get()
    }

    private func enqueue(_ job: MailJob) {
        let isRefused = state.withLock { state in
            if !state.isClosing { state.waiting.append(job) }
            return state.isClosing
        }
        if isRefused { job.end(.failure(Self.closed)) } else { bell.ring() }
    }

    private static let closed = PluginError.transient("The mail was not sent because the program ends.")
    private static let cancelled = PluginError.transient("The mail was cancelled before it was sent.")

    /// A waiting mail ends at once; one on its way is broken off by the progress callback within a second.
    private func cancel(_ job: MailJob) {
        job.cancel()
        let wasWaiting = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === job }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        if wasWaiting { job.end(.failure(Self.cancelled)) }
    }

    func close() async {
        await withCheckedContinuation { continuation in
            let (waiting, current, isEnded) = state.withLock { state in
                defer { state.waiting = [] }
                state.isClosing = true
                if !state.isEnded { state.waitingForEnd.append(continuation) }
                return (state.waiting, state.current, state.isEnded)
            }
            waiting.forEach { $0.end(.failure(Self.closed)) }
            current?.cancel()
            if isEnded { continuation.resume() }
            bell.ring()
        }
    }

    func stop() {
        state.withLock { $0.isClosing = true }
        bell.ring()
    }

    /// The thread's whole life.
    private func work() {
        var session: SMTPSession?
        while true {
            let (job, isClosing) = state.withLock { state in
                state.current = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
                return (state.current, state.isClosing)
            }
            if let job {
                session = deliver(job, through: session ?? SMTPSession(server, settings))
            } else if isClosing {
                break
            } else if !bell.wait(session == nil ? nil : settings.idleTimeout), let idle = session {
                session = nil
                Self.part(from: idle)
            }
        }
        let closers = state.withLock { state in
            state.isEnded = true
            return state.waitingForEnd
        }
        closers.forEach { $0.resume() }
        // The connection ends with the session, after this: a server that does not answer to QUIT must not hold up the program's end.
    }

    /// Ends a connection politely, on a thread of its own: a server that is gone may take two minutes not to answer to QUIT, and the
    /// next mail shall not wait for that.
    private static func part(from session: SMTPSession) {
        /// Safe to send: the lane gives up its session and never touches it again.
        final class Farewell: @unchecked Sendable {
            private var session: SMTPSession?
            init(_ session: SMTPSession) { self.session = session }
            func say() { session = nil }
        }
        let farewell = Farewell(session)
        // Where no thread is to be had, the connection ends here and now.
        try? startThread { farewell.say() }
    }

    /// - Returns: the session for the next mail; after a failure none, as what it stands at is not known.
    private func deliver(_ job: MailJob, through session: SMTPSession) -> SMTPSession? {
        guard !job.hasBeenCancelled else {
            job.end(.failure(Self.cancelled))
            return session
        }
        let outcome = session.deliver(job)
        job.end(outcome)
        return if case .success = outcome { session } else { nil }
    }
}

/// Wakes a thread that waits. Rung before the wait, it ends the wait at once.
///
/// Safe to share: the C values never move, and the flag is touched under the mutex alone.
private final class Bell: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isRung = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The wall clock may be set while somebody waits.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func ring() {
        pthread_mutex_lock(mutex)
        isRung = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// - Returns: false if the time passed without a ring. Nil waits for as long as it takes.
    func wait(_ span: TimeSpan?) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let deadline = span.map { monotonicNow() + $0 }
        while !isRung {
            if let deadline {
                var time = timespec(tv_sec: Int(deadline.seconds), tv_nsec: Int(deadline.nanoseconds))
                if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { break }
            } else {
                pthread_cond_wait(condition, mutex)
            }
        }
        defer { isRung = false }
        return isRung
    }
}
