/// Pairs of key and value in the order in which they were written; keys are unique.
///
/// Keys are mostly texts (JSON objects, records), but CEL maps also have bool and whole-number keys. A small map is searched in
/// order, a larger one through an index. Two maps are equal if they hold the same pairs, in whatever order.
public struct ValueMap: Sendable {
    /// The pairs, in order.
    public private(set) var pairs: [(key: Value, value: Value)]
    private var index: [Value: Int]?

    /// Up to this many pairs, looking through them in order costs no more than hashing a short text, and there is no index to be made.
    static let searchedInOrder = 32

    public init() { pairs = [] }

    /// A map of these pairs; a key that comes again replaces the earlier value and keeps the earlier place.
    public init(_ pairs: some Sequence<(Value, Value)>) {
        self.pairs = []
        self.pairs.reserveCapacity(pairs.underestimatedCount)
        for (key, value) in pairs { self[key] = value }
    }

    /// A map of pairs whose keys are known to differ, at most `searchedInOrder` of them.
    init(unique pairs: [(key: Value, value: Value)]) { self.pairs = pairs }

    /// The values that are made of these, under the same keys, without those that nothing is made of.
    public func compactMapValues(_ make: ((key: Value, value: Value)) -> Value?) -> ValueMap {
        guard index == nil else { return ValueMap(pairs.compactMap { pair in make(pair).map { (pair.key, $0) } }) }
        var made = ValueMap()
        made.pairs.reserveCapacity(pairs.count)
        for pair in pairs { if let value = make(pair) { made.pairs.append((pair.key, value)) } }
        return made
    }

    public var count: Int { pairs.count }
    public var isEmpty: Bool { pairs.isEmpty }
    public var keys: [Value] { pairs.map(\.key) }

    /// The value under a key; assigning nil takes the pair out.
    public subscript(key: Value) -> Value? {
        get { position(of: key).map { pairs[$0].value } }
        set {
            guard let newValue else { return remove(at: position(of: key)) }
            set(newValue, under: key, at: position(of: key))
        }
    }

    public subscript(key: String) -> Value? {
        get { position(of: key).map { pairs[$0].value } }
        set {
            guard let newValue else { return remove(at: position(of: key)) }
            set(newValue, under: .string(key), at: position(of: key))
        }
    }

    private func position(of key: Value) -> Int? {
        if case .string(let text) = key { return position(of: text) }
        if let index { return index[key] }
        return pairs.indices.first { pairs[$0].key == key }
    }

    private func position(of key: String) -> Int? {
        if let index { return index[.string(key)] }
        for place in pairs.indices {
            if case .string(let text) = pairs[place].key, text == key { return place }
        }
        return nil
    }

    /// Puts a value in its place, or with its key behind all others where it has none yet.
    private mutating func set(_ value: Value, under key: Value, at place: Int?) {
        if let place {
            pairs[place].value = value
        } else {
            pairs.append((key, value))
            if index != nil { index?[key] = pairs.count - 1 } else { reindexIfLarge() }
        }
    }

    private mutating func remove(at place: Int?) {
        guard let place else { return }
        pairs.remove(at: place)
        index = nil
        reindexIfLarge()
    }

    private mutating func reindexIfLarge() {
        guard pairs.count > Self.searchedInOrder else { return }
        index = Dictionary(uniqueKeysWithValues: pairs.enumerated().map { ($0.element.key, $0.offset) })
    }
}

extension ValueMap: Hashable {
    public static func == (left: ValueMap, right: ValueMap) -> Bool {
        guard left.count == right.count else { return false }
        if left.sharesPairs(with: right) { return true }
        return left.pairs.indices.allSatisfy { place in
            // Mostly both were written in the same order.
            if left.pairs[place].key == right.pairs[place].key {
                return left.pairs[place].value == right.pairs[place].value
            }
            return right[left.pairs[place].key] == left.pairs[place].value
        }
    }

    /// Whether both lie in the same place: one is a copy of the other.
    private func sharesPairs(with other: ValueMap) -> Bool {
        pairs.withUnsafeBufferPointer { own in
            other.pairs.withUnsafeBufferPointer { $0.baseAddress == own.baseAddress }
        }
    }

    public func hash(into hasher: inout Hasher) {
        // Order does not count for equality, so the pairs' own hashes are combined by addition.
        var sum = 0
        for pair in pairs {
            var one = Hasher()
            one.combine(pair.key)
            one.combine(pair.value)
            sum &+= one.finalize()
        }
        hasher.combine(sum)
    }
}

extension ValueMap: Sequence {
    public func makeIterator() -> IndexingIterator<[(key: Value, value: Value)]> { pairs.makeIterator() }
    public var underestimatedCount: Int { pairs.count }
}

extension ValueMap: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(texts: elements) }

    /// The same as of pairs, with texts for keys.
    init(texts pairs: [(String, Value)]) {
        self.init()
        self.pairs.reserveCapacity(pairs.count)
        for (key, value) in pairs { self[key] = value }
    }
}
