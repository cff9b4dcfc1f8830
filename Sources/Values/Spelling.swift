/// Finds what somebody who mistyped a name probably meant.
public enum Spelling {
    /// The candidates nearest to a name, nearest first, none further away than a third of its length (at least one edit);
    /// candidates that differ only in case come first.
    public static func nearest(to name: String, among candidates: some Sequence<String>, most: Int = 1) -> [String] {
        let reach = max(1, name.count / 3)
        let lowercased = Array(name.lowercased())
        let ranked = candidates.compactMap { candidate -> (distance: Int, candidate: String)? in
            guard candidate != name else { return nil }
            let other = Array(candidate.lowercased())
            // Every letter that one has more than the other is an edit.
            guard abs(other.count - lowercased.count) <= reach else { return nil }
            let distance = editDistance(lowercased, other)
            return distance <= reach ? (distance, candidate) : nil
        }
        return ranked.sorted { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }.prefix(most).map(\.candidate)
    }

    /// `did you mean 'grade.value'?`, or nil where nothing is near.
    public static func question(about name: String, among candidates: some Sequence<String>) -> String? {
        nearest(to: name, among: candidates).first.map { "did you mean '\($0)'?" }
    }

    /// How to mend a text that is none of those that something can have: the nearest one, and all of them.
    ///
    /// - Parameter name: what has these values: `lesson.state`.
    public static func cures(forValue value: String, among values: [String], of name: String) -> [String] {
        let shown = values.filter { !$0.isEmpty }
        let question = question(about: value, among: shown)
        if question != nil, shown.count > mostListed { return [question].compactMap(\.self) }
        let more = shown.count > mostListed ? ", and \(shown.count - mostListed) more" : ""
        let list = "'\(name)' is one of: \(shown.prefix(mostListed).joined(separator: ", "))\(more)"
        return [question, list].compactMap(\.self)
    }

    /// More values than these nobody reads in a complaint.
    private static let mostListed = 12

    /// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other
    /// (optimal string alignment).
    private static func editDistance(_ one: [Character], _ other: [Character]) -> Int {
        if one.isEmpty || other.isEmpty { return max(one.count, other.count) }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in 1...one.count {
            var current = [row]
            for column in 1...other.count {
                let replaced = last[column - 1] + (one[row - 1] == other[column - 1] ? 0 : 1)
                var best = min(replaced, last[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
