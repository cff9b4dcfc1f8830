import BotCore
import CEL
import Values

/// One call of `RuleBook.fire`: asks a scheduled rule at one of its moments.
struct FiringRound {
    let rule: Rule
    let book: RuleBook
    let slot: Slot
    let context: RuleContext

    mutating func decision() -> Decision {
        if let reason = reasonToSkip { return Decision(notes: [note(.skipped, reason)]) }
        var moment: RecordSchedule.Moment?
        if case .recordTime(let schedule) = rule.trigger {
            moment = schedule.moments(in: context.snapshots).first { $0.key == slot.key }
            guard moment != nil else {
                return Decision(notes: [note(.skipped, "the record has moved, is off or is gone")])
            }
            if let moment, !matches(moment) {
                return Decision(notes: [note(.notMatched, "the record is not what 'match' asks for")])
            }
        }
        guard let answers = answers(in: book.vocabulary.installation.locale) else {
            return Decision(notes: [note(.skipped, "a source that it asks has never answered")])
        }
        let activation = CELActivation(variables(moment, answers), in: rule.scope.environment)
        switch rule.evaluate(activation, schoolDays: schoolDays(rule.asksSchoolDays)) {
        case .failure(let failure): return Decision(notes: [note(.failed, failure.reason)])
        case .success(.none): return Decision(notes: [note(.conditionFalse, "the condition 'if' is false")])
        case .success(.some(let vars)): return told(moment, vars)
        }
    }

    private func note(_ outcome: RuleNote.Outcome, _ reason: String) -> RuleNote {
        RuleNote(rule: rule.id, about: slot.key, outcome: outcome, reason: reason)
    }

    private func matches(_ moment: RecordSchedule.Moment) -> Bool {
        let view = context.snapshots[moment.source]
        let event = Event(
            id: slot.key,
            worldID: slot.key,
            kind: "",
            at: context.now,
            source: moment.source,
            account: view?.account ?? "",
            student: view?.student ?? .nobody,
            record: moment.record,
            old: nil,
            changes: [],
            revision: 0
        )
        return rule.match.allSatisfy { $0.accepts(event) }
    }

    // MARK: The day

    private var reasonToSkip: String? {
        guard case .wallClock(let schedule) = rule.trigger, let wanted = schedule.onlyOn,
            let date = WallClockSchedule.date(inKey: slot.key)
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

    private func schoolDays(_ isAsked: Bool) -> SchoolDays? {
        guard isAsked else { return nil }
        return SchoolDays(views: book.vocabulary.calendarSources(ofSchool: nil).compactMap { context.snapshots[$0] })
    }

    // MARK: What it knows

    /// The answers to the rule's queries, by name; nil while a source has no snapshot.
    private func answers(in locale: String) -> ValueMap? {
        var answers = ValueMap()
        for query in rule.queries {
            guard let view = context.snapshots[query.source] else { return nil }
            let asking = QueryContext(now: context.now, zone: rule.zone, locale: locale)
            var answer = query.declaration.answer(view.records, asking)
            answer["age"] = .duration(context.now - view.takenAt)
            answers[query.name] = .map(answer)
        }
        return answers
    }

    private func variables(_ moment: RecordSchedule.Moment?, _ answers: ValueMap) -> ValueMap {
        var variables = answers
        variables["now"] = .timestamp(context.now)
        if let moment {
            let view = context.snapshots[moment.source]
            let student = view?.student ?? .nobody
            variables["source"] = .string(moment.source)
            variables["account"] = .string(view?.account ?? "")
            variables["student"] = ["id": .string(student.id), "name": .string(student.name)]
            variables[moment.record.type] = .map(moment.record.fields)
        }
        return variables
    }

    // MARK: What it says

    private func told(_ moment: RecordSchedule.Moment?, _ vars: ValueMap) -> Decision {
        let composer = Composer(rule: rule, installation: book.vocabulary.installation, now: context.now)
        let subject = Subject(
            about: ["slot", slot.key],
            orderKey: moment.map { "\($0.source)/\($0.record.key)" } ?? "",
            expires: expiry(moment),
            students: students(moment)
        )
        let outcome = composer.compose(subject, rule.message.texts, shapes: rule.singleNames) { locale in
            var variables = variables(moment, answers(in: locale) ?? ValueMap())
            if !vars.isEmpty { variables["vars"] = .map(vars) }
            return variables
        }
        let (messages, notes) = settle(outcome, about: [slot.key], of: rule)
        return Decision(messages: messages, notes: notes)
    }

    /// Whom it is about: the record's student, else those of the sources that the queries ask.
    private func students(_ moment: RecordSchedule.Moment?) -> [Student] {
        let sources = moment.map { [$0.source] } ?? rule.queries.map(\.source)
        var seen: Set<Student> = []
        return sources.compactMap { context.snapshots[$0]?.student }.filter { seen.insert($0).inserted }
    }

    /// Three days, unless the rule or the record's declaration says otherwise. An instant that is reached when the rule fires, such as
    /// a reminder's own, cannot be when its message is stale.
    private func expiry(_ moment: RecordSchedule.Moment?) -> Timestamp? {
        if let expires = rule.policies.expires { return context.now + expires }
        let standard = context.now + .days(3)
        guard let moment, let source = book.vocabulary.installation.source(moment.source) else { return standard }
        for event in source.schema.events where event.record == moment.record.type {
            guard case .field(let name) = event.expiry, let end = moment.record.fields[name]?.timestamp else { continue }
            return end > context.now ? end : standard
        }
        return standard
    }
}
