import BotCore
import Values

/// Finds out which lessons of one answer belong together: a cancelled one and what takes its place, or the place it was moved to.
///
/// The timetable shows both as separate rows without a link; the rules are those of `protocols/webuntis.md` section 4.
enum LessonPairing {
    static func paired(_ lessons: [Lesson]) -> [Lesson] {
        var lessons = lessons
        let days = Dictionary(grouping: lessons.indices) { lessons[$0].slot.date }
        linkMoves(in: &lessons, days)
        for indices in days.values {
            replace(among: indices, in: &lessons)
            move(among: indices, in: &lessons)
        }
        return lessons
    }

    /// A row that says where it came from settles the cancelled row at that place.
    private static func linkMoves(in lessons: inout [Lesson], _ days: [CalendarDate: [Int]]) {
        for target in lessons.indices {
            guard let origin = lessons[target].oldSlot else { continue }
            let source = days[origin.date]?.first {
                lessons[$0].state == .cancelled && lessons[$0].slot.start == origin.start
                    && lessons[$0].subject == lessons[target].subject && lessons[$0].successor?.id.isEmpty != false
            }
            if let source { lessons[source].successor = successor(lessons[target], isMove: true) }
        }
    }

    /// A cancelled lesson that an event or an additional lesson of the same class overlaps is replaced by it. Parallel rows of a divided
    /// class are lessons of their own and replace nothing; the same subject a little later is a move.
    private static func replace(among indices: [Int], in lessons: inout [Lesson]) {
        let replacing = indices.filter { isReplacement(lessons[$0]) }
        for index in indices where lessons[index].state == .cancelled && lessons[index].successor == nil {
            let cancelled = lessons[index]
            let candidates = replacing.filter {
                lessons[$0].overlaps(cancelled)
                    && lessons[$0].sharesClass(with: cancelled)
                    && (lessons[$0].subject != cancelled.subject || lessons[$0].slot.start == cancelled.slot.start)
            }
            let best = candidates.max { overlap(lessons[$0], cancelled) < overlap(lessons[$1], cancelled) }
            if let best { lessons[index].successor = successor(lessons[best], isMove: false) }
        }
    }

    private static func isReplacement(_ lesson: Lesson) -> Bool {
        guard lesson.state != .cancelled, lesson.groups.isEmpty else { return false }
        return lesson.state == .additional || lesson.kind == "event"
    }

    private static func overlap(_ one: Lesson, _ other: Lesson) -> Int {
        min(one.slot.end, other.slot.end).secondOfDay - max(one.slot.start, other.slot.start).secondOfDay
    }

    /// A cancelled lesson with nothing in its place and an additional one of the same subject and class elsewhere on the day are one
    /// lesson that was moved; several pair in order of time.
    private static func move(among indices: [Int], in lessons: inout [Lesson]) {
        let replacing = Set(indices.compactMap { lessons[$0].successor?.id })
        var free = indices.filter { lessons[$0].state == .additional && !replacing.contains(lessons[$0].id) }
        free.sort { lessons[$0].slot.start < lessons[$1].slot.start }
        let cancelled = indices.filter { lessons[$0].state == .cancelled && lessons[$0].successor == nil }
        for source in cancelled.sorted(by: { lessons[$0].slot.start < lessons[$1].slot.start }) {
            let target = free.firstIndex {
                lessons[$0].subject == lessons[source].subject && !lessons[$0].subject.isEmpty
                    && lessons[$0].sharesClass(with: lessons[source])
            }
            guard let target else { continue }
            let index = free.remove(at: target)
            lessons[index].state = .moved
            lessons[index].oldSlot = lessons[source].slot
            lessons[index].deviations = (lessons[index].deviations.filter { $0 != "additional" } + ["time"]).asSet
            lessons[source].successor = successor(lessons[index], isMove: true)
        }
    }

    private static func successor(_ lesson: Lesson, isMove: Bool) -> Lesson.Successor {
        Lesson.Successor(
            id: lesson.id,
            slot: lesson.slot,
            subject: lesson.subject,
            teachers: lesson.teachers,
            rooms: lesson.rooms,
            text: lesson.text,
            isMove: isMove
        )
    }
}
