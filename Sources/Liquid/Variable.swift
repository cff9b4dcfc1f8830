/// A variable of a render.
struct Variable: Sendable {
    let name: String
    var value: Datum
}

extension [Variable] {
    /// The place of the innermost variable of this name.
    func lastIndex(named name: String) -> Int? {
        var place = count - 1
        while place >= 0 {
            if self[place].name == name { return place }
            place -= 1
        }
        return nil
    }
}

/// Variables with unique names. Few are searched in order, many through an index.
struct VariableList: Sendable {
    private(set) var entries: [Variable] = []
    private var index: [String: Int] = [:]

    /// Looking through so many short names takes about as long as hashing one.
    private static let searchedInOrder = 16

    func place(of name: String) -> Int? {
        entries.count <= Self.searchedInOrder ? entries.lastIndex(named: name) : index[name]
    }

    mutating func set(_ name: String, _ value: Datum) {
        if let place = place(of: name) {
            entries[place].value = value
            return
        }
        entries.append(Variable(name: name, value: value))
        if entries.count == Self.searchedInOrder + 1 {
            index = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($0.element.name, $0.offset) })
        } else if entries.count > Self.searchedInOrder {
            index[name] = entries.count - 1
        }
    }
}
