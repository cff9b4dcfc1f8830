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

    /// Sources whose time has come, the longest overdue first.
    func ready(at now: Timestamp) -> [String] {
        due.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    /// The first moment of any source but these.
    func next(besides running: Set<String>) -> Timestamp? {
        due.filter { !running.contains($0.key) }.values.min()
    }
}
