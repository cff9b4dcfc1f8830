/// Collects what does not hold, in words, so that suites can live outside a test target.
struct Conformance {
    private(set) var failures: [String] = []
    private let subject: String

    init(_ subject: String) { self.subject = subject }

    mutating func expect(_ holds: Bool, _ promise: @autoclosure () -> String) {
        if !holds { failures.append("\(subject): \(promise())") }
    }

    mutating func expect<T: Equatable>(_ found: T, is wanted: T, _ promise: @autoclosure () -> String) {
        if found != wanted { failures.append("\(subject): \(promise()): found \(found), wanted \(wanted)") }
    }
}
