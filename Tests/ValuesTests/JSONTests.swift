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
            #expect(throws: JSONError.self) { try Value(json: document[..<length]) }
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
