import Values

extension School {
    static let annasClass = 287
    static let lucasClass = 285

    /// Who and what there is, apart from what happens. All names are invented.
    mutating func fillDirectory(classmates: Int) {
        klassen = [
            Klasse(id: Self.lucasClass, name: "1A-INF", longName: "Klasse 1A Informatik", classTeacher: 313),
            Klasse(id: Self.annasClass, name: "3A-INF", longName: "Klasse 3A Informatik", classTeacher: 312),
            // A name that contains another's: matching by parts of names finds the wrong class.
            Klasse(id: 288, name: "13A-INF", longName: "Klasse 13A Informatik", classTeacher: 314),
        ]
        let subjectNames = [
            ("MAT", "Mathematik"), ("DEU", "Deutsch"), ("ITA", "Italienisch"), ("ENG", "Englisch"),
            ("INF", "Informatik"), ("GES", "Geschichte"), ("SPO", "Sport"), ("REL", "Religion"),
        ]
        subjects = subjectNames.enumerated().map { Subject(id: 21 + $0, name: $1.0, longName: $1.1) }
        let teacherNames = [
            ("ROS", "Rita", "Rossi"), ("BEI", "Karl", "Beispiel"), ("ESE", "Marco", "Esempio"),
            ("SAM", "Jo", "Sample"), ("NEU", "Ida", "Neutral"), ("PRO", "Lena", "Probst"),
        ]
        teachers = teacherNames.enumerated().map { Teacher(id: 312 + $0, name: $1.0, foreName: $1.1, lastName: $1.2) }
        let roomNames = ["T101", "T102", "T103", "T205", "INF1", "HALLE"]
        rooms = roomNames.enumerated().map { Room(id: 51 + $0, name: $1, longName: "Raum \($1)") }
        fillPeople(classmates: classmates)
        fillCourses()
    }

    private mutating func fillPeople(classmates: Int) {
        students = [
            Student(id: 4711, foreName: "Anna", lastName: "Muster", isFemale: true, klasse: Self.annasClass),
            Student(id: 4712, foreName: "Luca", lastName: "Muster", isFemale: false, klasse: Self.lucasClass),
        ]
        accounts = [
            account(Self.anna, .student, 20_011, 4711, "Muster Anna", [4711]),
            account(Self.luca, .student, 20_012, 4712, "Muster Luca", [4712]),
            account(Self.paola, .guardian, 20_013, 9021, "Muster Paola", [4711, 4712]),
            account(Self.karl, .guardian, 20_014, 9022, "Muster Karl", [4711]),
            account(Self.rita, .teacher, 20_015, 312, "Rossi Rita", []),
        ]
        let foreNames = ["Mia", "Noah", "Lea", "Jan", "Emma", "Tim", "Sara", "Paul", "Eva", "Max"]
        for index in 0..<max(0, classmates) {
            let foreName = foreNames[index % foreNames.count]
            let lastName = "Probe\(index + 1)"
            let student = Student(
                id: 4801 + index,
                foreName: foreName,
                lastName: lastName,
                isFemale: index % 2 == 0,
                klasse: Self.annasClass
            )
            students.append(student)
            let login = Self.classmate("\(foreName).\(lastName)".lowercased())
            accounts.append(
                account(login, .student, 21_000 + index, student.id, student.displayName, [student.id])
            )
        }
    }

    /// The login of a classmate by user name: `mia.probe1`, `noah.probe2`, `lea.probe3`, …
    public static func classmate(_ userName: String) -> Login {
        Login(userName: userName, password: "\(userName)-geheim", appSecret: "GEZDGNBVGY3TQOJV")
    }

    private func account(
        _ login: Login,
        _ role: Account.Role,
        _ userID: Int,
        _ personID: Int,
        _ displayName: String,
        _ students: [Int]
    ) -> Account {
        Account(
            userID: userID,
            userName: login.userName,
            password: login.password,
            appSecret: login.appSecret,
            role: role,
            personID: personID,
            displayName: displayName,
            students: students
        )
    }

    /// One course for every class and subject. Teachers of the first six subjects are the six in their order.
    private mutating func fillCourses() {
        var number = 61_000
        for (position, klasse) in klassen.enumerated() {
            for (index, subject) in subjects.enumerated() {
                number += 1
                let room =
                    switch subject.name {
                    case "INF": rooms[4]
                    case "SPO": rooms[5]
                    default: rooms[position]
                    }
                courses.append(
                    Course(
                        number: number,
                        klasse: klasse.id,
                        subject: subject.id,
                        teacher: teachers[(index + position) % teachers.count].id,
                        room: room.id
                    )
                )
            }
        }
    }

    /// The course in which a class has a subject.
    func course(of klasse: Int, in subject: Int) -> Course? {
        courses.first { $0.klasse == klasse && $0.subject == subject }
    }
}
