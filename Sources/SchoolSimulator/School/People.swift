/// A class.
struct Klasse: Sendable {
    let id: Int
    let name: String
    let longName: String
    let classTeacher: Int
}

struct Subject: Sendable {
    let id: Int
    /// `MAT`.
    let name: String
    /// `Mathematik`.
    let longName: String
}

struct Teacher: Sendable {
    let id: Int
    /// `ROS`.
    let name: String
    let foreName: String
    let lastName: String

    var displayName: String { "\(lastName) \(foreName)" }
}

struct Room: Sendable {
    let id: Int
    let name: String
    let longName: String
}

struct Student: Sendable {
    let id: Int
    let foreName: String
    let lastName: String
    let isFemale: Bool
    let klasse: Int

    var displayName: String { "\(lastName) \(foreName)" }
    /// `MusterAnn`: the short name of the student directory.
    var name: String { lastName + foreName.prefix(3) }
    var key: String { "S\(id)" }
}

/// Somebody who can log in to WebUntis.
struct Account: Sendable {
    enum Role: String, Sendable {
        case student = "STUDENT"
        case guardian = "LEGAL_GUARDIAN"
        case teacher = "TEACHER"
    }

    let userID: Int
    let userName: String
    var password: String
    /// Base 32; what an authenticator app would be given.
    var appSecret: String
    let role: Role
    let personID: Int
    let displayName: String
    /// Student ids whose data this account may see: itself for a student, the children of a guardian, nobody's for a teacher.
    let students: [Int]

    /// Element types of WebUntis' persons: 2 teacher, 5 student, 12 legal guardian.
    var personType: Int {
        switch role {
        case .student: 5
        case .guardian: 12
        case .teacher: 2
        }
    }
}

/// What a class is taught by whom over the year: the number that all its lessons share.
struct Course: Sendable {
    /// 61001; WebUntis' lesson id of the grade book.
    let number: Int
    let klasse: Int
    let subject: Int
    let teacher: Int
    let room: Int
}
