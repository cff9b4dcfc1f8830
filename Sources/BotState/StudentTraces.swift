/// How one student is found in the memory: by the school's ids, and by the names that the memory has for them.
public struct StudentTraces: Sendable, Hashable {
    public var ids: Set<String>
    public var names: Set<String>
    /// All forms of names of two words or more, folded: such a name in a text means this student.
    private let fullNames: [String]
    /// Names of one word and the first names of longer ones, folded: they may be anybody's, and count only where something else leads
    /// to the student too.
    private let firstNames: [String]

    public init(ids: Set<String>, names: Set<String>) {
        self.ids = ids.filter { !$0.isEmpty }
        self.names = names.filter { !$0.isEmpty }
        let words = self.names.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        let full = words.filter { $0.count > 1 }.flatMap(Self.orders).map { $0.joined(separator: " ") }
        fullNames = full.flatMap(Self.spellings)
        // Schools write family names first.
        firstNames = words.flatMap { $0.count == 1 ? $0 : Array($0.dropFirst()) }.flatMap(Self.spellings)
    }

    /// Schools write family names first, people last.
    private static func orders(of words: [String]) -> [[String]] {
        [words, Array(words.dropFirst()) + words.prefix(1), words.suffix(1) + Array(words.dropLast())]
    }

    /// As it is read, and as it stands inside a JSON text.
    private static func spellings(_ name: String) -> [String] {
        let folded = name.lowercased()
        let escaped = folded.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return folded == escaped ? [folded] : [folded, escaped]
    }

    /// Whether this is one of them: by id where there is one, else by name.
    public func isStudent(id: String, name: String) -> Bool {
        id.isEmpty ? names.contains(name) : ids.contains(id)
    }

    /// Whether a record's key begins with the student's id: `4711/2026-11-30/900123`.
    public func isKey(_ key: String) -> Bool { ids.contains { key.hasPrefix($0 + "/") } }

    /// Whether a text names the student in full.
    public func isNamed(in text: String) -> Bool {
        if fullNames.isEmpty { return false }
        let folded = text.lowercased()
        return fullNames.contains { folded.contains($0) }
    }

    /// Whether a text names the student in full or by the first name alone, as a word.
    public func isCalled(in text: String) -> Bool {
        if isNamed(in: text) { return true }
        if firstNames.isEmpty { return false }
        let words = Set(text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
        return firstNames.contains {
            words.contains($0) || (!$0.allSatisfy(\.isLetter) && text.lowercased().contains($0))
        }
    }
}
