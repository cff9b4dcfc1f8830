import BotConfig
import BotCore
import Values

/// `webuntis.grades`: all grades of a student in the school year, one list of lessons and one request for each lesson.
struct GradesProvider: Provider {
    let account: WebUntisAccount
    let student: String?

    /// Requests under way at once; the transport's politeness comes on top.
    private static let parallel = 3
    /// A student has ten to forty; what is above would be a flood of requests.
    private static let mostLessons = 200

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let profile = try await account.profile(at: request.now)
        let student = try profile.student(student, at: account.wire.place)
        let lessons = try await lessons(of: student, profile.year(on: request.today)?.id, at: request.now)
        let answers = await confirmed(
            await answers(for: lessons, of: student, at: request.now),
            of: student,
            request
        )
        var reader = GradeReader(scale: account.gradeScale)
        var failures: [(lesson: GradedLesson, error: PluginError)] = []
        for (lesson, answer) in answers {
            switch answer {
            case .success(let document): reader.add(document, of: lesson)
            case .failure(let error): failures.append((lesson, error))
            }
        }
        // Half an answer is an error: only what is refused for good may be missing from it.
        if let passing = failures.first(where: { !Self.isRefusal($0.error) }) { throw passing.error }
        if let first = failures.first, failures.count == lessons.count { throw first.error }
        let lost = Set((failures.map(\.lesson.id) + reader.unreadableLessons).map { "\(student.id)/\($0)" })
        let unreadable = unreadableKeys(in: lost, reader, of: student, request)
        return await account.listSnapshot(
            Snapshot(
                records: reader.records(of: student.id),
                unreadableKeys: unreadable,
                unreadable: unreadable.count + reader.namelessCount,
                era: profile.era(on: request.today),
                student: student,
                calendar: profile.calendar
            ),
            request,
            answered: Set(lessons.map { "\(student.id)/\($0.id)" }).subtracting(lost),
            refused: lost
        )
    }

    /// The known grades of lost lessons and what the reader could not read. A lost lesson of which nothing is known stands under its own
    /// name, so that nobody looks for its grades among the others'.
    private func unreadableKeys(
        in lost: Set<String>,
        _ reader: GradeReader,
        of student: Student,
        _ request: FetchRequest
    ) -> Set<String> {
        let known = request.knownKeys.filter { key in lost.contains { key.hasPrefix($0 + "/") } }
        let nameless = lost.filter { part in !known.contains { $0.hasPrefix(part + "/") } }
        return known.union(reader.unreadableKeys(of: student.id)).union(nameless)
    }

    private static func isRefusal(_ error: PluginError) -> Bool {
        error.disposition == .unavailable || error.disposition == .permanent
    }

    /// What a lesson shows when it first answers was there before, and is not told.
    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        let unseen = ListMemo.unseenParts(in: difference.oldMemo)
        return difference.changes.compactMap { change in
            if let record = change.new ?? change.old, unseen.contains(record.listPart) { return nil }
            return switch change.kind {
            case .added, .entered: change.occurrence("grade.added")
            case .changed: change.occurrence("grade.changed")
            case .removed: change.occurrence("grade.removed")
            case .renumbered: nil
            }
        }
    }

    private func lessons(of student: Student, _ year: Int64?, at now: Timestamp) async throws(PluginError)
        -> [GradedLesson]
    {
        var query = [("studentId", student.id)]
        if let year { query.append(("schoolyearId", String(year))) }
        let document = try await account.document(WebUntisRoutes.gradedLessons, query, asking: "grades", at: now)
        let data = document["data"]
        let listed = data["lessons"].list == nil ? data["lesson"] : data["lessons"]
        let list = try account.wire.list(listed, of: "graded lessons", in: document)
        guard list.count <= Self.mostLessons else {
            throw .permanent("\(account.wire.place): \(list.count) graded lessons cannot be one student's.")
        }
        return list.compactMap(GradedLesson.init)
    }

    /// The grades of each lesson, or why they did not come; in the order of the lessons.
    private func answers(
        for lessons: [GradedLesson],
        of student: Student,
        at now: Timestamp
    ) async -> [(GradedLesson, Result<Value, PluginError>)] {
        await withTaskGroup(of: (Int, Result<Value, PluginError>).self) { group in
            var answers: [Int: Result<Value, PluginError>] = [:]
            for (index, lesson) in lessons.enumerated() {
                if index >= Self.parallel, let (done, answer) = await group.next() { answers[done] = answer }
                group.addTask { (index, await grades(of: lesson, student, at: now)) }
            }
            for await (done, answer) in group { answers[done] = answer }
            return lessons.enumerated().compactMap { index, lesson in answers[index].map { (lesson, $0) } }
        }
    }

    /// Asks again, with a fresh login, for lessons whose known grades are all gone: a session that dies on the way leaves lists empty.
    private func confirmed(
        _ answers: [(lesson: GradedLesson, answer: Result<Value, PluginError>)],
        of student: Student,
        _ request: FetchRequest
    ) async -> [(GradedLesson, Result<Value, PluginError>)] {
        let doubtful = answers.filter { lesson, answer in
            guard case .success(let document) = answer, document["data"]["grades"].list?.isEmpty == true else {
                return false
            }
            return request.knownKeys.contains { $0.hasPrefix("\(student.id)/\(lesson.id)/") }
        }
        if doubtful.isEmpty { return answers }
        await account.distrustSession()
        let again = await self.answers(for: doubtful.map(\.lesson), of: student, at: request.now)
        let settled = Dictionary(again.map { ($0.0, $0.1) }) { first, _ in first }
        return answers.map { ($0.lesson, settled[$0.lesson] ?? $0.answer) }
    }

    private func grades(of lesson: GradedLesson, _ student: Student, at now: Timestamp) async -> Result<
        Value, PluginError
    > {
        do throws(PluginError) {
            let query = [("studentId", student.id), ("lessonId", lesson.id)]
            return .success(try await account.document(WebUntisRoutes.lessonGrades, query, asking: "grades", at: now))
        } catch {
            return .failure(error)
        }
    }
}

/// A lesson of the school year that grades are given in.
struct GradedLesson: Sendable, Hashable {
    let id: String
    let subject: String
    let teacher: String

    init?(_ entry: Value) {
        guard let id = entry["id"].wholeNumber, id > 0 else { return nil }
        self.id = String(id)
        subject = (entry["subjects"].names + entry["subject"].names).distinct.joined(separator: ", ")
        teacher = (entry["teachers"].names + entry["teacher"].names).distinct.joined(separator: ", ")
    }
}

/// Collects the grades of all lessons.
struct GradeReader {
    let scale: GradeScale
    private(set) var unreadable: [(lesson: String, id: String?)] = []
    private(set) var unreadableLessons: [String] = []
    private var grades: [Grade] = []

    private struct Grade {
        var id: String
        var lesson: GradedLesson
        var date: CalendarDate?
        var kind: String
        var text: String
        var mark: String
        var value: Double?
    }

    init(scale: GradeScale) { self.scale = scale }

    mutating func add(_ document: Value, of lesson: GradedLesson) {
        guard let list = document["data"]["grades"].list else {
            unreadableLessons.append(lesson.id)
            return
        }
        for entry in list {
            guard entry["mark"].map != nil else {
                unreadable.append((lesson.id, entry["id"].wholeNumber.map { String($0) }))
                continue
            }
            grades.append(Self.grade(entry, of: lesson))
        }
    }

    /// `markDisplayValue` is the number on the school's scale; `markValue` only where it is missing. 0 is no mark, nor is what no scale has.
    private static func grade(_ entry: Value, of lesson: GradedLesson) -> Grade {
        let mark = entry["mark"]
        let number = mark["markDisplayValue"].number ?? mark["markValue"].number
        let value = number.flatMap { $0 > 0 && $0 < GradeMath.largestMark ? $0 : nil }
        let name = mark["name"].label
        let type = entry["examType"]
        var grade = Grade(
            id: "",
            lesson: lesson,
            date: entry["date"].day,
            kind: [type["longname"].label, type["longName"].label, type["name"].label, type.label].first { !$0.isEmpty }
                ?? "",
            text: entry["text"].prose,
            mark: name.isEmpty ? value.map(GradeMath.text) ?? "" : name,
            value: value
        )
        grade.id = entry.name(orContent: [grade.date?.description ?? "", grade.kind, grade.text, grade.mark])
        return grade
    }

    func unreadableKeys(of student: String) -> [String] {
        unreadable.compactMap { entry in entry.id.map { "\(student)/\(entry.lesson)/\($0)" } }
    }

    /// How many unreadable entries have no id either.
    var namelessCount: Int { unreadable.count { $0.id == nil } }

    func records(of student: String) -> [Record] {
        let overall = GradeMath.average(grades.compactMap(\.value))
        let bySubject = Dictionary(grouping: grades, by: \.lesson.subject).mapValues {
            GradeMath.average($0.compactMap(\.value))
        }
        var seen: Set<String> = []
        return grades.compactMap { grade in
            let key = "\(student)/\(grade.lesson.id)/\(grade.id)"
            guard seen.insert(key).inserted else { return nil }
            let mean = bySubject[grade.lesson.subject] ?? 0
            var fields: ValueMap = [
                "id": .string(grade.id), "date": .string(grade.date?.description ?? ""),
                "subject": .string(grade.lesson.subject),
                "subject_long": .string(grade.lesson.subject), "teacher": .string(grade.lesson.teacher),
                "kind": .string(grade.kind),
                "text": .string(grade.text), "mark": .string(grade.mark),
                "negative": .bool(grade.value.map { !scale.passes($0) } ?? false),
                "subject_average": .string(mean > 0 ? GradeMath.text(mean) : ""),
                "subject_negative": .bool(mean > 0 && !scale.passes(mean)),
                "average": .string(overall > 0 ? GradeMath.text(overall) : ""),
            ]
            if let value = grade.value { fields["value"] = .double(value) }
            return Record(key: key, type: GradeSchema.record.name, fields: fields)
        }
    }
}
