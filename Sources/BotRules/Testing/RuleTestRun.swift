import BotCore
import Values

/// One test at work: a clock, a memory and the last answers of the sources, as the engine would hold them.
struct RuleTestRun {
    private let book: RuleBook
    private let test: RuleTestCase
    private let interpret: PollInterpreter
    private var history = PollHistory()
    private var clock: Timestamp
    private var memory: [String: Value] = [:]
    private var views: [String: SourceView] = [:]
    private var fired: Set<String> = []
    private var told: Set<String> = []
    private var courier: RehearsedCourier
    private var deadline: Timestamp?
    /// What was noted since the last look.
    private var notes: [RuleNote] = []
    private var collector = CoverageCollector()

    /// More steps than this are a rule that fires too often to be tested over such a span.
    private static let mostSteps = 50_000

    init(
        book: RuleBook,
        test: RuleTestCase,
        interpret: @escaping PollInterpreter,
        judge: @escaping DeliveryJudge
    ) {
        courier = RehearsedCourier(vocabulary: book.vocabulary, judge: judge)
        self.book = book
        self.test = test
        self.interpret = interpret
        clock = test.now
    }

    /// Runs the test; what is not as expected, in words.
    mutating func failures(_ collector: inout CoverageCollector) -> [String] {
        self.collector = collector
        defer { collector = self.collector }
        var failures: [String] = []
        for (place, stage) in test.stages.enumerated() {
            guard advance(before: stage.at) else {
                return failures + ["more than \(Self.mostSteps) steps up to line \(test.line): shorten the span"]
            }
            let start = place == 0 ? stage.at - .seconds(1) : clock
            clock = max(clock, stage.at)
            courier.set(stage.sinks)
            take(stage)
            deliver()
            fireSlots(after: start)
            finishWaits(through: place + 1 < test.stages.count ? test.stages[place + 1].at : nil)
            guard let expectations = stage.expectations else { continue }
            let check = ExpectationCheck(deliveries: courier.recent, notes: notes)
            failures += check.failures(of: expectations)
            courier.look()
            notes = []
        }
        return failures
    }

    private var context: RuleContext { RuleContext(now: clock, snapshots: views, memory: memory) }

    // MARK: Time

    /// Runs on to a moment, that moment excluded. False if that takes too many steps.
    private mutating func advance(before end: Timestamp) -> Bool {
        for _ in 0..<Self.mostSteps {
            let next = [book.nextSlot(after: clock, in: context), deadline, courier.nextDue].compactMap(\.self).min()
            guard let next, next < end else { return true }
            let start = clock
            clock = max(clock, next)
            if let due = deadline, due <= clock { keep(book.decide(on: [], in: context)) }
            fireSlots(after: start)
            deliver()
        }
        return false
    }

    private mutating func fireSlots(after start: Timestamp) {
        for slot in book.slots(after: start, through: clock, in: context) {
            guard clock - slot.due <= slot.grace, fired.insert("\(slot.rule)\u{1F}\(slot.key)").inserted else {
                continue
            }
            collector.add(slot, book, in: context)
            keep(book.fire(slot, in: context))
        }
        if let due = deadline, due <= clock { keep(book.decide(on: [], in: context)) }
    }

    /// Events that are collected for a few minutes are waited for; what waits for a time of day is not.
    private mutating func finishWaits(through end: Timestamp?) {
        for _ in 0..<Self.mostSteps {
            guard let due = book.nextGroupDeadline(in: memory), end.map({ due < $0 }) ?? true else { return }
            clock = max(clock, due)
            keep(book.decide(on: [], in: context))
        }
    }

    // MARK: What happens

    private mutating func take(_ stage: RuleTestCase.Stage) {
        var events = stage.events
        for poll in stage.polls {
            views[poll.source.name] = SourceView(
                records: poll.after,
                takenAt: clock,
                student: poll.student,
                account: poll.source.account ?? "",
                calendar: poll.calendar ?? views[poll.source.name]?.calendar
            )
            if let before = poll.before {
                events += interpret(poll.source, before, poll.after, clock, &history).map { event in
                    var event = event
                    if event.student == .nobody { event.student = poll.student }
                    return event
                }
            }
        }
        for event in events { collector.add(event, book, in: context) }
        keep(book.decide(on: events, in: context))
    }

    private mutating func keep(_ decision: Decision) {
        collector.add(decision)
        courier.withdraw(decision.withdrawn)
        courier.queue(decision.messages.filter { told.insert($0.id).inserted }, at: clock)
        notes += decision.notes
        memory.merge(decision.memory) { _, new in new }
        memory = memory.filter { !$0.value.isNull }
        deadline = decision.deadline
        deliver()
    }

    /// Tries what is due, and tells of sinks that fail or work again.
    private mutating func deliver() {
        let events = courier.deliver(at: clock)
        if !events.isEmpty { keep(book.decide(on: events, in: context)) }
    }
}
