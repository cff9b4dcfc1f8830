/// Values that wait until the list or the map that they belong to is complete, and are then moved into it: each list and map is allocated
/// once, at its size.
struct ValueStack: ~Copyable {
    private var base: UnsafeMutablePointer<Value>
    private var capacity = 32
    private(set) var count = 0

    init() { base = .allocate(capacity: capacity) }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    mutating func push(_ value: consuming Value) {
        if count == capacity { grow() }
        (base + count).initialize(to: value)
        count += 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// Whether a text is among the keys from `start` on, where keys and values stand in turn.
    func hasKey(_ text: String, from start: Int) -> Bool {
        for place in stride(from: start, to: count, by: 2) {
            if case .string(let key) = base[place], key == text { return true }
        }
        return false
    }

    /// Takes all from `start` on off the stack.
    mutating func list(from start: Int) -> [Value] {
        let size = count - start
        let list = [Value](unsafeUninitializedCapacity: size) { buffer, made in
            buffer.baseAddress?.moveInitialize(from: base + start, count: size)
            made = size
        }
        count = start
        return list
    }

    /// The same for keys and values in turn.
    mutating func pairs(from start: Int) -> [(key: Value, value: Value)] {
        let size = (count - start) / 2
        let pairs = [(key: Value, value: Value)](unsafeUninitializedCapacity: size) { buffer, made in
            for place in 0..<size {
                let key = base + start + place * 2
                buffer.initializeElement(at: place, to: (key: key.move(), value: (key + 1).move()))
            }
            made = size
        }
        count = start
        return pairs
    }
}
