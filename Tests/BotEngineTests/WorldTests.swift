import BotCore
import Testing
import Values

@testable import BotEngine

private let now = Timestamp(seconds: 1_796_000_000)

/// A class whose accounts all see the same lesson.
private struct Classmates {
    var worlds: [String: WorldState] = [:]

    mutating func see(
        _ student: String,
        _ kind: String,
        _ change: Change.Kind = .changed,
        _ fields: [String: Value] = [:],
        revision: Int64 = 2
    ) -> Event {
        let record = Record(
            key: "\(student)/1",
            type: "lesson",
            fields: ["subject": "MAT", "state": fields["state"] ?? "planned", "room": fields["room"] ?? "R1"],
            worldKey: "lesson 1"
        )
        let changes = change == .changed ? fields.map { FieldChange(field: $0.key, old: .null, new: $0.value) } : []
        let occurrence = Occurrence(kind: kind, record: record, changes: changes, revision: revision)
        let built = EventBuilding.events(
            of: [occurrence],
            changes: [
                Change(
                    change,
                    old: change == .removed ? record : nil,
                    new: change == .removed ? nil : record,
                    revision: revision
                )
            ],
            from: EventOrigin(
                source: student,
                account: student,
                world: "school",
                student: Student(id: student, name: "")
            ),
            worlds: worlds,
            at: now
        )
        worlds.merge(built.worlds) { _, new in new }
        return built.events[0]
    }
}

@Suite struct WorldTests {
    @Test func `twenty accounts that see one cancellation see the same event of the world`() {
        var mates = Classmates()
        let events = (1...20).map { mates.see("s\($0)", "lesson.cancelled", .changed, ["state": "cancelled"]) }
        #expect(Set(events.map(\.worldID)).count == 1)
        #expect(Set(events.map(\.id)).count == 20)
    }

    @Test func `cancelled, restored and cancelled again are three events of the world, whoever sees them`() {
        var mates = Classmates()
        var ids: [String] = []
        for (kind, state) in [("cancelled", "cancelled"), ("restored", "planned"), ("cancelled", "cancelled")] {
            let events = ["a", "b"].map { mates.see($0, "lesson.\(kind)", .changed, ["state": .string(state)]) }
            #expect(events[0].worldID == events[1].worldID)
            ids.append(events[0].worldID)
        }
        #expect(Set(ids).count == 3)
    }

    @Test func `an account that was away for two changes repeats none of them`() {
        var mates = Classmates()
        _ = mates.see("a", "lesson.room_changed", .changed, ["room": "R2"])
        let second = mates.see("a", "lesson.room_changed", .changed, ["room": "R3"])
        #expect(mates.see("b", "lesson.room_changed", .changed, ["room": "R3"]).worldID == second.worldID)
    }

    @Test func `another change of the same lesson is news`() {
        var mates = Classmates()
        let first = mates.see("a", "lesson.cancelled", .changed, ["state": "cancelled"])
        let both = mates.see("b", "lesson.cancelled", .changed, ["state": "cancelled", "room": "R2"])
        #expect(first.worldID != both.worldID)
    }

    @Test func `a cancellation that one account sees happen and another sees enter its window is one`() {
        var mates = Classmates()
        let seen = mates.see("a", "lesson.cancelled", .changed, ["state": "cancelled"])
        let entered = mates.see("b", "lesson.cancelled", .entered, ["state": "cancelled"])
        #expect(seen.worldID == entered.worldID)
        let other = mates.see("c", "lesson.cancelled", .changed, ["state": "cancelled"])
        #expect(other.worldID == seen.worldID)
    }

    @Test func `a deviation that nobody has told is told when it enters, whatever else is known of the lesson`() {
        var mates = Classmates()
        let text = mates.see("a", "lesson.room_changed", .changed, ["room": "R2"])
        let entered = mates.see("b", "lesson.cancelled", .entered, ["state": "cancelled", "room": "R2"])
        #expect(text.worldID != entered.worldID)
    }

    @Test func `removed, added and removed again are three, and each is one for all`() {
        var mates = Classmates()
        var ids: Set<String> = []
        for (kind, change) in [("removed", Change.Kind.removed), ("added", .added), ("removed", .removed)] {
            let events = ["a", "b"].map { mates.see($0, "lesson.\(kind)", change) }
            #expect(events[0].worldID == events[1].worldID)
            ids.insert(events[0].worldID)
        }
        #expect(ids.count == 3)
    }

    @Test func `two meanings of one change are both told`() {
        let record = Record(key: "a", type: "lesson", fields: ["state": "c", "room": "R2"], worldKey: "lesson 1")
        let fields = [
            FieldChange(field: "state", old: "p", new: "c"), FieldChange(field: "room", old: "R1", new: "R2"),
        ]
        let built = EventBuilding.events(
            of: ["lesson.cancelled", "lesson.room_changed"].map {
                Occurrence(kind: $0, record: record, changes: fields, revision: 2)
            },
            changes: [Change(.changed, old: record, new: record, fields: fields, revision: 2)],
            from: EventOrigin(source: "a", account: "a", world: "school", student: .nobody),
            worlds: [:],
            at: now
        )
        #expect(built.worlds.values.first?.revision == 1)
        #expect(built.worlds.values.first?.kinds.count == 2)
    }

    @Test func `what concerns one student alone, or another school, is nobody else's`() {
        let grade = Occurrence(kind: "grade.added", record: Record(key: "1", type: "grade", fields: [:]), revision: 1)
        let event = { (source: String, world: String, occurrence: Occurrence) in
            EventBuilding.events(
                of: [occurrence],
                changes: [],
                from: EventOrigin(source: source, account: "", world: world, student: .nobody),
                worlds: [:],
                at: now
            ).events[0]
        }
        let private1 = event("a", "school", grade)
        #expect(private1.worldID == private1.id)
        #expect(private1.worldID != event("b", "school", grade).worldID)
        var lesson = grade
        lesson.record.worldKey = "lesson 1"
        #expect(event("a", "school 1", lesson).worldID != event("a", "school 2", lesson).worldID)
    }
}
