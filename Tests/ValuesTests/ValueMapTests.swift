import Testing
import Values

struct ValueMapTests {
    /// A small map is searched in order, a large one through an index.
    @Test(arguments: [3, 200])
    func `values made of others stand under the same keys, in the same order, and are found by them`(count: Int) {
        let map = ValueMap((0..<count).map { (.string("key \($0)"), .int(Int64($0))) })
        let made = map.compactMapValues { pair in pair.value == 1 ? nil : .string("\(pair.value.plainText)!") }
        #expect(made.keys == map.keys.filter { $0 != "key 1" })
        #expect(made["key 1"] == nil)
        #expect(made["key \(count - 1)"] == .string("\(count - 1)!"))
    }
}
