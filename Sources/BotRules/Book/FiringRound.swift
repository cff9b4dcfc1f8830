import BotCore
import CEL
import Values

/// One call of `RuleBook.fire`: asks a scheduled rule at one of its moments.
struct FiringRound {
    let rule: Rule
    let book: RuleBook
    let slot: Slot
    let context: RuleContext
    /// Whether it has waited for the end of quiet hours.
    var isHeld = false

    func decision() -> Decision {
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
        case .success(.some(let values)): return said(moment, values.vars)
        }
    }

    private func note(_ outcome: RuleNote.Outcome, _ reason: String) -> RuleNote {
        RuleNote(rule: rule.id, about: slot.key, outcome: outcome, reason: reason)
    }

    private func matches(_ moment: RecordSchedule.Moment) -> Bool {
        let event = event(moment)
        return rule.match.allSatisfy { $0.accepts(event) }
    }

    /// The moment as an event without a kind, for what is asked of events.
    private func event(_ moment: RecordSchedule.Moment) -> Event {
        let view = context.snapshots[moment.source]
        return Event(
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

    /// The answers to the rule's queries, by name; nil while no source of one of them has a snapshot.
    private func answers(in locale: String) -> ValueMap? {
        var answers = ValueMap()
        for query in rule.queries {
            let views = query.sources.compactMap { name in context.snapshots[name].map { (source: name, view: $0) } }
            guard let oldest = views.map(\.view.takenAt).min() else { return nil }
            let schemas = views.compactMap { book.vocabulary.installation.source($0.source)?.schema }
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

    /// Keeps silences and quiet hours, then tells.
    private func said(_ moment: RecordSchedule.Moment?, _ vars: ValueMap) -> Decision {
        let event = moment.map(event)
        let silence = Silence.all(in: context.memory).first { $0.silences(event, of: rule.id, at: context.now) }
        if let silence { return Decision(notes: [note(.skipped, silence.reason)]) }
        guard let quiet = rule.policies.quiet, !isHeld, rule.message.priority != .high,
            let end = quiet.end(at: context.now)
        else { return told(moment, vars, isSilent: false) }
        switch quiet.then {
        case .silent: return told(moment, vars, isSilent: true)
        case .drop: return Decision(notes: [note(.skipped, "dropped by quiet hours")])
        case .hold: return held(until: end)
        }
    }

    /// Remembers the moment: the rule is asked once more at the end of the quiet hours.
    private func held(until end: Timestamp) -> Decision {
        let (stored, oldKey) = rule.storedMemory(in: context.memory)
        var memory = PolicyMemory(stored)
        memory.slots.append(.init(key: slot.key, due: end))
        var decision = Decision(notes: [note(.waiting, "held by quiet hours")])
        decision.memory[rule.id] = memory.value
        if let oldKey { decision.memory[oldKey] = .null }
        return decision
    }

    private func told(_ moment: RecordSchedule.Moment?, _ vars: ValueMap, isSilent: Bool) -> Decision {
        let composer = Composer(rule: rule, installation: book.vocabulary.installation, now: context.now)
        let subject = Subject(
            about: ["slot", slot.key],
            orderKey: moment.map { "\($0.source)/\($0.record.key)" } ?? "",
            expires: expiry(moment),
            isSilent: isSilent
        )
        let recipients = composer.recipients(for: students(moment))
        if recipients.isEmpty {
            let reason = "nobody is to be told: no family of 'send' has this student"
            return Decision(notes: [note(.skipped, reason)])
        }
        var texts: [String: RenderedText] = [:]
        var decision = Decision()
        for recipient in recipients {
            let text = texts[recipient.locale] ?? text(in: recipient.locale, composer, moment, vars)
            texts[recipient.locale] = text
            if text.isUsable { decision.messages.append(composer.message(text, subject, to: recipient)) }
        }
        return settled(decision, failures: texts.values.flatMap(\.failures))
    }

    private func text(
        in locale: String,
        _ composer: Composer,
        _ moment: RecordSchedule.Moment?,
        _ vars: ValueMap
    ) -> RenderedText {
        var variables = variables(moment, answers(in: locale) ?? ValueMap())
        if !vars.isEmpty { variables["vars"] = .map(vars) }
        return composer.render(rule.message.texts, in: locale, shapes: rule.singleNames, variables: variables)
    }

    /// With notes; a rule that is only tried sends nothing.
    private func settled(_ made: Decision, failures: [String]) -> Decision {
        var decision = made
        if rule.isDryRun {
            let titles = made.messages.map { "\($0.sink): \($0.title.plain)" }
            decision.messages = []
            decision.notes.append(note(.dryRun, "would be sent: \(titles.joined(separator: "; "))"))
        } else if !made.messages.isEmpty {
            let sinks = made.messages.map(\.sink).joined(separator: ", ")
            decision.notes.append(note(.told, "told through \(sinks)"))
        }
        if !failures.isEmpty { decision.notes.append(note(.failed, failures.joined(separator: "; "))) }
        return decision
    }

    /// Whom it is about: the record's student, else those of the sources that the queries ask.
    private func students(_ moment: RecordSchedule.Moment?) -> [Student] {
        let sources = moment.map { [$0.source] } ?? rule.queries.flatMap(\.sources)
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
            guard case .field(let name) = event.expiry, let end = moment.record.fields[name]?.timestamp else {
                continue
            }
            return end > context.now ? end : standard
        }
        return standard
    }
}
