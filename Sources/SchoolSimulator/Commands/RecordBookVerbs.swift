extension CommandCatalogue {
    /// What happens in the grade book, the class register and the inboxes.
    static let recordBook: [Entry] = gradeBook + classRegister + inbox

    private static let gradeBook: [Entry] = [
        Entry(
            "grade STUDENT SUBJECT MARK [for TEXT] [as written|oral|observation]",
            "gives a mark",
            "grade anna MAT 8.5 for \"Functions\"",
            keywords: ["for", "as"]
        ) { (words) throws(CommandError) in
            .grade(
                student: try words.next("the student"),
                subject: try words.next("the subject"),
                mark: try words.next("the mark"),
                text: words.option("for") ?? "",
                kind: words.option("as") ?? "written"
            )
        },
        Entry("grade-change STUDENT SUBJECT MARK", "changes the newest mark in a subject", "grade-change anna MAT 9") {
            (words) throws(CommandError) in
            .changeGrade(
                student: try words.next("the student"),
                subject: try words.next("the subject"),
                mark: try words.next("the mark")
            )
        },
        Entry("grade-delete STUDENT SUBJECT", "deletes the newest mark in a subject", "grade-delete anna DEU") {
            (words) throws(CommandError) in
            .deleteGrade(student: try words.next("the student"), subject: try words.next("the subject"))
        },
    ]

    private static let classRegister: [Entry] = [
        Entry(
            "absence STUDENT DAY [from TIME] [to TIME]",
            "notes that a student was away",
            "absence anna today from 07:50 to 09:30",
            keywords: ["from", "to"]
        ) { (words) throws(CommandError) in
            let student = try words.next("the student")
            let day = try words.day()
            return .absence(
                student: student,
                day,
                from: try words.minute(option: "from"),
                to: try words.minute(option: "to")
            )
        },
        Entry(
            "excuse STUDENT [because TEXT]",
            "excuses a student's newest absence",
            "excuse anna because Dentist",
            keywords: ["because"]
        ) { (words) throws(CommandError) in
            .excuse(student: try words.next("the student"), reason: words.option("because") ?? "Krankheit")
        },
        Entry(
            "exam SUBJECT DAY [named TEXT] [at TIME] [in CLASS]",
            "makes a lesson an exam",
            "exam ITA next named \"Test 2\"",
            keywords: ["named", "at", "in"]
        ) { (words) throws(CommandError) in
            .exam(try words.lesson(), name: words.option("named") ?? "Schularbeit")
        },
        Entry(
            "homework SUBJECT DAY TEXT [in CLASS]",
            "sets homework that is due on a day",
            "homework MAT next \"p. 47 no. 2\"",
            keywords: ["in"]
        ) { (words) throws(CommandError) in
            let subject = try words.next("the subject")
            let day = try words.day()
            return .homework(subject: subject, due: day, text: try words.next("the text"), klasse: words.option("in"))
        },
        Entry(
            "note STUDENT SUBJECT TEXT",
            "writes about a student into the class register",
            "note anna ENG \"Homework forgotten\""
        ) { (words) throws(CommandError) in
            .note(
                student: try words.next("the student"),
                subject: try words.next("the subject"),
                text: try words.next("the text")
            )
        },
    ]

    private static let inbox: [Entry] = [
        Entry(
            "message SUBJECT TEXT [to USER] [from NAME]",
            "sends a message to all families, or to one account",
            "message \"Open day\" \"We open at nine.\"",
            keywords: ["to", "from"]
        ) { (words) throws(CommandError) in
            .message(
                subject: try words.next("the subject"),
                body: try words.next("the text"),
                to: words.option("to"),
                from: words.option("from") ?? "Sekretariat"
            )
        },
        Entry("read ID|last [by USER]", "marks a message as read", "read last by paola.muster", keywords: ["by"]) {
            (words) throws(CommandError) in
            let which = try words.next("the message's id, or 'last',")
            if which.lowercased() == "last" { return .read(nil, by: words.option("by")) }
            return .read(try words.count(which, 1...Int(Int32.max)), by: words.option("by"))
        },
        Entry("news SUBJECT TEXT", "publishes a message of the day", "news Heating \"It works again.\"") {
            (words) throws(CommandError) in
            .news(subject: try words.next("the subject"), text: try words.next("the text"))
        },
    ]
}
