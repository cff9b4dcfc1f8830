public import BotCore
public import Values

/// What every sink keeps of the contract in `Sink`, whatever it sends to.
public enum SinkConformance {
    /// Prepares messages, hostile ones among them, and looks at the payloads.
    /// - Parameters:
    ///   - name: the sink's name in the bot file.
    ///   - takesRecipients: whether a message may name recipients of its own; `recipients` are then two good ones.
    /// - Returns: what does not hold; empty for a sink that conforms.
    public static func failures(
        _ sink: any Sink,
        name: String,
        takesRecipients: Bool = false,
        recipients: [String] = [],
        at now: Timestamp
    ) -> [String] {
        var check = Conformance("sink")
        for (title, body) in texts {
            var message = Message(
                id: "01hzy8m9k2v4c6x8",
                rule: "rule",
                sink: name,
                title: title,
                body: body,
                orderKey: "timetable/1",
                expires: now + .hours(1)
            )
            look(at: message, sink, &check, now)
            if takesRecipients {
                message.recipients = recipients
                look(at: message, sink, &check, now)
                let found = (try? sink.prepare(message, at: now)) ?? []
                check.expect(
                    Set(found.map(\.recipient)),
                    is: Set(recipients),
                    "the message's own recipients replace the sink's"
                )
            }
        }
        let one = Message(id: "a", rule: "r", sink: name, title: texts[0].0, body: texts[0].1)
        var other = one
        other.id = "b"
        let ids = [one, other].map { Set(((try? sink.prepare($0, at: now)) ?? []).map(\.id)) }
        check.expect(ids[0].isDisjoint(with: ids[1]), "other messages have other ids")
        return check.failures
    }

    /// Titles and bodies: plain, empty, long, and such as try to become markup, addresses, headers or control codes.
    private static let texts: [(TemplatedText, TemplatedText)] = [
        (TemplatedText(template: "Ausfall"), TemplatedText(template: "**MAT** fällt aus.")),
        (TemplatedText(template: ""), TemplatedText(template: "")),
        (TemplatedText(value: "Ä 👩‍👩‍👧 \u{202E}"), TemplatedText(value: String(repeating: "langes Wort ß ", count: 3000))),
        (
            TemplatedText(value: "x\r\nBcc: a@example.org"),
            TemplatedText(value: "<script>&amp;</script> [a](javascript:b) @everyone `*_~ \u{0}\u{1B}[31m\r\n.\r\n")
        ),
    ]

    private static func look(at message: Message, _ sink: any Sink, _ check: inout Conformance, _ now: Timestamp) {
        let payloads: [Payload]
        do {
            payloads = try sink.prepare(message, at: now)
        } catch {
            check.expect(false, "a message is put into form: \(error.message)")
            return
        }
        check.expect(!payloads.isEmpty, "a message has a payload")
        check.expect((try? sink.prepare(message, at: now)) == payloads, "the same message and time give the same bytes")
        check.expect(Set(payloads.map(\.id)).count, is: payloads.count, "ids are unique")
        for payload in payloads {
            check.expect(payload.message, is: message.id, "a payload knows its message")
            check.expect(payload.rule, is: message.rule, "a payload knows its rule")
            check.expect(payload.sink, is: message.sink, "a payload knows its sink")
            check.expect(payload.orderKey, is: message.orderKey, "a payload keeps what must stay in order")
            check.expect(payload.expires, is: message.expires, "a payload is stale when its message is")
            check.expect(payload.createdAt, is: now, "a payload knows when it was made")
            check.expect(!payload.isRepeat, "only the courier marks a repeat")
            check.expect(!payload.content.isNull, "a payload has content; null stands for none")
            check.expect(isSafe(payload.id), "the id '\(payload.id)' is safe in a header and a URL path")
        }
        for (recipient, parts) in Dictionary(grouping: payloads, by: \.recipient) {
            check.expect(
                parts.map(\.part),
                is: Array(1...parts.count),
                "parts are numbered from 1, in order, for '\(recipient)'"
            )
            check.expect(parts.allSatisfy { $0.parts == parts.count }, "each part knows how many there are")
        }
    }

    private static func isSafe(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= 128
            && id.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}
