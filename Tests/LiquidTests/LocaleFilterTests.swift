import Liquid
import Testing
import Values

struct LocaleFilterTests {
    @Test(arguments: [
        ("short", "30.11.", "30/11", "30 Nov"),
        ("medium", "30.11.2026", "30/11/2026", "30 Nov 2026"),
        ("long", "30. November 2026", "30 novembre 2026", "30 November 2026"),
        ("full", "Montag, 30. November 2026", "lunedì 30 novembre 2026", "Monday, 30 November 2026"),
        ("day", "Montag, 30.11.", "lunedì 30/11", "Monday, 30 Nov"),
        ("month", "November 2026", "novembre 2026", "November 2026"),
        ("time", "07:50", "07:50", "07:50"),
        ("datetime", "30.11.2026, 07:50", "30/11/2026, 07:50", "30 Nov 2026, 07:50"),
        ("weekday", "Montag", "lunedì", "Monday"),
        ("weekday_short", "Mo", "lun", "Mon"),
        ("week", "49", "49", "49"),
        ("iso", "2026-11-30", "2026-11-30", "2026-11-30"),
        ("%A, %-d. %B", "Montag, 30. November", "lunedì, 30. novembre", "Monday, 30. November"),
    ])
    func `a date is written as the language writes it`(style: String, german: String, italian: String, english: String)
        throws
    {
        for (locale, wanted) in [(LiquidLocale.de, german), (.it, italian), (.en, english)] {
            let source = "{{ t | date: '\(style)' }}"
            #expect(try Rendering.render(source, ["t": "2026-11-30T06:50:00Z"], locale: locale) == wanted)
        }
    }

    static let instants: [Value] = [
        .timestamp(Timestamp(rfc3339: "2026-11-30T06:50:00Z") ?? Timestamp(seconds: 0)), "2026-11-30T06:50:00Z",
        "2026-11-30T07:50:00+01:00", "2026-11-30T07:50", "2026-11-30 07:50:00", 1_796_021_400, "1796021400",
    ]

    @Test(arguments: instants)
    func `an instant is read in the zone, however it is given`(value: Value) throws {
        #expect(try Rendering.render("{{ t | date: '%Y-%m-%d %H:%M %z' }}", ["t": value]) == "2026-11-30 07:50 +0100")
    }

    @Test(arguments: [
        ("2026-11-30", "30.11.2026 00:00"), ("November 30, 2026", "30.11.2026 00:00"),
        ("30 novembre 2026", "30.11.2026 00:00"),
        ("30. März 2026", "30.03.2026 00:00"), ("now", "30.11.2026 17:00"), ("today", "30.11.2026 17:00"),
        ("2026-07-01T10:00:00Z", "01.07.2026 12:00"), ("2026-02-30", "2026-02-30"), ("not a date", "not a date"),
        ("", ""),
    ])
    func `days are days in every zone, and what is no date stays as it is`(text: String, wanted: String) throws {
        #expect(try Rendering.render("{{ t | date: '%d.%m.%Y %H:%M' }}", ["t": .string(text)]) == wanted)
    }

    @Test(arguments: [
        ("%a %b %e %H:%M:%S %Y", "Thu Jan  7 14:05:09 2027"), ("%I:%M %p|%l:%M %P", "02:05 PM| 2:05 pm"),
        ("%j %U %W %V %G %g %u %w", "007 01 01 01 2027 27 4 4"),
        ("%y %C %h %k %L %N %3N %s", "27 20 Jan 14 123 123456789 123 1799327109"),
        ("%-d %_d %05d %^a %^B", "7  7 00007 THU JANUARY"),
        ("%D %F %T %R %r %c %v", "01/07/27 2027-01-07 14:05:09 14:05 02:05:09 PM Thu Jan  7 14:05:09 2027  7-JAN-2027"),
        ("%z %:z %::z %Z", "+0100 +01:00 +01:00:00 Europe/Rome"), ("100%% %q %", "100% %q %"), ("%n%t|%#p", "\n\t|pm"),
        ("ä%d🙂", "ä07🙂"),
    ])
    func `strftime directives`(format: String, wanted: String) throws {
        let variables: ValueMap = ["t": "2027-01-07T13:05:09.123456789Z", "f": .string(format)]
        #expect(try Rendering.render("{{ t | date: f }}", variables, locale: .en) == wanted)
    }

    @Test func `ISO weeks belong to the year of their Thursday`() throws {
        for (day, wanted) in [("2027-01-01", "2026-53"), ("2024-12-30", "2025-01"), ("2026-01-01", "2026-01")] {
            #expect(try Rendering.render("{{ d | date: '%G-%V' }}", ["d": .string(day)]) == wanted)
        }
    }

    @Test func `weekdays have names, short ones too`() throws {
        let source = "{{ d | weekday }} {{ d | weekday: 'short' }}"
        #expect(try Rendering.render(source, ["d": "2026-12-05"]) == "Samstag Sa")
        #expect(try Rendering.render(source, ["d": "2026-12-05"], locale: .it) == "sabato sab")
        #expect(try Rendering.render(source, ["d": "2026-12-05"], locale: .en) == "Saturday Sat")
    }

    @Test(arguments: [
        // It is Monday, 30 November 2026, 17:00.
        ("2026-11-30T17:00:30", "jetzt", "adesso", "now"),
        ("2026-11-30T17:10:00", "in 10 Minuten", "tra 10 minuti", "in 10 minutes"),
        ("2026-11-30T17:01:00", "in 1 Minute", "tra 1 minuto", "in 1 minute"),
        ("2026-11-30T16:55:00", "vor 5 Minuten", "5 minuti fa", "5 minutes ago"),
        ("2026-11-30T14:00:00", "heute, 14:00", "oggi, 14:00", "today, 14:00"),
        ("2026-11-30T18:30:00", "heute, 18:30", "oggi, 18:30", "today, 18:30"),
        ("2026-12-01T07:50:00", "morgen, 07:50", "domani, 07:50", "tomorrow, 07:50"),
        ("2026-11-29T07:50:00", "gestern, 07:50", "ieri, 07:50", "yesterday, 07:50"),
        ("2026-12-02T07:50:00", "übermorgen, 07:50", "dopodomani, 07:50", "Wednesday, 07:50"),
        ("2026-12-05T07:50:00", "Samstag, 07:50", "sabato, 07:50", "Saturday, 07:50"),
        ("2026-12-14T07:50:00", "Mo, 14.12., 07:50", "lun, 14/12, 07:50", "Mon, 14 Dec, 07:50"),
        ("2026-11-26T07:50:00", "Do, 26.11., 07:50", "gio, 26/11, 07:50", "Thu, 26 Nov, 07:50"),
        ("2027-01-07T07:50:00", "Do, 07.01.2027, 07:50", "gio, 07/01/2027, 07:50", "Thu, 7 Jan 2027, 07:50"),
        ("2026-12-01", "morgen", "domani", "tomorrow"),
        ("2026-11-30", "heute", "oggi", "today"),
        ("2026-12-14", "Mo, 14.12.", "lun, 14/12", "Mon, 14 Dec"),
        ("bald", "bald", "bald", "bald"),
    ])
    func `a moment is told as seen from now`(text: String, german: String, italian: String, english: String) throws {
        for (locale, wanted) in [(LiquidLocale.de, german), (.it, italian), (.en, english)] {
            #expect(try Rendering.render("{{ t | relative }}", ["t": .string(text)], locale: locale) == wanted)
        }
    }

    @Test func `tomorrow begins at midnight of the zone, in the hour that the clocks change too`() throws {
        // On Sunday, 29 March 2026, Rome's clocks go from 02:00 to 03:00; the day before is not 24 hours away.
        let context = LiquidContext(
            zone: Rendering.rome,
            locale: .de,
            now: Timestamp(rfc3339: "2026-03-28T22:30:00Z") ?? Timestamp(seconds: 0)
        )
        let template = try LiquidTemplate(parsing: "{{ t | relative }}")
        #expect(try template.render(["t": "2026-03-29T03:00:00+02:00"], context: context) == "morgen, 03:00")
        #expect(try template.render(["t": "2026-03-29T23:30:00+02:00"], context: context) == "morgen, 23:30")
    }

    static let numbers: [(Value, String, String)] = [
        (8, "8", "8"), (8.0, "8", "8"), (8.5, "8,5", "8.5"), (.double(22.0 / 3), "7,33", "7.33"),
        (-0.25, "-0,25", "-0.25"),
        (1234.5, "1234,5", "1234.5"), (12345.678, "12.345,68", "12,345.68"), (1_234_567, "1.234.567", "1,234,567"),
        ("8.25", "8,25", "8.25"), ("8,25", "8,25", "8.25"), ("7+", "7+", "7+"), (1.005, "1,01", "1.01"),
        (0.1, "0,1", "0.1"),
        (.uint(5), "5", "5"), (-0.001, "0", "0"),
    ]

    @Test(arguments: numbers)
    func `numbers have the language's decimal sign and no needless zeros`(value: Value, german: String, english: String)
        throws
    {
        #expect(try Rendering.render("{{ n | number }}", ["n": value]) == german)
        #expect(try Rendering.render("{{ n | number }}", ["n": value], locale: .it) == german)
        #expect(try Rendering.render("{{ n | number }}", ["n": value], locale: .en) == english)
    }

    @Test func `the number of decimals can be told`() throws {
        #expect(
            try Rendering.render("{{ 7.3456 | number: 1 }} {{ 7.3456 | number: 3 }} {{ 7.5 | number: 0 }}")
                == "7,3 7,346 8"
        )
    }

    @Test(arguments: [
        ("{{ 4.5 | money }}", "4,50 €", "4,50 €", "€4.50"), ("{{ '12' | money }}", "12,00 €", "12,00 €", "€12.00"),
        ("{{ -3.999 | money }}", "-4,00 €", "-4,00 €", "-€4.00"),
        ("{{ 12345 | money: 'CHF' }}", "12.345,00 CHF", "12.345,00 CHF", "CHF 12,345.00"),
        ("{{ 'gratis' | money }}", "gratis", "gratis", "gratis"),
    ])
    func `money has two decimals and its sign`(source: String, german: String, italian: String, english: String) throws
    {
        for (locale, wanted) in [(LiquidLocale.de, german), (.it, italian), (.en, english)] {
            #expect(try Rendering.render(source, locale: locale) == wanted)
        }
    }

    @Test(arguments: [
        ("{{ grades | average: 'value' | number }}", "7,33"), ("{{ list | average }}", "7.5"),
        ("{{ same | average }}", "8"),
        ("{{ texts | average | number }}", "8,13"), ("{{ none | average }}", ""), ("{{ tenths | average }}", "0.2"),
    ])
    func `an average leaves out what is no number`(source: String, wanted: String) throws {
        let variables: ValueMap = [
            "grades": [["value": 8], ["value": 7], ["value": 7], ["value": nil], ["other": 1]], "list": [7, 8],
            "same": [8, 8],
            "texts": ["8.5", "7,75", "krank"], "none": [], "tenths": [0.1, 0.2, 0.3],
        ]
        #expect(try Rendering.render(source, variables) == wanted)
    }
}
