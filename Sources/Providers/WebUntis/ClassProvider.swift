import BotConfig
import BotCore
import Values

/// `webuntis.class`: the class of a student, looked for once in a school year and kept until the next.
///
/// That none is known, or that the account is no student's, is an answer like any other: it is shown, and nothing else fails by it.
struct ClassProvider: Provider {
    let account: WebUntisAccount
    let student: String?

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let profile: AccountProfile
        do {
            profile = try await account.profile(at: request.now)
        } catch {
            // A login that was let in and is nobody's of ours; refused passwords stay errors.
            guard error.disposition == .unauthorized, await account.isLoggedIn else { throw error }
            return Snapshot(records: [ClassMembership.notStudent.record(of: .nobody)], memo: .null)
        }
        let student = try profile.student(student, at: account.wire.place)
        let era = profile.era(on: request.today)
        let name = "\(student.id)/\(era)"
        var snapshot = Snapshot(
            records: nil,
            memo: request.memo,
            era: era,
            student: student,
            calendar: profile.calendar
        )
        if ClassMemo(request.memo, for: name)?.stands(at: request.now) == true { return snapshot }
        let search = ClassSearch(
            account: account,
            profile: profile,
            student: student,
            now: request.now,
            today: request.today
        )
        let membership = try await search.membership()
        snapshot.records = [membership.record(of: student)]
        snapshot.memo = ClassMemo(name: name, at: request.now, isFound: membership.isFound).value
        return snapshot
    }

    /// The class that is found first in a school year is learnt, as its name may be that of another class the year before.
    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        difference.changes.compactMap { $0.kind == .changed ? $0.occurrence("school_class.changed") : nil }
    }
}

/// The class that a student belongs to, as far as the school lets an account see it.
enum ClassMembership: Sendable, Hashable {
    /// - Parameters:
    ///   - id: the class's id in this school year; nil where the list of classes is not granted.
    ///   - name: `2.TST-A`.
    case found(id: Int64?, name: String)
    /// No class is known: a state to be shown, not a fault.
    case noClass
    /// The login is no student's and no guardian's.
    case notStudent

    var isFound: Bool { if case .found = self { true } else { false } }

    func record(of student: Student) -> Record {
        let (state, id, name) =
            switch self {
            case .found(let id, let name): ("found", id.map { String($0) } ?? "", name)
            case .noClass: ("noClass", "", "")
            case .notStudent: ("notStudent", "", "")
            }
        return Record(
            key: student.id.isEmpty ? "account" : student.id,
            type: ClassSchema.record.name,
            fields: ["state": .string(state), "name": .string(name), "id": .string(id)]
        )
    }
}

/// What was last found, and for whom in which school year.
private struct ClassMemo {
    let name: String
    let at: Timestamp
    let isFound: Bool

    /// Students change classes in mid-year, if rarely; one without a class may get one any day.
    private static let lifeOfFound = TimeSpan.days(7)
    private static let lifeOfMissing = TimeSpan.days(1)

    init(name: String, at: Timestamp, isFound: Bool) {
        self.name = name
        self.at = at
        self.isFound = isFound
    }

    /// Nil for a memo of another student or another school year.
    init?(_ memo: Value, for name: String) {
        guard memo["of"].string == name, let at = memo["at"].integer, let isFound = memo["found"].bool else {
            return nil
        }
        self.init(name: name, at: Timestamp(milliseconds: at), isFound: isFound)
    }

    func stands(at now: Timestamp) -> Bool {
        at <= now && now - at < (isFound ? Self.lifeOfFound : Self.lifeOfMissing)
    }

    var value: Value { ["of": .string(name), "at": .int(at.milliseconds), "found": .bool(isFound)] }
}

/// What `webuntis.class` says of classes.
enum ClassSchema {
    static let record = RecordShape(
        "school_class",
        "The class of a student in this school year.",
        fields: [
            FieldShape("name", .string, "its name, `2.TST-A`; empty unless it was found"),
            FieldShape(
                "state",
                .string,
                "`found`; `noClass` where the school shows none; `notStudent` where the account is no student's and no guardian's"
            ),
            FieldShape("id", .string, "its id in WebUntis; empty where the school does not show it"),
        ]
    )

    private static let current = RecordShape(
        "class_current",
        "The class of a student.",
        fields: record.fields + [FieldShape("is_empty", .bool, "whether none is known")]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [
            EventDeclaration(
                "school_class.changed",
                of: record.name,
                "The student is in another class than before in the same school year."
            )
        ],
        queries: [
            QueryDeclaration("class.current", result: current, "The class of the student.") { records, _ in
                var answer: ValueMap = ["name": "", "state": "noClass", "id": "", "is_empty": true]
                guard let known = records.first else { return answer }
                for (key, value) in known.fields { answer[key] = value }
                answer["is_empty"] = .bool(known.text("state") != "found")
                return answer
            }
        ],
        // Its id is another every year, and need not be granted every day.
        uncomparedFields: ["school_class.id"]
    )
}
