import Values

/// When each source is asked next; pure but for the moments it is told.
struct PollPlan: Sendable {
    private var due: [String: Timestamp] = [:]

    /// First polls that are due at the start begin within this.
    static let longestSpread = TimeSpan.minutes(1)

    mutating func set(_ source: String, due instant: Timestamp?) { due[source] = instant }

    subscript(source: String) -> Timestamp? { due[source] }

    /// Spreads what is due at a start, so that neither the school nor the machine meets all sources at once.
    mutating func spread(from now: Timestamp, gap: TimeSpan) {
        let late = due.filter { $0.value <= now }.keys.sorted()
        guard late.count > 1 else { return }
        let step = min(gap, Self.longestSpread * (1 / Double(late.count)))
        for (place, name) in late.enumerated() { due[name] = now + step * Double(place) }
    }

    /// Sources whose time has come, but for these: the longest overdue first, so many at most.
    func ready(at now: Timestamp, besides running: Set<String>, limit: Int) -> [String] {
        var first: [(due: Timestamp, name: String)] = []
        for (name, due) in due where due <= now && limit > 0 {
            if first.count == limit, let last = first.last, (last.due, last.name) < (due, name) { continue }
            if running.contains(name) { continue }
            let place = first.firstIndex { (due, name) < ($0.due, $0.name) } ?? first.count
            first.insert((due, name), at: place)
            if first.count > limit { first.removeLast() }
        }
        return first.map(\.name)
    }

    /// The first moment of any source but these.
    func next(besides running: Set<String>) -> Timestamp? {
        var first: Timestamp?
        for (name, due) in due where first.map({ due < $0 }) ?? true && !running.contains(name) { first = due }
        return first
    }
}
