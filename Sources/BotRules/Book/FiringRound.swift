import BotCore
import CEL
import Values

/// Asks a scheduled rule at one of its moments, or once more when a moment had to wait.
struct FiringRound {
    let rule: Rule
    let vocabulary: Vocabulary
    /// The slot's.
    let key: String
    let context: RuleContext

    enum Answer {
        case told(MatchedEvent)
        case note(RuleNote)
    }

    /// Asks the rule, and hands what it says to its policies.
    func decision() -> Decision {
        switch asked() {
        case .note(let note): return Decision(notes: [note])
        case .told(let item):
            let (memory, stored, oldKey) = rule.memory(in: context.memory)
            var run = PolicyRun(rule: rule, vocabulary: vocabulary, context: context, memory: memory)
            run.take([item])
            run.finish()
            var decision = Decision(messages: run.messages, notes: run.notes)
            let value = run.memory.value
            if value != stored || oldKey != nil { decision.memory[rule.id] = value }
            if let oldKey { decision.memory[oldKey] = .null }
            return decision
        }
    }

    /// What the rule has to say now, or why it says nothing.
    func asked() -> Answer {
        let question: Question
        switch prepared() {
        case .failure(let obstacle): return note(obstacle.outcome, obstacle.reason)
        case .success(let prepared): question = prepared
        }
        let schoolDays = SchoolDays(rule.schoolDaySources, in: context.snapshots)
        switch rule.evaluate(question.activation, schoolDays: schoolDays) {
        case .failure(let failure): return note(.failed, failure.reason)
        case .success(.none): return note(.conditionFalse, "the condition 'if' is false")
        case .success(.some(let values)): return said(question.event, question.moment, values)
        }
    }

    /// What `vars` and `if` are asked with; nil where they are not asked.
    var activation: CELActivation? { try? prepared().get().activation }

    private struct Question {
        let event: Event
        let moment: RecordSchedule.Moment?
        let activation: CELActivation
    }

    /// Why a rule is not even asked.
    private struct Obstacle: Error {
        let outcome: RuleNote.Outcome
        let reason: String
    }

    private func prepared() -> Result<Question, Obstacle> {
        if let reason = reasonToSkip { return .failure(Obstacle(outcome: .skipped, reason: reason)) }
        var moment: RecordSchedule.Moment?
        if let schedule = rule.onRecordTimes {
            moment = schedule.moments(in: context.snapshots).first { $0.key == key }
            guard moment != nil else {
                return .failure(Obstacle(outcome: .skipped, reason: "the record has moved, is off or is gone"))
            }
        }
        let event = event(moment)
        if moment != nil, !rule.match.allSatisfy({ $0.accepts(event) }) {
            return .failure(Obstacle(outcome: .notMatched, reason: "the record is not what 'match' asks for"))
        }
        guard let answers = answers(in: vocabulary.installation.locale) else {
            return .failure(Obstacle(outcome: .skipped, reason: "a source that it asks has never answered"))
        }
        let activation = CELActivation(event.variables(answers: answers), in: rule.scope.environment)
        return .success(Question(event: event, moment: moment, activation: activation))
    }

    private func note(_ outcome: RuleNote.Outcome, _ reason: String) -> Answer {
        .note(RuleNote(rule: rule.id, about: key, outcome: outcome, reason: reason))
    }

    private func event(_ moment: RecordSchedule.Moment?) -> Event {
        guard let moment else { return .moment(key, at: context.now, record: nil) }
        let view = context.snapshots[moment.source]
        var world: String?
        if let school = vocabulary.source(moment.source)?.school?.name, let key = moment.record.worldKey {
            world = "\(school)/\(key)/\(moment.instant.rfc3339)"
        }
        return .moment(
            key,
            at: context.now,
            record: moment.record,
            source: moment.source,
            account: view?.account ?? "",
            student: view?.student ?? .nobody,
            world: world
        )
    }

    private func said(_ event: Event, _ moment: RecordSchedule.Moment?, _ values: EvaluatedRule) -> Answer {
        let matched = moment == nil ? nil : event
        let silence = Silence.all(in: context.memory).first { $0.silences(matched, of: rule.id, at: context.now) }
        if let silence { return note(.skipped, silence.reason) }
        let students = students(moment)
        let composer = Composer(rule: rule, vocabulary: vocabulary, now: context.now)
        let locales = Set(composer.recipients(for: students).map(\.locale))
        let answers = locales.reduce(into: [String: ValueMap]()) { $0[$1] = self.answers(in: $1) }
        let firing = Firing(answers: answers, students: students)
        return .told(MatchedEvent(event: event, vars: values.vars, groupKey: values.groupKey, firing: firing))
    }

    // MARK: The day

    private var reasonToSkip: String? {
        guard case .wallClock(let schedule) = rule.trigger, let wanted = schedule.onlyOn,
            let date = WallClockSchedule.date(inKey: key)
        else { return nil }
        let days = SchoolDays(views: schedule.calendarSources.compactMap { context.snapshots[$0] })
        let (isSchoolDay, ground) = days.judge(date)
        guard isSchoolDay != (wanted == .schoolDays) else { return nil }
        let words =
            switch ground {
            case .holidays: "the school's calendar has holidays"
            case .lessons: "there are lessons"
            case .noLessons: "there are no lessons, unlike on other days of the week"
            case .calendar: "by the school's calendar and the day of the week"
            case .weekday: "by the day of the week; no calendar and no timetable of that week is known"
            }
        return "\(date) is \(isSchoolDay ? "a school day" : "no school day"): \(words)"
    }

    // MARK: What it knows

    /// The answers to the rule's queries, by name; nil while no source of one of them has a snapshot.
    private func answers(in locale: String) -> ValueMap? {
        var answers = ValueMap()
        for query in rule.queries {
            let views = query.sources.compactMap { name in context.snapshots[name].map { (source: name, view: $0) } }
            guard let oldest = views.map(\.view.takenAt).min() else { return nil }
            let schemas = views.compactMap { vocabulary.source($0.source)?.schema }
            let asking = QueryContext(
                now: context.now,
                zone: rule.zone,
                locale: locale,
                knownTypes: Set(schemas.flatMap { $0.records.map(\.name) })
            )
            // Two sources of one student may hold the same: a second inbox of the account, a longer timetable.
            var seen: Set<[String]> = []
            let records = views.flatMap(\.view.records).filter { seen.insert([$0.type, $0.key]).inserted }
            var answer = query.declaration.answer(records, asking)
            answer["age"] = .duration(context.now - oldest)
            answers[query.name] = .map(answer)
        }
        return answers
    }

    /// Whom it is about: the record's student, else those of the sources that the queries ask.
    private func students(_ moment: RecordSchedule.Moment?) -> [Student] {
        let sources = moment.map { [$0.source] } ?? rule.queries.flatMap(\.sources)
        var seen: Set<Student> = []
        return sources.compactMap { context.snapshots[$0]?.student }.filter { seen.insert($0).inserted }
    }
}

extension Event {
    /// What a scheduled rule reads at this moment.
    func variables(answers: ValueMap) -> ValueMap {
        var variables = answers
        variables["now"] = .timestamp(at)
        if !record.type.isEmpty {
            variables["source"] = .string(source)
            variables["account"] = .string(account)
            variables["student"] = ["id": .string(student.id), "name": .string(student.name)]
            variables[record.type] = .map(record.fields)
        }
        return variables
    }
}
