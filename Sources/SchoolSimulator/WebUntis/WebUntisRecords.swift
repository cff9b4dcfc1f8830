import Values

/// Grade book, class register, exams and homework of the older API.
extension SimulatorState {
    // MARK: Grades

    func answerGradeLessons(_ request: ServedRequest, _ account: Account) -> ServedAnswer {
        switch student(request, account) {
        case .failure(let refusal): return refusal.answer
        case .success(let student):
            guard let year = request.argument("schoolyearId").flatMap({ Int($0) }) else {
                return Self.viewError(400, "VALIDATION_ERROR", ["schoolyearId"])
            }
            let courses = school.courses.filter { $0.klasse == student.klasse && year == school.calendar.newest.id }
            let rows = courses.map { course -> Value in
                [
                    "id": .number(course.number), "subjects": .text(school.subject(course.subject)?.longName),
                    "teachers": .text(school.teacher(course.teacher)?.displayName),
                ]
            }
            return .json(["data": ["lessons": .list(rows)]])
        }
    }

    func answerGradeLesson(_ request: ServedRequest, _ account: Account) -> ServedAnswer {
        switch student(request, account) {
        case .failure(let refusal): return refusal.answer
        case .success(let student):
            guard let number = request.argument("lessonId").flatMap({ Int($0) }), let course = school.course(number)
            else {
                return Self.viewError(404, "NOT_FOUND")
            }
            let own = school.grades.filter { $0.student == student.id && $0.course == number }
            let lesson: Value = ["id": .number(number), "subjects": .text(school.subject(course.subject)?.longName)]
            return .json(["data": ["lesson": lesson, "grades": .list(own.map(grade))]])
        }
    }

    /// All subjects in one answer.
    func answerGradeList(_ request: ServedRequest, _ account: Account) -> ServedAnswer {
        switch (
            student(request, account, argument: "personId"), Self.day(request, "startDate"),
            Self.day(request, "endDate")
        ) {
        case (.failure(let refusal), _, _): return refusal.answer
        case (_, .failure(let error), _), (_, _, .failure(let error)): return error.answer
        case (.success(let student), .success(let start), .success(let end)):
            let own = school.grades.filter { $0.student == student.id && start <= $0.date && $0.date <= end }
            let rows = own.map { mark -> Value in
                let subject = school.course(mark.course).flatMap { school.subject($0.subject) }
                return ["subject": .text(subject?.longName), "personId": .number(student.id), "grade": grade(mark)]
            }
            return .json(["data": .list(rows)])
        }
    }

    private func grade(_ grade: Grade) -> Value {
        [
            "id": .number(grade.id), "date": .number(grade.date.compactNumber),
            "lastUpdate": .int(grade.lastUpdate.milliseconds), "text": .string(grade.text),
            "schoolyearId": .number(school.calendar.newest.id),
            "mark": [
                "id": .number(grade.mark.id), "name": .string(grade.mark.name),
                "markValue": .number(grade.mark.schemeValue),
                "markDisplayValue": .double(grade.mark.value),
            ],
            "examType": [
                "id": .number(grade.kind.id), "name": .string(grade.kind.rawValue),
                "longname": .string(grade.kind.longName),
            ],
            "exam": .null,
        ]
    }

    // MARK: Absences and entries

    /// Pages count from 1.
    func answerAbsences(_ request: ServedRequest, _ account: Account) -> ServedAnswer {
        switch (student(request, account), Self.day(request, "startDate"), Self.day(request, "endDate")) {
        case (.failure(let refusal), _, _): return refusal.answer
        case (_, .failure(let error), _), (_, _, .failure(let error)): return error.answer
        case (.success(let student), .success(let start), .success(let end)):
            let own = school.absences.filter { $0.student == student.id && $0.start <= end && start <= $0.end }
            let size = max(1, request.argument("pageSize").flatMap { Int($0) } ?? 100)
            let page = max(1, request.argument("page").flatMap { Int($0) } ?? 1)
            let (skipped, overflow) = (page - 1).multipliedReportingOverflow(by: size)
            let rows = overflow ? [] : own.dropFirst(skipped).prefix(size).map { absence($0, of: student) }
            return .json([
                "data": [
                    "absences": .list(rows), "absenceReasons": [["id": 2, "name": "Krankheit"]],
                    "excuseStatuses": [["id": "-1", "label": "- Alle -"]], "showAbsenceReasonChange": false,
                    "showCreateAbsence": false, "count": .number(own.count),
                ]
            ])
        }
    }

    private func absence(_ absence: Absence, of student: Student) -> Value {
        let time = { (time: WallTime) -> Value in
            .number(school.absenceTimesAreMinutes ? time.minuteOfDay : time.compactNumber)
        }
        let excuse = absence.excuse
        let status = Value.text(excuse == nil ? nil : "entschuldigt")
        return [
            "id": .number(absence.id), "studentId": .number(student.id), "studentName": .string(student.displayName),
            "startDate": .number(absence.start.compactNumber), "endDate": .number(absence.end.compactNumber),
            "startTime": time(absence.from), "endTime": time(absence.to),
            "createDate": .int(absence.createdAt.milliseconds),
            "lastUpdate": .int(absence.lastUpdate.milliseconds), "createdUser": "ROS", "updatedUser": "ROS",
            "reasonId": .number(excuse == nil ? 0 : 2), "reason": .string(excuse?.reason ?? ""), "text": "",
            "interruptions": [], "canEdit": false, "excuseStatus": status, "isExcused": .bool(excuse != nil),
            "excuse": [
                "id": .number(excuse?.id ?? 0), "text": .string(excuse?.text ?? ""),
                "excuseDate": .number(excuse?.date.compactNumber ?? 0), "excuseStatus": status,
                "isExcused": .bool(excuse != nil), "userId": .number(excuse == nil ? 0 : 1),
                "username": .string(excuse == nil ? "" : "ROS"),
            ],
        ]
    }

    func answerRegisterEvents(_ request: ServedRequest, _ account: Account) -> ServedAnswer {
        switch (student(request, account), Self.day(request, "startDate"), Self.day(request, "endDate")) {
        case (.failure(let refusal), _, _): return refusal.answer
        case (_, .failure(let error), _), (_, _, .failure(let error)): return error.answer
        case (.success(let student), .success(let start), .success(let end)):
            let own = school.registerEvents.filter { $0.student == student.id && start <= $0.date && $0.date <= end }
            let rows = own.map { event -> Value in
                [
                    "id": .number(event.id), "elemType": "STUDENT", "elementName": .string(student.displayName),
                    "subjectName": .string(event.subject), "creatorName": .string(event.creator),
                    "createDate": .number(event.date.compactNumber), "createTime": .number(event.time.compactNumber),
                    "eventReasonName": .string(event.reason), "categoryName": .string(event.category),
                    "text": .string(event.text),
                ]
            }
            return .json(["data": ["totalCount": .number(rows.count), "rows": .list(rows)]])
        }
    }

    // MARK: Exams and homework

    /// The id of an exam is 0 here, as clients have seen it (protocols, WebUntis 2).
    func answerExams(_ request: ServedRequest, _ account: Account) -> ServedAnswer {
        switch (student(request, account), Self.day(request, "startDate"), Self.day(request, "endDate")) {
        case (.failure(let refusal), _, _): return refusal.answer
        case (_, .failure(let error), _), (_, _, .failure(let error)): return error.answer
        case (.success(let student), .success(let start), .success(let end)):
            let own = school.exams.filter { exam in
                exam.klasse == student.klasse && start <= exam.slot.date && exam.slot.date <= end
                    && (exam.students.isEmpty || exam.students.contains(student.id))
            }
            return .json(["data": ["exams": .list(own.map { exam($0) })]])
        }
    }

    private func exam(_ exam: Exam) -> Value {
        let course = school.course(exam.course)
        let klasse = school.klasse(exam.klasse)
        let sitting = school.students.filter { student in
            student.klasse == exam.klasse && (exam.students.isEmpty || exam.students.contains(student.id))
        }
        let assigned = sitting.map { student -> Value in
            [
                "id": .number(student.id), "displayName": .string(student.displayName),
                "klasse": ["id": .number(exam.klasse), "name": .text(klasse?.name)],
            ]
        }
        return [
            "id": 0, "examType": .string(exam.kind.longName), "name": .string(exam.name),
            "studentClass": [.text(klasse?.name)], "assignedStudents": .list(assigned),
            "examDate": .number(exam.slot.date.compactNumber), "startTime": .number(exam.slot.start.compactNumber),
            "endTime": .number(exam.slot.end.compactNumber), "subject": .text(school.subject(course?.subject)?.name),
            "teachers": [.text(school.teacher(course?.teacher)?.name)],
            "rooms": [.text(school.room(course?.room)?.name)],
            "text": .string(exam.text), "grade": "",
        ]
    }

    /// All children of a guardian mixed: the records tell them apart.
    func answerHomework(_ request: ServedRequest, _ account: Account) -> ServedAnswer {
        switch (Self.day(request, "startDate"), Self.day(request, "endDate")) {
        case (.failure(let error), _), (_, .failure(let error)): return error.answer
        case (.success(let start), .success(let end)):
            let children = account.students.compactMap { school.student($0) }
            let own = school.homework.filter { task in
                children.contains { $0.klasse == task.klasse } && task.date <= end && start <= task.due
            }
            let courses = own.compactMap { school.course($0.course) }
            return .json([
                "data": [
                    "records": .list(own.map { homeworkRecord($0, children) }),
                    "homeworks": .list(own.map(Self.homework)),
                    "teachers": .list(courses.compactMap { school.teacher($0.teacher) }.map(Self.homeworkTeacher)),
                    "lessons": .list(courses.map(homeworkLesson)),
                ]
            ])
        }
    }

    private func homeworkRecord(_ task: Homework, _ children: [Student]) -> Value {
        let ids = children.filter { $0.klasse == task.klasse }.map { Value.number($0.id) }
        let teacher = school.course(task.course)?.teacher ?? 0
        return ["homeworkId": .number(task.id), "teacherId": .number(teacher), "elementIds": .list(ids)]
    }

    private static func homework(_ task: Homework) -> Value {
        [
            "id": .number(task.id), "lessonId": .number(task.course), "date": .number(task.date.compactNumber),
            "dueDate": .number(task.due.compactNumber), "text": .string(task.text), "remark": "", "completed": false,
            "attachments": [],
        ]
    }

    private static func homeworkTeacher(_ teacher: Teacher) -> Value {
        ["id": .number(teacher.id), "name": .string(teacher.name)]
    }

    private func homeworkLesson(_ course: Course) -> Value {
        [
            "id": .number(course.number), "subject": .text(school.subject(course.subject)?.longName),
            "lessonType": "Unterricht",
        ]
    }
}
