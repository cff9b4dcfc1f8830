import BotCore
import Values

/// Whether a later event makes an earlier one untrue.
struct Contradiction: Sendable {
    let vocabulary: Vocabulary
    /// For a rule on the times of records.
    var schedule: RecordSchedule?

    enum Verdict: Sendable, Hashable {
        case stands
        /// What it said is no longer so.
        case withdrawn
        /// It is so in another way by now: a newer event says how.
        case superseded
    }

    /// What a later event leaves of an earlier one.
    func verdict(on earlier: Identity, of later: Event) -> Verdict {
        if let schedule { return verdict(onMoment: earlier, of: later, schedule) }
        guard earlier.isSameThing(as: later), isSameSchool(earlier.source, later.source) else { return .stands }
        let opposite = opposite(of: earlier.kind, in: earlier.source)
        if later.kind == opposite { return .withdrawn }
        // What was off, then vanished from the plan and is on it again takes place.
        if earlier.kind.hasSuffix(".cancelled"), later.kind.hasSuffix(".added") { return .withdrawn }
        if later.kind == earlier.kind { return .superseded }
        // A lesson that was cancelled and is then replaced: both would be taken back by the same event.
        if let opposite, opposite == self.opposite(of: later.kind, in: later.source) { return .superseded }
        // What is gone did not change its room after all. What was told to be off stays off.
        if opposite == nil, later.kind.hasSuffix(".removed") { return .withdrawn }
        return .stands
    }

    /// Whether what waits to be told is no longer so.
    func isOvertaken(_ earlier: Event, by later: Event) -> Bool {
        let identity = Identity(earlier)
        if verdict(on: identity, of: later) != .stands { return true }
        return schedule == nil && isPutOff(earlier, by: later, identity)
    }

    /// Whether a record was on and is off by now: nobody needs to hear of its room any more. What takes itself back, like a
    /// cancellation, stays until that comes; what is new stays unless it is cancelled, since an exam whose lesson is off is still an exam.
    private func isPutOff(_ earlier: Event, by later: Event, _ identity: Identity) -> Bool {
        guard identity.isSameThing(as: later), isSameSchool(earlier.source, later.source) else { return false }
        let isCancelled = later.kind.hasSuffix(".cancelled")
        if earlier.kind.hasSuffix(".added") { return isCancelled }
        guard opposite(of: earlier.kind, in: earlier.source) == nil else { return false }
        return isCancelled || (isOff(later) && !isOff(earlier))
    }

    private func isOff(_ event: Event) -> Bool {
        vocabulary.source(event.source)?.schema.isOff(event.record) ?? false
    }

    /// Whether an event has a newer state of an earlier one's own record.
    func isNewer(_ later: Event, than earlier: Event) -> Bool {
        later.source == earlier.source && later.record.type == earlier.record.type
            && Identity(earlier).isSameThing(as: later)
    }

    /// What was told ahead of a record's time is no longer so when the record is off, is gone or has another time.
    private func verdict(onMoment earlier: Identity, of later: Event, _ schedule: RecordSchedule) -> Verdict {
        guard earlier.source == later.source,
            earlier.key == later.record.key
                || (earlier.likeness != nil && earlier.likeness == later.record.likeness)
        else { return .stands }
        if later.kind.hasSuffix(".removed") { return .withdrawn }
        guard let moment = schedule.moment(of: later.record, from: later.source) else { return .withdrawn }
        return earlier.world.hasSuffix("/\(moment.instant.rfc3339)") ? .stands : .withdrawn
    }

    private func isSameSchool(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        return vocabulary.source(one)?.school?.name == vocabulary.source(other)?.school?.name
    }

    private func opposite(of kind: String, in source: String) -> String? {
        vocabulary.declaration(of: kind, in: source)?.opposite
    }

    /// What an event is about, and how new it is.
    struct Identity: Sendable {
        let world: String
        let kind: String
        let source: String
        let key: String
        let likeness: String?
        let worldKey: String?
        let revision: Int64

        init(_ event: Event) {
            world = event.worldID
            kind = event.kind
            source = event.source
            key = event.record.key
            likeness = event.record.likeness
            worldKey = event.record.worldKey
            revision = event.revision
        }

        init(_ told: ToldEvent) {
            world = told.world
            kind = told.kind
            source = told.source
            key = told.key
            likeness = told.likeness
            worldKey = told.worldKey
            revision = told.revision
        }

        /// Whether a later event is about the same thing, seen through this account or a classmate's.
        func isSameThing(as later: Event) -> Bool {
            // The same news once more contradicts nothing.
            if later.worldID == world { return false }
            if later.source == source {
                let isSame = later.record.key == key || (likeness != nil && later.record.likeness == likeness)
                return isSame && later.revision > revision
            }
            return worldKey != nil && later.record.worldKey == worldKey
        }
    }
}
