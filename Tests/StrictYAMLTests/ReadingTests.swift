import StrictYAML
import Testing
import Values

/// Scalars stay texts until the reader of a key asks for more.
struct ReadingTests {
    private func value(_ yaml: String) throws -> YAMLNode {
        let document = YAMLDocument.read(bytes: Array("key: \(yaml)\n".utf8), file: "f")
        #expect(document.complaints == [])
        return try #require(document.root?["key"])
    }

    @Test(arguments: [
        "NO", "on", "07:45", "010", "1e3", "0x1F", "1_000", "null", "~", "true", "2026-12-01", ".inf", "12:30:45",
    ])
    func `what looks like something else stays text`(text: String) throws {
        for written in [text, "'\(text)'", "\"\(text)\""] {
            var complaints: [Complaint] = []
            #expect(try value(written).asText(&complaints) == text)
            #expect(complaints == [])
        }
    }

    @Test func `short codes stay text as keys and in lists`() throws {
        let document = YAMLDocument.read(
            bytes: Array("subject: NO\nclass: ON\non: [cancelled]\nto: [y, n]\n".utf8),
            file: "f"
        )
        let root = try #require(document.root)
        #expect(root.pairs.map(\.name) == ["subject", "class", "on", "to"])
        #expect(root["to"]?.items.compactMap { $0.scalar?.text } == ["y", "n"])
        #expect(document.isUsable)
    }

    @Test func `nothing is not an empty text`() throws {
        #expect(try value("").isEmpty)
        #expect(try !value("''").isEmpty)
        #expect(try !value("null").isEmpty)
        var complaints: [Complaint] = []
        #expect(try value("").asText(&complaints) == nil)
        #expect(complaints.map(\.message) == ["a value is missing here"])
    }

    @Test(arguments: [
        ("48h", TimeSpan.hours(48)), ("30m", .minutes(30)), ("0.2s", .milliseconds(200)), ("14d", .days(14)),
        ("250ms", .milliseconds(250)), ("1h30m", .minutes(90)), ("0s", .zero), ("1.5d", .hours(36)),
        ("0.000000001s", TimeSpan(seconds: 0, nanoseconds: 1)),
        ("0.333333333d", TimeSpan(seconds: 28_799, nanoseconds: 999_971_200)),
        ("36525d", .days(36_525)),
    ])
    func `lengths of time`(text: String, span: TimeSpan) throws {
        var complaints: [Complaint] = []
        #expect(try value(text).asDuration(&complaints) == span)
        #expect(complaints == [])
    }

    static let refusals: [(kind: String, text: String, message: String, cure: String)] = [
        ("duration", "30", "this must be a length of time, not '30'", "give a unit: 30s, 30m, 30h or 30d"),
        (
            "duration", "30 m", "this must be a length of time, not '30 m'",
            "write it like 250ms, 10s, 30m, 48h, 14d or 1h30m"
        ),
        (
            "duration", "-5m", "this must be a length of time, not '-5m'",
            "write it like 250ms, 10s, 30m, 48h, 14d or 1h30m"
        ),
        (
            "duration", "1w", "this must be a length of time, not '1w'",
            "write it like 250ms, 10s, 30m, 48h, 14d or 1h30m"
        ),
        (
            "duration", ".5h", "this must be a length of time, not '.5h'",
            "write it like 250ms, 10s, 30m, 48h, 14d or 1h30m"
        ),
        ("duration", "999999999999d", "'999999999999d' is too long", "a length of time is at most 100 years"),
        ("bool", "yes", "this must be true or false, not 'yes'", "write true"),
        ("bool", "Off", "this must be true or false, not 'Off'", "write false"),
        ("bool", "1", "this must be true or false, not '1'", "write true or false"),
        ("int", "010", "a number with zeros before it", "write 10"),
        ("int", "1e3", "this must be a whole number, not '1e3'", "write digits only, such as 14"),
        ("int", "--1", "this must be a whole number, not '--1'", "write digits only, such as 14"),
        (
            "int", "9223372036854775808", "this must be a whole number, not '9223372036854775808'",
            "write digits only, such as 14"
        ),
        ("int", "101", "101 is out of range", "it must be from 1 to 100"),
        ("number", "5,5", "this must be a number, not '5,5'", "write 5.5"),
        ("number", "nan", "this must be a number, not 'nan'", "write it like 5.5"),
        ("time", "25:00", "there is no time '25:00'", "hours go from 00 to 23, minutes and seconds from 00 to 59"),
        ("time", "24:00", "there is no 24:00", "write 00:00"),
        ("time", "7:45", "this must be a time of day, not '7:45'", "write 07:45"),
        ("time", "soon", "this must be a time of day, not 'soon'", "write it like 07:45"),
        (
            "date", "2026-02-29", "this must be a date, not '2026-02-29'",
            "write year-month-day, such as 2026-12-01; the day must exist"
        ),
        (
            "moment", "2026-12-01 07:50", "this must be a date and time, not '2026-12-01 07:50'",
            "write it like 2026-12-01T07:50, without a zone; the day must exist"
        ),
        ("choice", "hodl", "'hodl' is not possible here", "did you mean 'hold'? Possible: hold, drop, silent"),
        ("text", "[a]", "this must be a text, not a list", "write a text"),
        (
            "list", "{a: b}", "this must be a list, not a mapping",
            "write [a, b], or items that begin with '- ' on their own lines"
        ),
        (
            "mapping", "a", "this must be a mapping, not a text",
            "write {key: value}, or 'key: value' on lines of their own"
        ),
    ]

    @Test(arguments: refusals.indices)
    func `a reading that does not fit says how to write it`(index: Int) throws {
        let (kind, text, message, cure) = Self.refusals[index]
        let node = try value(text)
        var complaints: [Complaint] = []
        #expect(!Self.reads(kind, node, &complaints))
        #expect(complaints == [Complaint(at: node.span, message, cures: [cure])])
    }

    private static func reads(_ kind: String, _ node: YAMLNode, _ complaints: inout [Complaint]) -> Bool {
        switch kind {
        case "duration": node.asDuration(&complaints) != nil
        case "bool": node.asBool(&complaints) != nil
        case "int": node.asInt(in: 1...100, &complaints) != nil
        case "number": node.asNumber(&complaints) != nil
        case "time": node.asWallTime(&complaints) != nil
        case "date": node.asDate(&complaints) != nil
        case "moment": node.asDateAndTime(&complaints) != nil
        case "choice": node.asChoice(among: ["hold", "drop", "silent"], &complaints) != nil
        case "list": node.asSequence(&complaints) != nil
        case "mapping": node.asMapping(&complaints) != nil
        default: node.asText(&complaints) != nil
        }
    }

    @Test func `fitting values are read`() throws {
        var complaints: [Complaint] = []
        #expect(try value("true").asBool(&complaints) == true)
        #expect(try value("'false'").asBool(&complaints) == false)
        #expect(try value("-1001234").asInt(&complaints) == -1_001_234)
        #expect(try value("6").asNumber(&complaints) == 6)
        #expect(try value("-0.5").asNumber(&complaints) == -0.5)
        #expect(try value("07:45").asWallTime(&complaints) == WallTime(hour: 7, minute: 45))
        #expect(try value("2026-12-01").asDate(&complaints) == CalendarDate(year: 2026, month: 12, day: 1))
        #expect(try value("2026-12-01T07:50").asDateAndTime(&complaints)?.time == WallTime(hour: 7, minute: 50))
        #expect(try value("drop").asChoice(among: ["hold", "drop"], &complaints) == "drop")
        #expect(try value("a").asList(&complaints)?.count == 1)
        #expect(try value("[a, b]").asList(&complaints)?.count == 2)
        #expect(complaints == [])
    }

    @Test func `an unknown key is complained of with its neighbours`() throws {
        var complaints: [Complaint] = []
        let node = try value("{titel: a, body: b}")
        let pairs = try #require(node.asMapping(known: ["title", "body"], &complaints))
        #expect(pairs.map(\.name) == ["body"])
        let cure = "did you mean 'title'? Known keys: title, body"
        #expect(complaints == [Complaint(at: 6..<11, "unknown key 'titel'", cures: [cure])])
    }

    @Test func `what was refused already is passed over in silence`() throws {
        let document = YAMLDocument.read(bytes: Array("a: !x\nb: *c\nd: {{ e }}\nf: &g 1\n".utf8), file: "f")
        #expect(document.complaints.count == 4)
        var complaints: [Complaint] = []
        for pair in try #require(document.root).pairs {
            #expect(pair.value.isRefused)
            #expect(pair.value.asText(&complaints) == nil && pair.value.asMapping(&complaints) == nil)
            #expect(pair.value.asList(&complaints) == nil && pair.value.asDuration(&complaints) == nil)
        }
        #expect(complaints == [])
        #expect(!document.isUsable)
    }
}
