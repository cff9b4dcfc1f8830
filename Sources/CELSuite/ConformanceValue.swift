import CEL
import Foundation
import Values

/// Values in the encoding of the suite (its README.md).
enum CELConformanceValue {
    static func value(_ encoded: Value) -> Value {
        let text = encoded["v"].plainText
        switch encoded["t"].string {
        case "bool": return encoded["v"]
        case "int": return .int(Int64(text) ?? 0)
        case "uint": return .uint(UInt64(text) ?? 0)
        case "double": return .double(double(encoded))
        case "string": return .string(text)
        case "bytes": return .bytes(bytes(text))
        case "list": return .list((encoded["v"].list ?? []).map(value))
        case "map": return .map(ValueMap((encoded["v"].list ?? []).map { (value($0[0]), value($0[1])) }))
        case "timestamp": return .timestamp(Timestamp(seconds: seconds(encoded), nanoseconds: nanoseconds(encoded)))
        case "duration": return .duration(TimeSpan(seconds: seconds(encoded), nanoseconds: nanoseconds(encoded)))
        default: return .null
        }
    }

    private static func seconds(_ encoded: Value) -> Int64 { Int64(encoded["seconds"].plainText) ?? 0 }
    private static func nanoseconds(_ encoded: Value) -> Int64 { encoded["nanos"].integer ?? 0 }
    private static func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text) ?? Data()) }

    private static func double(_ encoded: Value) -> Double {
        if let bits = encoded["bits"].string, let pattern = UInt64(bits, radix: 16) {
            return Double(bitPattern: pattern)
        }
        return Double(encoded["v"].plainText) ?? .nan
    }

    /// Equal kinds and contents: NaN equals NaN, 0.0 is not -0.0, the order of a map does not matter.
    static func matches(_ encoded: Value, _ datum: Datum) -> Bool {
        switch (encoded["t"].string, datum) {
        case ("null", .null): return true
        case ("bool", .bool(let truth)): return encoded["v"].bool == truth
        case ("int", .int(let number)): return encoded["v"].plainText == String(number)
        case ("uint", .uint(let number)): return encoded["v"].plainText == String(number)
        case ("double", .double(let number)):
            let due = double(encoded)
            return due.isNaN ? number.isNaN : due.bitPattern == number.bitPattern
        case ("string", .string(let text)): return Array(encoded["v"].plainText.utf8) == Array(text.utf8)
        case ("bytes", .bytes(let bytes)): return self.bytes(encoded["v"].plainText) == bytes
        case ("type", .type(let name)): return encoded["v"].string == name
        case ("timestamp", .timestamp(let instant)):
            return instant == Timestamp(seconds: seconds(encoded), nanoseconds: nanoseconds(encoded))
        case ("duration", .duration(let span)):
            return span == TimeSpan(seconds: seconds(encoded), nanoseconds: nanoseconds(encoded))
        case ("list", .list(let list)):
            let due = encoded["v"].list ?? []
            return due.count == list.count && due.indices.allSatisfy { matches(due[$0], list[$0]) }
        case ("map", .map(let map)):
            let due = encoded["v"].list ?? []
            let pairs = map.pairs
            return due.count == pairs.count
                && due.allSatisfy { pair in
                    pairs.contains { matches(pair[0], $0.key) && matches(pair[1], $0.value) }
                }
        default: return false
        }
    }
}
