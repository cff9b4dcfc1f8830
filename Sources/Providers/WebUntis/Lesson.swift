import BotCore
import Values

/// One occurrence of a lesson, exam or event, as one period id of the timetable names it.
struct Lesson: Sendable, Hashable {
    /// Whether and how it takes place.
    enum State: String, Sendable, CaseIterable {
        case planned, changed, additional, moved, cancelled
    }

    /// What `kind` can be.
    static let kindNames = [
        "lesson", "exam", "event", "office_hour", "stand_by", "supervision", "meeting", "other",
    ]
    /// What `deviations` can hold.
    static let deviationNames = ["subject", "teacher", "room", "time", "additional", "cancelled"]

    /// A span of wall-clock time on one day or, at the far end of a move, on another.
    struct Slot: Sendable, Hashable {
        var date: CalendarDate
        var start: WallTime
        var end: WallTime
    }

    /// What takes the place of a cancelled lesson, or where it was moved to.
    struct Successor: Sendable, Hashable {
        var id: String
        var slot: Slot
        var subject: String
        var teachers: [String]
        var rooms: [String]
        var text: String
        /// The lesson itself at another time, not another lesson in its place.
        var isMove: Bool
    }

    /// The period id; a merged block of lessons has one for each.
    var id: String
    var slot: Slot
    var kind = "lesson"
    var state = State.planned
    var subject = ""
    var subjectLong = ""
    var teachers: [String] = []
    var teacherNames: [String] = []
    var rooms: [String] = []
    var classes: [String] = []
    var groups: [String] = []
    var text = ""
    var exam = ""
    var examText = ""
    /// Ordinal of the lesson in the school's day: `3`, `3–4`; "" off the grid.
    var period = ""
    /// How many period ids the timetable shows as one block.
    var merged = 1

    var oldSubject = ""
    var oldTeachers: [String] = []
    var oldRooms: [String] = []
    var oldSlot: Slot?
    var successor: Successor?
    /// What the school marks as deviating from plan; some of `deviationNames`.
    var deviations: [String] = []

    func overlaps(_ other: Lesson) -> Bool {
        slot.date == other.slot.date && slot.start < other.slot.end && other.slot.start < slot.end
    }

    /// Whether both concern a common class; a lesson without classes concerns everybody who sees it.
    func sharesClass(with other: Lesson) -> Bool {
        classes.isEmpty || other.classes.isEmpty || !Set(classes).isDisjoint(with: other.classes)
    }
}

extension Lesson {
    /// The record of a lesson.
    ///
    /// - Parameters:
    ///   - student: the id of the student; keys of siblings differ.
    ///   - school: the name that makes a period id unique in the world.
    func record(of student: String, at school: String, in zone: Zone) -> Record {
        Record(
            key: "\(student)/\(slot.date)/\(id)",
            type: LessonSchema.record.name,
            date: slot.date,
            fields: fields(in: zone),
            likeness: [
                slot.date.description, slot.start.description, slot.end.description, subject,
                classes.joined(separator: ","),
                groups.joined(separator: ","),
            ].joined(separator: "|"),
            worldKey: "\(school)/\(slot.date)/\(id)"
        )
    }

    private func fields(in zone: Zone) -> ValueMap {
        var fields: ValueMap = [
            "id": .string(id), "date": .string(slot.date.description),
            "start": .timestamp(zone.instant(of: slot.date, at: slot.start)),
            "end": .timestamp(zone.instant(of: slot.date, at: slot.end)),
            "time": .string("\(slot.start)–\(slot.end)"), "period": .string(period),
            "kind": .string(kind), "state": .string(state.rawValue), "subject": .string(subject),
            "subject_long": .string(subjectLong), "teachers": teachers.value,
            "teacher": .string(teachers.joined(separator: ", ")),
            "teacher_names": teacherNames.value, "rooms": rooms.value, "room": .string(rooms.joined(separator: ", ")),
            "classes": classes.value, "student_groups": groups.value, "text": .string(text), "exam": .string(exam),
            "exam_text": .string(examText), "old_subject": .string(oldSubject), "old_teachers": oldTeachers.value,
            "old_teacher": .string(oldTeachers.joined(separator: ", ")), "old_rooms": oldRooms.value,
            "old_room": .string(oldRooms.joined(separator: ", ")), "deviations": deviations.value,
            "merged": .int(Int64(merged)),
            "new_id": .string(successor?.id ?? ""), "new_subject": .string(successor?.subject ?? ""),
            "new_teacher": .string(successor?.teachers.joined(separator: ", ") ?? ""),
            "new_room": .string(successor?.rooms.joined(separator: ", ") ?? ""),
            "new_text": .string(successor?.text ?? ""),
            "is_moved_away": .bool(successor?.isMove ?? false),
        ]
        if let oldSlot {
            fields["old_start"] = .timestamp(zone.instant(of: oldSlot.date, at: oldSlot.start))
            fields["old_end"] = .timestamp(zone.instant(of: oldSlot.date, at: oldSlot.end))
        }
        if let new = successor?.slot {
            fields["new_start"] = .timestamp(zone.instant(of: new.date, at: new.start))
            fields["new_end"] = .timestamp(zone.instant(of: new.date, at: new.end))
        }
        return fields
    }
}
