import Values

/// The complaints of one check, up to a number that a person may still read.
///
/// A hostile or generated file can hold tens of thousands of mistakes on one line. A complaint is only put together if there is
/// room for it.
struct ComplaintList {
    static let most = 100

    private(set) var all: [Complaint] = []

    var isFull: Bool { all.count >= Self.most }

    mutating func append(_ complaint: @autoclosure () -> Complaint) {
        if !isFull { all.append(complaint()) }
    }

    /// Takes back what was said since there were so many, and says one thing instead.
    mutating func replace(from count: Int, by complaint: Complaint) {
        all.removeSubrange(min(count, all.count)...)
        append(complaint)
    }
}
