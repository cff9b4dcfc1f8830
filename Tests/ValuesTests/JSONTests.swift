import Testing
import Values

@Suite struct JSONTests {
    @Test(arguments: [
        #"{"a":[1,-2,2.5,1e3,true,false,null,"x"]}"#, #"[]"#, #"{}"#, #""""#, #"18446744073709551615"#,
        #"-9223372036854775808"#,
        #"["\"\\/\b\f\n\r\t\u00e4\ud83d\ude00"]"#, "\u{FEFF}[1]", #" { "b" : [ { } ] } "#,
    ])
    func `what JSON says is read, written and read again as the same`(text: String) throws {
        let value = try Value(json: text)
        #expect(try Value(json: value.json) == value)
        #expect(try Value(json: value.prettyJSON) == value)
        #expect(value.canonical == value)
    }

    @Test(arguments: [
        ("", JSONError.Reason.unexpectedEnd), ("[1", .unexpectedEnd), ("{\"a\"", .unexpectedEnd), ("[1,]", .badNumber),
        ("<!DOCTYPE html>", .unexpectedByte), ("01", .badNumber), ("\"\u{1}\"", .badString), ("[1] x", .trailing),
        (String(repeating: "[", count: 100_000), .tooDeep), ("{a:1}", .unexpectedByte), ("\"\\x\"", .badString),
        ("-", .unexpectedEnd), ("1e999", .badNumber), ("tru", .unexpectedEnd),
    ])
    func `what is not JSON is refused with a reason`(text: String, reason: JSONError.Reason) {
        #expect { try Value(json: text) } throws: { ($0 as? JSONError)?.reason == reason }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: JSONError.self) { try Value(json: [0x22, 0xFF, 0x22]) }
    }

    @Test func `every prefix of a document is refused, none crashes`() throws {
        let document = Array(#"{"a":[1,-2.5e3,{"b":"ä\u00e4\\"},true,null],"c":"😀"}"#.utf8)
        for length in 0..<document.count {
            #expect(throws: JSONError.self) { try Value(json: Array(document[..<length])) }
        }
        #expect(try Value(json: document)["a"][1].number == -2500)
    }

    @Test func `numbers keep their kind and halves of surrogates become a replacement character`() throws {
        #expect(try Value(json: "1") == .int(1))
        #expect(try Value(json: "1.0") == .double(1))
        #expect(try Value(json: "9223372036854775808") == .uint(9_223_372_036_854_775_808))
        #expect(try Value(json: #""\ud83d""#) == .string("\u{FFFD}"))
    }

    @Test func `of doubled keys the last counts, and large objects find their members`() throws {
        #expect(try Value(json: #"{"a":1,"a":2}"#)["a"] == .int(2))
        var map = ValueMap()
        for number in 0..<1000 { map["k\(number)"] = .int(Int64(number)) }
        map["k500"] = nil
        #expect(map.count == 999 && map["k999"] == .int(999) && map["k500"] == nil)
    }

    @Test(arguments: [
        #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#, #"{"é":1,"e\u0301":2}"#, #"{"":1,"":2}"#,
        #"{"a key of many letters":1,"b":0,"a key of many letters":2}"#,
    ])
    func `keys that are the same in another spelling are one, and the last counts`(text: String) throws {
        let map = try #require(try Value(json: text).map)
        #expect(map.count == (text.contains("b") ? 2 : 1) && map.pairs[0].value == .int(2))
    }

    @Test func `objects of every size keep their members in order and find each, doubled ones too`() throws {
        for size in [1, 2, 7, 8, 9, 31, 32, 33, 34, 100] {
            let names = (0..<size).map { $0 % 3 == 0 ? "k\($0)" : "a longer name of a member \($0)" }
            let pairs = names.enumerated().map { "\"\($0.element)\":\($0.offset)" }
            let text =
                "[" + Array(repeating: "{" + pairs.joined(separator: ",") + "}", count: 40).joined(separator: ",") + "]"
            let list = try #require(try Value(json: text).list)
            for map in list.compactMap(\.map) {
                #expect(map.keys.map(\.string) == names)
                #expect(names.enumerated().allSatisfy { map[$0.element] == .int(Int64($0.offset)) } && map["x"] == nil)
            }
            let doubled = try Value(json: "{" + (pairs + ["\"\(names[0])\":-1"]).joined(separator: ",") + "}").map
            #expect(doubled?.count == size && doubled?[names[0]] == .int(-1))
        }
    }

    @Test func `texts are read wherever their odd bytes stand`() throws {
        for odd in ["\\n", "\\u00e4", "ä", "€", "😀", "\u{7F}", "\\\"", "\\\\", "\\ud83d\\ude00"] {
            let plain = [
                "\\n": "\n", "\\u00e4": "ä", "\\\"": "\"", "\\\\": "\\", "\\ud83d\\ude00": "😀",
            ]
            for place in 0..<20 {
                let (before, after) = (String(repeating: "x", count: place), String(repeating: "y", count: 20 - place))
                let text = "{\"\(before)\(odd)\(after)\":\"\(before)\(odd)\(after)\(odd)\"}"
                let meant = before + (plain[odd] ?? odd) + after
                #expect(try Value(json: text) == [meant: .string(meant + (plain[odd] ?? odd))])
            }
        }
    }

    @Test func `a bare control character and broken UTF-8 are refused wherever they stand`() {
        for place in 0..<20 {
            for (byte, reason) in [
                (UInt8(0x0A), JSONError.Reason.badString), (0x00, .badString), (0xFF, .badUTF8), (0xC3, .badUTF8),
            ] {
                var bytes = Array("\"\(String(repeating: "x", count: 20))\"".utf8)
                bytes[1 + place] = byte
                #expect { try Value(json: bytes) } throws: { ($0 as? JSONError)?.reason == reason }
                #expect { try Value(json: Array("{".utf8) + bytes + Array(":1}".utf8)) } throws: {
                    ($0 as? JSONError)?.reason == reason
                }
            }
        }
    }

    @Test(arguments: [
        ("999999999999999999", Value.int(999_999_999_999_999_999)),
        ("-999999999999999999", .int(-999_999_999_999_999_999)),
        ("9223372036854775807", .int(.max)), ("18446744073709551616", .double(18_446_744_073_709_551_616)),
        ("-9223372036854775809", .double(-9_223_372_036_854_775_808)), ("-0", .int(0)), ("0.1", .double(0.1)),
        ("1E2", .double(100)),
        ("123456789012345678901234567890", .double(1.2345678901234568e29)),
    ])
    func `whole numbers keep every digit as far as 64 bits go`(text: String, value: Value) throws {
        #expect(try Value(json: text) == value)
        #expect(try Value(json: "[\(text)]")[0] == value)
    }

    @Test(arguments: [
        ("[1,\"a\tb\"]", 5), ("{\"a\":1,}", 7), ("{\"k\" 1}", 5), ("[\"x\\q\"]", 5), ("[0123]", 5), ("[1 2]", 3),
        ("[tru]", 4),
    ])
    func `an error says at which byte`(text: String, offset: Int) {
        #expect { try Value(json: text) } throws: { ($0 as? JSONError)?.offset == offset }
    }

    @Test func `what ends a line in JavaScript and what steers a terminal is written as an escape`() {
        let text: Value = "a\u{2028}b\u{2029}c\u{7F}d\u{1}e\"\\\n\r\tä€\u{2027}\u{E2}"
        #expect(text.json == #""a\u2028b\u2029c\u007fd\u0001e\"\\\n\r\tä€"# + "\u{2027}\u{E2}\"")
    }

    @Test func `timestamps are read and written as RFC 3339`() throws {
        let instant = try #require(Timestamp(rfc3339: "2026-11-30T17:00:00.250+01:00"))
        #expect(instant.rfc3339 == "2026-11-30T16:00:00.250Z")
        #expect(instant.text(offset: 3600) == "2026-11-30T17:00:00.250+01:00")
        for wrong in [
            "2026-11-30", "2026-11-30T17:00", "2026-11-30T25:00:00Z", "2026-11-30T17:00:00", "2026-02-30T00:00:00Z",
        ] {
            #expect(Timestamp(rfc3339: wrong) == nil)
        }
    }

    @Test func `a mistyped name finds its neighbour`() {
        #expect(Spelling.question(about: "valu", among: ["value", "subject"]) == "did you mean 'value'?")
        #expect(Spelling.nearest(to: "zzz", among: ["value", "subject"]).isEmpty)
        #expect(Spelling.nearest(to: "tset", among: ["test"]) == ["test"])
    }
}
