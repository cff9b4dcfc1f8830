public import Values

/// Shows complaints of a file the way compilers do: place, source line, caret under the whole span, how to mend it.
///
///     rules/grades.yaml:9:9: error: event 'grade.added' has no field 'grade.valu'
///        9 |     if: grade.valu < 6.0
///          |         ^^^^^^^^^^
///       did you mean 'grade.value'?
public struct ComplaintPrinter: Sendable {
    private let source: SourceText
    /// Line numbers are set right in so many columns; longer ones push the bar to the right.
    private static let numberWidth = 4
    /// In characters; no complaint of the house comes near it.
    private static let longestLine = 1000

    public init(_ source: SourceText) { self.source = source }

    /// All complaints, sorted by place, each line ended with LF.
    ///
    /// - Parameter closing: a last line for a complaint, such as what is out of work because of it.
    public func text(_ complaints: [Complaint], closing: (Complaint) -> String? = { _ in nil }) -> String {
        let ordered = complaints.enumerated().sorted {
            ($0.element.span.lowerBound, $0.offset) < ($1.element.span.lowerBound, $1.offset)
        }
        return ordered.map { text(of: $0.element, closing: closing($0.element)) }.joined()
    }

    private func text(of complaint: Complaint, closing: String?) -> String {
        var lines = [
            "\(source.address(of: complaint.span.lowerBound)): \(complaint.severity.rawValue): \(complaint.message)"
        ]
        if source.isReadable { lines += excerpt(complaint.span) }
        lines += (complaint.cures + (closing.map { [$0] } ?? [])).map { "  " + $0 }
        return lines.map { Self.bounded(SourceExcerpt.harmless($0)) + "\n" }.joined()
    }

    /// A key or a tag repeated in a message may be as long as the file.
    private static func bounded(_ line: String) -> String {
        line.utf8.count > longestLine ? line.prefix(longestLine) + "…" : line
    }

    private func excerpt(_ span: Range<Int>) -> [String] {
        let index = source.lineIndex(of: span.lowerBound)
        let excerpt = SourceExcerpt(line: source.lineRange(index), marked: span, of: source)
        let number = String(index + 1)
        let padding = String(repeating: " ", count: max(0, Self.numberWidth - number.count))
        let bar = String(repeating: " ", count: max(number.count, Self.numberWidth))
        return ["\(padding)\(number) | \(excerpt.text)", "\(bar) | \(excerpt.carets)"].map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
