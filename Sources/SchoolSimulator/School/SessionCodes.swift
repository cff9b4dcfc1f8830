import Values

extension SeededGenerator {
    /// So many characters of hexadecimal digits, as codes of sessions have.
    mutating func hexadecimal(_ count: Int) -> String {
        String((0..<count).map { _ in Character(String(next() >> 60, radix: 16)) })
    }
}
