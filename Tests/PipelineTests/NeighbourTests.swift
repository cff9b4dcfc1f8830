import BotCore
import Testing
import Values

/// Several accounts and children at one school: one thing is told once to each audience, and nobody hears of another's child.
@Suite struct NeighbourTests {
    private let mat = Town.Lesson(1, "07:50-08:40", "MAT")
    private let deu = Town.Lesson(2, "08:40-09:30", "DEU")

    private static let rules = """
        version: 1
        rules:
          - id: class-chat
            when: {event: "lesson.*"}
            message: {title: "{{ event.kind }} {{ lesson.subject }}"}
            send: [chat]
          - id: families
            when: {event: "lesson.*"}
            message: {title: "{{ event.kind }} {{ lesson.subject }}"}
            send: [family]
        """

    /// Twenty classmates with a family each, and the class's chat.
    private func classmates() throws -> TownBot {
        let names = (1...20).map { "k\($0)" }
        let people = Dictionary(uniqueKeysWithValues: (1...20).map { ("k\($0)", Town.Person(id: Int64(1000 + $0))) })
        return try TownBot(
            Town(people),
            accounts: names,
            sources: names.map { "t-\($0): {provider: webuntis.timetable, account: \($0), trust_import: 0s}" },
            families: (1...20).map { "f\($0): {students: [\"\(1000 + $0)\"], send: [m\($0)]}" },
            sinks: ["chat"] + (1...20).map { "m\($0)" },
            rules: Self.rules
        )
    }

    /// What the chat was told, and what each of some families was.
    private func expect(
        _ bot: TownBot,
        chat: [String],
        families: [String],
        besides absent: Set<Int> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(bot.told("chat") == chat, sourceLocation: sourceLocation)
        for number in 1...20 {
            let wanted = absent.contains(number) ? [] : families
            #expect(bot.told("m\(number)") == wanted, "family \(number)", sourceLocation: sourceLocation)
        }
    }

    @Test func `a cancellation that twenty accounts see is one message to the chat and one to each family`()
        async throws
    {
        let bot = try classmates()
        bot.town.show([mat, deu])
        try await bot.poll()
        expect(bot, chat: [], families: [])
        bot.town.show([mat.cancelled, deu])
        try await bot.poll()
        expect(bot, chat: ["lesson.cancelled MAT"], families: ["lesson.cancelled MAT"])
        try await bot.poll()
        expect(bot, chat: [], families: [])
    }

    @Test func `accounts that fail see it later: the chat hears nothing twice, their families hear it then`()
        async throws
    {
        let bot = try classmates()
        bot.town.show([mat, deu])
        try await bot.poll()
        for user in ["k3", "k20"] { bot.town.fail(user, with: Town.outage) }
        bot.town.show([mat.cancelled, deu])
        try await bot.poll()
        expect(bot, chat: ["lesson.cancelled MAT"], families: ["lesson.cancelled MAT"], besides: [3, 20])
        bot.town.fail("k3", with: nil)
        try await bot.poll()
        expect(bot, chat: [], families: ["lesson.cancelled MAT"], besides: Set(1...20).subtracting([3]))
        bot.town.fail("k20", with: nil)
        try await bot.poll(after: .hours(2))
        expect(bot, chat: [], families: ["lesson.cancelled MAT"], besides: Set(1...19))
    }

    @Test func `withdrawn and cancelled again over restarts are three messages to each, with one account away`()
        async throws
    {
        let bot = try classmates()
        bot.town.show([mat, deu])
        try await bot.poll()
        bot.town.show([mat.cancelled, deu])
        try await bot.poll()
        expect(bot, chat: ["lesson.cancelled MAT"], families: ["lesson.cancelled MAT"])
        // Away while it is withdrawn and cancelled once more: for this account nothing has changed.
        bot.town.fail("k5", with: Town.outage)
        bot.town.show([mat, deu])
        try await bot.poll()
        expect(bot, chat: ["lesson.restored MAT"], families: ["lesson.restored MAT"], besides: [5])
        bot.town.show([mat.cancelled, deu])
        try await bot.poll()
        expect(bot, chat: ["lesson.cancelled MAT"], families: ["lesson.cancelled MAT"], besides: [5])
        bot.town.fail("k5", with: nil)
        try await bot.poll()
        expect(bot, chat: [], families: [])
    }

    @Test func `a move under a new id is one message to the chat, however many see it and when`() async throws {
        let bot = try classmates()
        bot.town.show([mat, deu])
        try await bot.poll()
        bot.town.fail("k1", with: Town.maintenance)
        bot.town.show([deu, Town.Lesson(9, "13:15-14:05", "MAT")])
        try await bot.poll()
        expect(bot, chat: ["lesson.moved MAT"], families: ["lesson.moved MAT"], besides: [1])
        bot.town.fail("k1", with: nil)
        try await bot.poll()
        expect(bot, chat: [], families: ["lesson.moved MAT"], besides: Set(2...20))
    }

    // MARK: Siblings

    private static let siblingRules = """
        version: 1
        rules:
          - {id: exams-a, when: {event: exam.added, student: Anna}, message: {title: "{{ exam.subject }}"}, send: [mail-a]}
          - {id: exams-b, when: {event: exam.added, student: Luca}, message: {title: "{{ exam.subject }}"}, send: [mail-b]}
          - {id: grades, when: {event: "grade.*"}, message: {title: "{{ grade.mark }} {{ student.name }}"}, send: [family]}
          - {id: lessons, when: {event: "lesson.*"}, message: {title: "{{ lesson.subject }}"}, send: [family]}
        """

    private func siblings() throws -> TownBot {
        let guardian = Town.Person(id: 9, children: [(11, "Muster Anna"), (12, "Muster Luca")])
        let sources = [("a", "Anna"), ("b", "Luca")].flatMap { letter, child in
            ["exams", "grades", "timetable"].map {
                "\($0)-\(letter): {provider: webuntis.\($0), account: home, student: \(child)}"
            }
        }
        return try TownBot(
            Town(["home": guardian]),
            accounts: ["home"],
            sources: sources,
            families: ["fa: {students: [Anna], send: [mail-a]}", "fb: {students: [Luca], send: [mail-b]}"],
            sinks: ["mail-a", "mail-b"],
            rules: Self.siblingRules
        )
    }

    private func exam(_ subject: String, _ day: Int64, _ students: [Int64]) -> Value {
        [
            "id": 0, "examType": "Schularbeit", "name": .string("1. \(subject)"), "subject": .string(subject),
            "assignedStudents": .list(students.map { ["id": .int($0)] }), "examDate": .int(20_261_200 + day),
            "startTime": 840, "endTime": 930, "teachers": [], "rooms": [], "text": "",
        ]
    }

    @Test func `PROV-01 each child's exams go to its own family, those of nobody to neither`() async throws {
        let bot = try siblings()
        try await bot.poll()
        bot.town.exams([exam("MAT", 3, [11, 12]), exam("ENG", 4, [12]), exam("ITA", 7, [])])
        try await bot.poll()
        #expect(bot.told("mail-a") == ["MAT"])
        #expect(bot.told("mail-b").sorted() == ["ENG", "MAT"])
    }

    @Test func `marks and lessons of siblings never mix, not even when one child's source fails`() async throws {
        let bot = try siblings()
        bot.town.show([mat], to: 11)
        bot.town.show([deu], to: 12)
        bot.town.grade([(501, "8")], of: 11)
        bot.town.grade([(601, "5")], of: 12)
        try await bot.poll()
        bot.town.grade([(501, "8"), (502, "9")], of: 11)
        bot.town.grade([(601, "4")], of: 12)
        bot.town.show([mat.cancelled], to: 11)
        try await bot.poll(only: ["grades-a", "timetable-a", "exams-a"])
        #expect(bot.told("mail-a").sorted() == ["9 Anna", "MAT"] && bot.told("mail-b").isEmpty)
        try await bot.poll()
        #expect(bot.told("mail-a").isEmpty && bot.told("mail-b") == ["4 Luca"])
        #expect(bot.town.count("home authenticate") == 3)
        // What is only logged with --verbose may name people.
        for line in bot.logged() where !line.hasPrefix("debug:") {
            for name in ["Muster", "Anna", "Luca"] { #expect(!line.contains(name), "\(line)") }
        }
    }
}
