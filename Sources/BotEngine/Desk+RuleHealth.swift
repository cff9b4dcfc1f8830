import BotCore
import Values

/// How rules are doing.
extension Desk {
    /// All rules of the files, whether they run or not.
    var ruleIDs: Set<String> { inForce.rules.ids.union(inForce.inactive.keys) }

    /// Takes in what became of rules in one decision: what fails at one event fails, whatever else works beside it.
    func noteRules(
        _ notes: [RuleNote],
        of inForce: RulesInForce,
        in draft: inout Draft,
        _ outcome: inout RoundOutcome
    ) {
        for note in notes where note.outcome == .failed { noteFailure(note, in: &draft, &outcome) }
        for rule in Set(notes.filter(\.outcome.isWorking).map(\.rule)) where draft.commit.rules[rule] == nil {
            // Its last good version works.
            if inForce.inactive[rule] != nil { continue }
            guard let health = ruleHealth[rule], health.failures > 0 else { continue }
            // The day's pause between two notices outlives the recovery.
            draft.commit.rules[rule] = Health(notBefore: health.notBefore, revision: health.revision)
        }
    }

    /// Tells of rules with errors in their files, once for each error, and forgets those that have been mended.
    func noteInactiveRules(of inForce: RulesInForce, in draft: inout Draft) {
        for (rule, health) in ruleHealth where health.isOfFile && inForce.inactive[rule] == nil {
            draft.commit.rules[rule] = Health(revision: health.revision)
        }
        for (rule, inactive) in inForce.inactive.sorted(by: { $0.key < $1.key }) {
            let known = ruleHealth[rule] ?? Health()
            if known.isOfFile, known.error == inactive.reason { continue }
            var health = Health(revision: known.revision)
            health.fail(.permanent(inactive.reason), at: draft.commit.at)
            if var notice = health.tell(HealthSchema.ruleFailing, name: rule, at: draft.commit.at) {
                notice.runs = inactive.isKept
                draft.notices.append(notice)
            }
            draft.commit.rules[rule] = health
        }
    }

    /// A rule whose condition or text fails is told of once a day at most, whatever else works in it meanwhile.
    private func noteFailure(_ note: RuleNote, in draft: inout Draft, _ outcome: inout RoundOutcome) {
        let now = draft.commit.at
        var health = draft.commit.rules[note.rule] ?? ruleHealth[note.rule] ?? Health()
        // The reason may name values of records: it stays in the notes.
        let reason = "The rule \(note.rule) failed at \(note.about); 'pokyh-bot explain \(note.rule)' shows why."
        health.fail(.permanent(reason), at: now)
        if health.notBefore.map({ $0 <= now || $0 - now > .days(1) }) ?? true {
            health.told = nil
            health.notBefore = now + .days(1)
            if var notice = health.tell(HealthSchema.ruleFailing, name: note.rule, at: now) {
                notice.event = note.about
                outcome.notices.append(notice)
            }
        }
        draft.commit.rules[note.rule] = health
    }
}

extension Health {
    /// Whether this is about a rule that has errors in its file. One that fails at work has a pause until the next notice.
    fileprivate var isOfFile: Bool { failures > 0 && notBefore == nil }
}

extension RuleNote.Outcome {
    /// Whether the rule was asked and had an answer.
    fileprivate var isWorking: Bool {
        switch self {
        case .told, .conditionFalse, .dryRun, .waiting: true
        case .notMatched, .failed, .skipped: false
        }
    }
}
