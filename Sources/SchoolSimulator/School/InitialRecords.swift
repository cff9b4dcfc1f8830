import Values

extension School {
    /// What had happened before the story begins: marks, messages, absences, an exam, homework, an entry and the day's news.
    mutating func fillRecords(at start: Timestamp, using generator: inout SeededGenerator) {
        let today = date(at: start)
        for student in students {
            for name in ["MAT", "DEU"] {
                guard let subject = subjects.first(where: { $0.name == name }),
                    let course = course(of: student.klasse, in: subject.id)
                else { continue }
                for weeksAgo in [6, 3] {
                    let halves = Int.random(in: 12...19, using: &generator)
                    guard let mark = Mark("\(Double(halves) / 2)") else { continue }
                    grades.append(
                        Grade(
                            id: number(.grade),
                            student: student.id,
                            course: course.number,
                            date: today.adding(days: -7 * weeksAgo),
                            mark: mark,
                            kind: weeksAgo == 6 ? .written : .oral,
                            text: weeksAgo == 6 ? "Erste Arbeit" : "",
                            lastUpdate: start - .days(Int64(7 * weeksAgo))
                        )
                    )
                }
            }
        }
        fillMessages(at: start)
        fillAttendance(at: start)
        fillWork(at: start)
    }

    private mutating func fillMessages(at start: Timestamp) {
        let families = accounts.filter { $0.role != .teacher }.map(\.userName)
        deliver(
            "Fundsachen",
            "Im Foyer liegen zwei Jacken &amp; ein Helm.",
            from: "Sekretariat",
            to: families,
            at: start - .days(10),
            isRead: true
        )
        deliver(
            "Elternsprechtag",
            "<p>Liebe Eltern,</p><p>der Sprechtag beginnt um 14:00&nbsp;Uhr.</p>",
            from: "Rossi Rita",
            to: families,
            at: start - .days(3),
            attachment: "Einladung.pdf"
        )
    }

    private mutating func fillAttendance(at start: Timestamp) {
        for student in students where student.lastName == "Muster" {
            addExcusedAbsence(student, on: date(at: start).adding(days: -20), created: start - .days(20))
            addRegisterEvent(student, on: date(at: start).adding(days: -12))
        }
        news.append(
            DayMessage(
                id: number(.news),
                date: date(at: start),
                subject: "Heizung",
                text: "Im Trakt B <b>keine</b> Heizung."
            )
        )
    }

    private mutating func addExcusedAbsence(_ student: Student, on date: CalendarDate, created: Timestamp) {
        let excuse = Absence.Excuse(id: number(.excuse), reason: "Krankheit", text: "", date: date.adding(days: 1))
        absences.append(
            Absence(
                id: number(.absence),
                student: student.id,
                start: date,
                end: date,
                from: calendar.bells[0].start,
                to: calendar.bells[5].end,
                createdAt: created,
                lastUpdate: created,
                excuse: excuse
            )
        )
    }

    private mutating func addRegisterEvent(_ student: Student, on date: CalendarDate) {
        registerEvents.append(
            RegisterEvent(
                id: number(.registerEvent),
                student: student.id,
                subject: "MAT",
                creator: "Rossi Rita",
                date: date,
                time: calendar.bells[0].end,
                reason: "Hausaufgabe vergessen",
                category: "Vermerk",
                text: "Zum 2. Mal"
            )
        )
    }

    /// An exam and homework for every class.
    private mutating func fillWork(at start: Timestamp) {
        for klasse in klassen {
            if let lesson = nextLesson(of: klasse.id, in: "DEU", after: start + .days(4)) {
                setExam(lesson, named: "1. Schularbeit", text: "Erörterung")
            }
            if let lesson = nextLesson(of: klasse.id, in: "MAT", after: start + .days(1)) {
                homework.append(
                    Homework(
                        id: number(.homework),
                        course: lesson.course,
                        klasse: klasse.id,
                        date: date(at: start).adding(days: -3),
                        due: lesson.slot.date,
                        text: "S. 45 Nr. 3&nbsp;a–c<br/>"
                    )
                )
            }
        }
    }
}
