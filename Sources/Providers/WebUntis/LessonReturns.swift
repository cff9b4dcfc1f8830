import BotCore
import Values

/// Finds lessons that went and came back in one poll, which is a move: under the same id on another day, at the place that a row says
/// it came from, or under another id elsewhere on the day.
struct LessonReturns {
    private var findings: [LessonFinding]
    /// Places of findings that are told with another one.
    private var settled: Set<Int> = []

    init(_ findings: [LessonFinding]) { self.findings = findings }

    // MARK: By name

    /// What the rows themselves say: their ids, and where they say that they come from.
    func byName() -> [LessonFinding] {
        var returns = self
        returns.pairByID()
        returns.pairByOrigin()
        returns.pairWithOrigin()
        return returns.left
    }

    /// A period id names one occurrence, on whatever day it is held. Events of several days have one id on each of them, in order.
    private mutating func pairByID() {
        let came = Dictionary(grouping: fresh.filter { findings[$0].record.hasPeriodID }) {
            findings[$0].nameAndSubject
        }
        let went = Dictionary(grouping: gone) { findings[$0].nameAndSubject }
        for (name, indices) in came {
            for (former, new) in zip(went[name] ?? [], indices) { pair(former, with: new) }
        }
    }

    /// A row that names the time or the subject that was planned in its place.
    private mutating func pairByOrigin() {
        var went = Dictionary(grouping: gone.filter { !settled.contains($0) }) { findings[$0].record.start }
        for new in fresh where findings[new].old == nil {
            let record = findings[new].record
            let origin = record.fields["old_start"]?.timestamp
            let subjects = Set(
                [record.text("old_subject"), origin == nil ? "" : record.text("subject")].filter { !$0.isEmpty }
            )
            let place = origin ?? record.start
            let former = went[place]?.firstIndex {
                subjects.contains(findings[$0].record.text("subject")) && findings[$0].record.sharesClass(with: record)
            }
            guard let former, let index = went[place]?.remove(at: former) else { continue }
            pair(index, with: new)
        }
    }

    /// A row that is gone and named the place that it had been moved from, and a lesson that is there again.
    private mutating func pairWithOrigin() {
        var came = Dictionary(grouping: fresh) { findings[$0].record.start }
        for former in gone where !settled.contains(former) {
            let record = findings[former].record
            guard let origin = record.fields["old_start"]?.timestamp, !record.text("subject").isEmpty else { continue }
            let place = came[origin]?.firstIndex {
                let back = findings[$0].record
                return back.text("subject") == record.text("subject") && back.sharesClass(with: record)
            }
            guard let place, let index = came[origin]?.remove(at: place) else { continue }
            pair(former, with: index)
        }
    }

    // MARK: Elsewhere on the day

    /// A lesson gone from a day, or cancelled on it with nothing in its place, and one of the same subject, class and groups that is new
    /// on it at another time.
    func elsewhere() -> [LessonFinding] {
        var returns = self
        let came = Dictionary(grouping: fresh.filter { !findings[$0].record.text("subject").isEmpty }) {
            findings[$0].dayAndCourse
        }
        let went = Dictionary(grouping: gone + cancelled) { findings[$0].dayAndCourse }
        for (course, indices) in came {
            guard let former = went[course] else { continue }
            for (former, new) in returns.alignment(inOrderOfTime(former), inOrderOfTime(indices)) {
                returns.pair(former, with: new)
            }
        }
        return returns.left
    }

    /// Pairs as many as possible, none crossing another, over the shortest way in all: a double lesson moves as a whole, and of two
    /// lessons of a subject the one that is nearer to the new time has moved.
    private func alignment(_ former: [Int], _ new: [Int]) -> [(former: Int, new: Int)] {
        let isShorter = former.count <= new.count
        let (short, long) = isShorter ? (former, new) : (new, former)
        var cost = [[Double]](
            repeating: [Double](repeating: .infinity, count: long.count + 1),
            count: short.count + 1
        )
        cost[0] = [Double](repeating: 0, count: long.count + 1)
        let step = { (row: Int, column: Int) in
            let ends = (short[row - 1], long[column - 1])
            return cost[row - 1][column - 1] + (isShorter ? distance(ends.0, ends.1) : distance(ends.1, ends.0))
        }
        for row in cost.indices.dropFirst() {
            for column in row...long.count { cost[row][column] = min(cost[row][column - 1], step(row, column)) }
        }
        var pairs: [(former: Int, new: Int)] = []
        var (row, column) = (short.count, long.count)
        while row > 0, column > 0 {
            if cost[row][column] == cost[row][column - 1] {
                column -= 1
                continue
            }
            (row, column) = (row - 1, column - 1)
            let ends = isShorter ? (short[row], long[column]) : (long[column], short[row])
            if distance(ends.0, ends.1) < Self.strangers { pairs.append((former: ends.0, new: ends.1)) }
        }
        return pairs.reversed()
    }

    /// What another teacher weighs: more than any way within a day.
    private static let otherTeacher = 86_400.0
    /// What lessons weigh that cannot be one: more than any sum of ways.
    private static let strangers = 1e12

    private func distance(_ former: Int, _ new: Int) -> Double {
        let (old, record) = (findings[former].record, findings[new].record)
        guard let start = old.start, let other = record.start, old.sharesClass(with: record) else {
            return Self.strangers
        }
        // A cancelled lesson with itself in its place is a substitution.
        if old.isCancelled, start == other { return Self.strangers }
        let teachers = Set(old.texts("teachers"))
        let isStandIn = !teachers.isEmpty && teachers.isDisjoint(with: record.texts("teachers"))
        return abs(Double((other - start).seconds)) + (isStandIn ? Self.otherTeacher : 0)
    }

    private func inOrderOfTime(_ indices: [Int]) -> [Int] {
        indices.sorted { one, other in
            let (first, second) = (findings[one].record.start, findings[other].record.start)
            guard let first, let second, first != second else { return one < other }
            return first < second
        }
    }

    // MARK: Pairs

    private var gone: [Int] { findings.indices.filter { findings[$0].kind == .removed } }
    private var cancelled: [Int] {
        findings.indices.filter { findings[$0].kind == .cancelled && findings[$0].old?.isCancelled == false }
    }
    /// What was not there before, whatever deviates in it.
    private var fresh: [Int] {
        findings.indices.filter {
            findings[$0].old == nil && findings[$0].kind != .removed && !findings[$0].record.isCancelled
        }
    }

    /// Tells a finding that something is gone with the one that it came back as.
    private mutating func pair(_ former: Int, with new: Int) {
        let old = findings[former].old ?? findings[former].record
        var finding = findings[new]
        finding.changes = LessonSchema.changes(from: old, to: finding.record)
        finding.old = old
        if finding.changes.contains(where: { ["date", "start", "end"].contains($0.field) }) {
            finding.kind = .moved
            if finding.record.fields["old_start"] == nil {
                finding.record.fields["old_start"] = old.fields["start"]
                finding.record.fields["old_end"] = old.fields["end"]
            }
        } else {
            finding.isNew = false
        }
        findings[new] = finding
        settled.insert(former)
    }

    /// The findings that are not told with another one.
    private var left: [LessonFinding] { findings.indices.filter { !settled.contains($0) }.map { findings[$0] } }
}

extension LessonFinding {
    fileprivate var nameAndSubject: [String] { [record.text("id"), record.text("subject")] }

    fileprivate var dayAndCourse: [String] {
        [record.text("date"), record.text("subject"), (record.fields["student_groups"] ?? .null).json]
    }
}

extension Record {
    /// Whether the school gave it an id; else it is named by its time and subject.
    fileprivate var hasPeriodID: Bool { text("id").utf8.first.map { (0x30...0x39).contains($0) } ?? false }
}
