import BotCore
import HTTPJSONProvider
import Testing
import Values

/// What is told of a list.
@Suite struct ItemTests {
    private func events(_ items: Value...) -> HTTPResponse { .json(["events": .list(items)]) }
    private let match: Value = ["id": 1, "title": "Spiel", "place": ["city": "Bozen"], "seats": 20, "views": 7]

    @Test func `the first answer is only learnt, then additions, changes and removals are told once`() async throws {
        let http = ScriptedAddress(events(match))
        var source = try Source(http)
        #expect(try await source.poll().isEmpty)
        http.answer(events(match, ["id": "b", "name": "Fest"]))
        let added = try await source.poll()
        #expect(added.map(\.kind) == ["item.added"] && added[0].record.fields["title"] == "Fest")
        #expect(try await source.poll().isEmpty)
        http.answer(events(["id": 1, "title": "Spiel", "seats": 19, "views": 7], ["id": "b", "name": "Fest"]))
        let changed = try await source.poll()
        #expect(changed.map(\.kind) == ["item.changed"])
        #expect(changed[0].changes == [FieldChange(field: "seats", old: 20, new: 19)])
        #expect(changed[0].old?.fields["values"]?["seats"] == 20)
        http.answer(events(["id": "b", "name": "Fest"]))
        let removed = try await source.poll()
        #expect(removed.map(\.kind) == ["item.removed"] && removed[0].record.key == "1" && removed[0].old == nil)
    }

    @Test func `DIFF-09 DIFF-14 DIFF-16 another order, spelling or spacing of the same is no change`() async throws {
        let http = ScriptedAddress(
            events(["id": 1, "a": "Mu\u{308}ller", "b": 5, "c": "Bitte Buch", "d": .null], match.renamed(2))
        )
        var source = try Source(http)
        _ = try await source.poll()
        http.answer(
            events(
                match.renamed(2),
                ["c": " Bitte  Buch\u{A0}\r\n", "b": 5.0, "id": 1, "a": "M\u{FC}ller", "list": [1, 2]]
            )
        )
        #expect(try await source.poll().isEmpty)
    }

    /// The events of a title that is spelt in another way in the second answer, and the title that is kept.
    private func respelt(_ first: String, as second: String) async throws -> (kinds: [String], title: String?) {
        let http = ScriptedAddress(events(["id": 1, "title": .string(first)]))
        var source = try Source(http)
        _ = try await source.poll()
        http.answer(events(["id": 1, "title": .string(second)]))
        return (try await source.poll().map(\.kind), source.fields("1")["title"]?.string)
    }

    /// Swift's texts are equal however they are composed, hence the scalars.
    @Test(arguments: [
        ("Caf\u{E9}", "Cafe\u{301}"), ("a b", " a\u{A0} b "), ("\u{2C0}", "\u{2C0} "), ("\u{1EA5}", "\u{E2}\u{301}"),
        ("\u{C5}", "\u{212B}"), ("\u{80}\u{BF}", "\u{80}\u{BF} "),
    ])
    func `DIFF-08 DIFF-15 two spellings of one text are one`(tidy: String, other: String) async throws {
        for (first, second) in [(tidy, other), (other, tidy)] {
            let (kinds, title) = try await respelt(first, as: second)
            #expect(kinds.isEmpty)
            #expect(title.map { Array($0.unicodeScalars) } == Array(tidy.unicodeScalars))
        }
    }

    @Test func `a line end inside a text is no blank, however it is written`() async throws {
        let (kinds, title) = try await respelt("Gr\u{FC}n a", as: "Gr\u{FC}n\u{85}a ")
        #expect(kinds == ["item.changed"] && title == "Gr\u{FC}n\na")
        #expect(try await respelt("Gr\u{FC}n\u{85}a", as: "Gr\u{FC}n\r\na").kinds.isEmpty)
    }

    @Test func `DIFF-08 DIFF-15 a change names every field that changed, once`() async throws {
        let http = ScriptedAddress(events(match))
        var source = try Source(http)
        _ = try await source.poll()
        http.answer(events(["id": 1, "title": "Derby", "seats": 20, "views": 8]))
        let changed = try await source.poll()
        #expect(
            changed.map(\.changes) == [
                [FieldChange(field: "title", old: "Spiel", new: "Derby"), FieldChange(field: "views", old: 7, new: 8)]
            ]
        )
    }

    @Test(
        arguments: [
            ["items": "events", "ignore": ["views"]],
            ["items": "events", "ignore": ["views"], "fields": ["views": "integer"]],
        ] as [ValueMap]
    )
    func `the change of an ignored member is none`(settings: ValueMap) async throws {
        let http = ScriptedAddress(events(match))
        var source = try Source(http, settings)
        _ = try await source.poll()
        http.answer(events(["id": 1, "title": "Spiel", "place": ["city": "Bozen"], "seats": 20, "views": 8]))
        #expect(try await source.poll().isEmpty)
    }

    @Test func `declared fields have their types, and what is not declared does not count`() async throws {
        let declared: ValueMap = [
            "items": "data.list", "key": "meta.id", "title": "meta.label",
            "fields": [
                "start": "timestamp", "end": "timestamp", "place.city": "text", "price": "number", "seats": "integer",
                "open": "flag",
                "day": "date", "no-one": "text",
            ],
        ]
        var item: ValueMap = [
            "meta": ["id": "x", "label": "  Fest "], "start": "2026-11-30T16:00:00+01:00", "end": "2026-11-30 17:30",
            "place": ["city": "Bozen"], "price": "4.50", "seats": 20, "open": true, "day": 1_796_079_600, "other": 1,
        ]
        let http = ScriptedAddress(.json(["data": ["list": [.map(item)]]]))
        var source = try Source(http, declared)
        _ = try await source.poll()
        let fields = source.fields("x")
        #expect(fields["title"] == "Fest" && fields["place_city"] == "Bozen" && fields["no_one"] == "")
        #expect(fields["start"]?.timestamp == Timestamp(rfc3339: "2026-11-30T15:00:00Z"))
        #expect(fields["end"]?.timestamp == Timestamp(rfc3339: "2026-11-30T16:30:00Z"))
        #expect(fields["price"] == 4.5 && fields["seats"] == 20 && fields["open"] == true)
        // 23:00 UTC is the next day in Rome.
        #expect(fields["day"] == "2026-12-01" && fields["other"] == nil)
        let shape = try #require(source.schema.records.first)
        for (key, _) in fields { #expect(shape.field(key.plainText) != nil) }
        #expect(shape.field("start")?.shape == .timestamp && shape.field("start")?.isOptional == true)
        #expect(shape.field("place_city")?.isOptional == false)
        item["other"] = 2
        item["price"] = nil
        http.answer(.json(["data": ["list": [.map(item)]]]))
        let told = try await source.poll()
        #expect(told.map(\.changes) == [[FieldChange(field: "price", old: 4.5, new: .null)]])
    }

    @Test(
        arguments: [
            ("timestamp", "bald"), ("timestamp", -1), ("timestamp", 1e300), ("timestamp", "2026-13-01"),
            ("date", "30.11.2026"),
            ("date", true), ("number", "0x10"), ("number", "vier"), ("number", true), ("integer", 4.5),
            ("integer", "vier"),
            ("flag", 1),
            ("text", ["a"]), ("text", ["a": 1]),
        ] as [(String, Value)]
    )
    func `an item whose field is of another type keeps its stored state, the others go on`(type: String, value: Value)
        async throws
    {
        let http = ScriptedAddress(events(["id": 1], ["id": 2]))
        var source = try Source(http, ["items": "events", "fields": ["x": .string(type)]])
        _ = try await source.poll()
        http.answer(events(["id": 1, "x": value], ["id": 3]))
        let told = try await source.poll()
        #expect(told.map(\.kind) == ["item.added", "item.removed"] && told.map(\.record.key) == ["3", "2"])
        #expect(source.last?.unreadable == 1 && source.fields("1")["key"] == "1")
    }

    @Test func `entries without a key are counted, and doubled ones that differ keep their stored state`() async throws
    {
        let http = ScriptedAddress(events(["id": 1, "a": 1], ["id": 2, "a": 1]))
        var source = try Source(http)
        _ = try await source.poll()
        http.answer(
            events(
                ["id": 1, "a": 2],
                ["id": 2, "a": 1],
                ["id": 1, "a": 3],
                ["id": 2, "a": 1],
                ["name": "x"],
                ["id": ""],
                ["id": 1.5],
                7
            )
        )
        #expect(try await source.poll().isEmpty)
        #expect(source.last?.unreadable == 6 && source.last?.unreadableKeys == ["1"])
        #expect(source.fields("1")["values"]?["a"] == 1)
    }

    @Test func `without a title an item is called by its name, else by its key`() async throws {
        let http = ScriptedAddress(events(["id": 1, "title": " ", "subject": "Betreff"], ["id": 2]))
        var source = try Source(http)
        _ = try await source.poll()
        #expect(source.fields("1")["title"] == "Betreff" && source.fields("2")["title"] == "2")
    }

    @Test func `DIFF-01 a list that is suddenly empty is believed when it has stayed so for a day`() async throws {
        let http = ScriptedAddress(events(match), events())
        var source = try Source(http)
        _ = try await source.poll()
        #expect(try await source.poll().isEmpty)
        #expect(try await source.poll(after: .hours(11)).isEmpty)
        #expect(source.rows.count == 1)
        #expect(try await source.poll(after: .days(1)).map(\.kind) == ["item.removed"])
    }

    @Test func `settings that change the form of the records begin anew instead of telling everything`() async throws {
        let http = ScriptedAddress(events(match))
        var source = try Source(http)
        _ = try await source.poll()
        var other = try Source(http, ["items": "events", "fields": ["seats": "integer"]])
        (other.state, other.rows) = (source.state, source.rows)
        #expect(try await other.poll().isEmpty)
        #expect(other.fields("1")["seats"] == 20)
    }

    @Test func `twenty thousand items are read`() async throws {
        let items = (0..<20_000).map { Value.map(["id": .int(Int64($0)), "title": .string("Eintrag \($0)")]) }
        var source = try Source(ScriptedAddress(.json(.list(items))), [:])
        _ = try await source.poll()
        #expect(source.rows.count == 20_000)
    }

    @Test(
        arguments: [
            (["key": ""], "key"), (["key": "a..b"], "key"), (["items": "."], "items"), (["title": "a."], "title"),
            (["fields": ["1x": "text"]], "fields"), (["fields": ["a b": "text"]], "fields"),
            (["fields": ["a.b": "text", "a_b": "text"]], "fields"),
            (["fields": ["title": "number"]], "fields"), (["fields": ["key": "text"]], "fields"),
            (["fields": ["views": "integer"], "ignore": ["view"]], "ignore"), (["headers": ["X Y": "1"]], "headers"),
            (["headers": ["X": "a\nb"]], "headers"), (["headers": ["Authorization": "x"]], "headers"),
        ] as [(ValueMap, String)]
    )
    func `settings that cannot work are refused at their key`(settings: ValueMap, key: String) {
        #expect { try Source(ScriptedAddress(), settings) } throws: { ($0 as? SettingsError)?.key == key }
    }
}

extension Value {
    /// The same item under another id.
    fileprivate func renamed(_ id: Int64) -> Value {
        var item = map ?? [:]
        item["id"] = .int(id)
        return .map(item)
    }
}
