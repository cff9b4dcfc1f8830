public import BotCore

/// The arithmetic of marks, as the POKYH apps do it (`protocols/pokyh.md` section 3.6).
public enum GradeMath {
    /// The plain mean of marks, rounded to two decimals, halves away from zero; 0 for none. Nothing is weighted.
    public static func average(_ marks: [Double]) -> Double {
        marks.isEmpty ? 0 : rounded(marks.reduce(0, +) / Double(marks.count))
    }

    /// No scale goes further; what is above is no mark.
    static let largestMark = 1_000.0

    /// A mark as people write it: at most two decimals, a comma, no zeros at the end.
    public static func text(_ mark: Double) -> String {
        guard mark.magnitude < largestMark else { return String(mark) }
        let hundredths = Int((mark * 100).rounded())
        let (whole, rest) = (hundredths / 100, abs(hundredths % 100))
        if rest == 0 { return String(whole) }
        return rest % 10 == 0 ? "\(whole),\(rest / 10)" : "\(whole),\(rest < 10 ? "0" : "")\(rest)"
    }

    /// A mark that somebody typed, `8,5` or `8.5`, within the scale; nil for anything else.
    public static func mark(_ text: String, scale: GradeScale = .italian) -> Double? {
        let plain = text.trimmed.map { $0 == "," ? "." : $0 }
        guard !plain.isEmpty, plain.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let mark = Double(String(plain))
        else {
            return nil
        }
        let range = min(scale.worst, scale.best)...max(scale.worst, scale.best)
        return range.contains(mark) ? rounded(mark) : nil
    }

    /// What it takes to bring an average to a goal.
    public enum Path: Sendable, Hashable {
        case reached
        /// So many further marks of this value.
        case reachable(count: Int, mark: Double)
        case impossible
    }

    /// The most further marks that are thought of.
    private static let mostMarks = 50
    /// The lowest mark that a teacher is expected to give.
    private static let lowestMark = 4.0
    private static let highestMark = 10.0

    /// The path from some marks to an average: upwards the fewest marks of at most 10, rounded up to a half; downwards the fewest of at
    /// least 4, rounded down to a half. Nil without marks.
    public static func path(from marks: [Double], to goal: Double) -> Path? {
        guard !marks.isEmpty else { return nil }
        let sum = marks.reduce(0, +)
        let count = Double(marks.count)
        let mean = sum / count
        if abs(mean - goal) < 1e-6 { return .reached }
        if goal <= lowestMark { return .impossible }
        if mean < goal {
            for further in 1...mostMarks {
                let needed = max(lowestMark, (goal * (count + Double(further)) - sum) / Double(further))
                if needed <= highestMark + 1e-9 {
                    return .reachable(count: further, mark: min(highestMark, ((needed - 1e-9) * 2).rounded(.up) / 2))
                }
            }
            return .impossible
        }
        let further = ((sum - goal * count) / (goal - lowestMark)).rounded(.up)
        guard further >= 1, further <= Double(mostMarks) else { return .impossible }
        let needed = (goal * (count + further) - sum) / further
        return .reachable(
            count: Int(further),
            mark: min(highestMark, max(lowestMark, ((needed + 1e-9) * 2).rounded(.down) / 2))
        )
    }

    private static func rounded(_ mark: Double) -> Double { (mark * 100).rounded() / 100 }
}
