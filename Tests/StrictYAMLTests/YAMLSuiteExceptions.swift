/// The valid cases of the suite that the strict subset refuses, by reason.
enum YAMLSuiteExceptions {
    struct Refusal: Sendable {
        let reason: String
        /// What one of the complaints must say.
        let complaint: String
        let cases: Set<String>

        init(_ reason: String, complaint: String, _ cases: String) {
            self.reason = reason
            self.complaint = complaint
            self.cases = Set(cases.split(whereSeparator: \.isWhitespace).map(String.init))
        }
    }

    static let refusals: [Refusal] = [
        Refusal(
            "anchors and aliases",
            complaint: "anchors are not read",
            """
            26DV 2SXE 3GZX 3R3P 6BFJ 6KGN 6M2F 7BMT 7BUB 8XYN 9KAX BU8L C4HZ CN3R CUP7 E76Z F2C7 FTA2 HMQ5 JS2J
            LE5A PW8X RZP5 SKE5 U3XV UGM3 V55R W5VH X38W XW4D Y2GN ZH7C ZWK4
            """
        ),
        Refusal(
            "tags",
            complaint: "tags are not read",
            """
            2AUY 2XXW 33X3 35KP 52DL 565N 57H4 5TYM 6CK3 6JWB 6WLZ 735Y 74H7 7FWL 8MK2 9WXW CC74 EHF6 FH7J J7PZ
            L94M M5C3 P76L S4JQ U3C3 UKK6/2 WZ62 Z67P Z9M4
            """
        ),
        Refusal(
            "directives",
            complaint: "directives such as",
            """
            27NA 2LFX 6LVF BEC7 DK95/7 MUS6/2 MUS6/3 MUS6/4 MUS6/5 MUS6/6 RTP8 W4TN
            """
        ),
        Refusal(
            "several documents",
            complaint: "a second document",
            """
            6XDY 6ZKB 9DXL JHB9 KSS4 L383 PUW8 RZT7 U9NS
            """
        ),
        Refusal(
            "explicit keys",
            complaint: "a '?' that marks a key",
            """
            5WE3 652Z 6PBE 7W2P CT4Q DFF7 GH63 HM87/1 JTV5 KK5P M2N8/1 M5DY RR7F S9E8 V9D5 X8DW
            """
        ),
        Refusal(
            "keys that are no text of one line",
            complaint: "a key must be a text",
            """
            4FJ6 8KB6 9BXH 9MMW 9SA2 LX3P M2N8 NJ66 Q9WF SBG9 UT92
            """
        ),
        Refusal(
            "empty keys, and a colon on a line of its own",
            complaint: "a key is missing",
            """
            2JQS 4MUZ 4MUZ/1 4MUZ/2 NHX8 NKF9 S3PD SM9W/1 UKK6 VJP3/1
            """
        ),
        Refusal(
            "tabs where indentation ends",
            complaint: "a tab in the indentation",
            """
            6BCT 6CA3 6HB6 96NN 96NN/1 A2M4 DK95 DK95/3 DK95/4 HS5T Q5MG R4YG UV7Q Y79Y/1 Y79Y/10
            """
        ),
        Refusal(
            "a text that goes on like a list",
            complaint: "looks like an item",
            """
            AB8U
            """
        ),
        Refusal(
            "not read by libyaml 0.2.5: a colon without a space behind a quoted key, on the next line",
            complaint: "is not closed",
            """
            5MUD K3WX
            """
        ),
        Refusal(
            "not read by libyaml 0.2.5: keys without values in brackets",
            complaint: "this is not YAML",
            """
            4ABK FRK4
            """
        ),
        Refusal(
            "not read by libyaml 0.2.5: texts in brackets that begin with a colon, empty keys, streams without a document",
            complaint: "a value is missing",
            """
            58MP 5T43 CFD4 DBG4 HM87 HWV9 QT73
            """
        ),
        Refusal(
            #"not read by libyaml 0.2.5: bare documents behind "...", block texts in column 0"#,
            complaint: "does not belong",
            """
            7Z25 DK3J FP8R M7A3
            """
        ),
    ]

    /// Read otherwise than the suite says: a last line of blanks without a line end, in a block text. libyaml 0.2.5 adds no line end.
    static let readOtherwise: Set<String> = ["JEF9/2", "L24T/1"]
}
