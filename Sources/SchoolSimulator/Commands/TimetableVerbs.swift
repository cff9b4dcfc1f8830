extension CommandCatalogue {
    private static let where_ = "[at TIME] [in CLASS]"

    /// What happens to lessons.
    static let timetable: [Entry] = changes + additions

    private static let changes: [Entry] = [
        Entry(
            "cancel SUBJECT DAY \(where_) [because TEXT]",
            "cancels a lesson",
            "cancel MAT next",
            keywords: ["at", "in", "because"]
        ) { (words) throws(CommandError) in
            .cancel(try words.lesson(), text: words.option("because") ?? "")
        },
        Entry(
            "restore SUBJECT DAY \(where_)",
            "lets a lesson be as it was planned",
            "restore ITA next",
            keywords: ["at", "in"]
        ) {
            (words) throws(CommandError) in .restore(try words.lesson())
        },
        Entry(
            "replace SUBJECT DAY with SUBJECT [by TEACHER] \(where_)",
            "cancels a lesson and puts another in its place",
            "replace DEU next with ENG",
            keywords: ["with", "by", "at", "in"]
        ) { (words) throws(CommandError) in
            let lesson = try words.lesson()
            guard let subject = words.option("with") else { throw words.failure("'with SUBJECT' is missing") }
            return .replace(lesson, subject: subject, teacher: words.option("by"))
        },
        Entry(
            "move SUBJECT DAY to TIME [on DAY] \(where_)",
            "moves a lesson to another time, or another day",
            "move INF next to 15:05",
            keywords: ["to", "on", "at", "in"]
        ) { (words) throws(CommandError) in
            let lesson = try words.lesson()
            guard let minute = try words.minute(option: "to") else { throw words.failure("'to TIME' is missing") }
            guard let day = words.option("on") else { return .move(lesson, minute: minute, day: nil) }
            return .move(lesson, minute: minute, day: try words.day(day))
        },
        Entry(
            "room SUBJECT DAY ROOM \(where_)",
            "puts a lesson into another room",
            "room ITA next T205",
            keywords: ["at", "in"]
        ) {
            (words) throws(CommandError) in
            .room(try words.lesson(), try words.next("the room"))
        },
        Entry(
            "teacher SUBJECT DAY TEACHER|nobody \(where_) [because TEXT]",
            "lets another teacher take a lesson, or nobody",
            "teacher ENG next BEI",
            keywords: ["at", "in", "because"]
        ) { (words) throws(CommandError) in
            let lesson = try words.lesson()
            let name = try words.next("the teacher")
            return .teacher(lesson, name.lowercased() == "nobody" ? nil : name, text: words.option("because") ?? "")
        },
        Entry(
            "text SUBJECT DAY TEXT \(where_)",
            "writes a note on a lesson",
            "text MAT next \"Bring the compasses\"",
            keywords: ["at", "in"]
        ) { (words) throws(CommandError) in
            .text(try words.lesson(), try words.next("the text"))
        },
    ]

    private static let additions: [Entry] = [
        Entry("add SUBJECT DAY at TIME [in CLASS]", "adds a lesson", "add ENG next at 15:05", keywords: ["at", "in"]) {
            (words) throws(CommandError) in
            let lesson = try words.lesson()
            guard lesson.minute != nil else { throw words.failure("'at TIME' is missing") }
            return .addLesson(lesson)
        },
        Entry(
            "remove SUBJECT DAY \(where_)",
            "takes a lesson out of the timetable",
            "remove GES next",
            keywords: ["at", "in"]
        ) {
            (words) throws(CommandError) in .removeLesson(try words.lesson())
        },
        Entry(
            "event DAY from TIME to TIME saying TEXT [in CLASS]",
            "puts an event into the timetable and cancels the lessons under it",
            "event next from 07:50 to 13:05 saying \"Excursion\"",
            keywords: ["from", "to", "saying", "in"]
        ) { (words) throws(CommandError) in
            let day = try words.day()
            guard let from = try words.minute(option: "from"), let to = try words.minute(option: "to"), from < to else {
                throw words.failure("'from TIME to TIME' is missing or runs backwards")
            }
            guard let text = words.option("saying") else { throw words.failure("'saying TEXT' is missing") }
            return .event(day, from: from, to: to, text: text, klasse: words.option("in"))
        },
        Entry(
            "spoil SUBJECT DAY \(where_)",
            "sends a lesson without its times, so that nobody can read it; 'restore' mends it",
            "spoil REL next",
            keywords: ["at", "in"]
        ) { (words) throws(CommandError) in .spoil(try words.lesson()) },
        Entry("reimport", "imports the timetable anew: same lessons, all with new ids", "reimport") {
            (_) throws(CommandError) in .reimport
        },
    ]
}
