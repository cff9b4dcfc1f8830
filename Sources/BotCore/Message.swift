public import Values

/// A rendered text whose interpolated values are still apart from it.
///
/// In `template`, which the rule's author wrote, each interpolated value stands as a placeholder: U+E000, its index in `values` in
/// ASCII digits, U+E001. The sink's renderer puts the values into the leaves of the parsed text, so that no value can become markup.
public struct TemplatedText: Sendable, Hashable {
    public var template: String
    public var values: [String]

    public init(template: String, values: [String] = []) {
        self.template = template
        self.values = values
    }

    /// Text that comes from data as a whole.
    public init(value: String) {
        self.init(template: Self.placeholder(0), values: [value])
    }

    /// What stands in a template for the value with this index.
    public static func placeholder(_ index: Int) -> String { "\u{E000}\(index)\u{E001}" }

    /// The template with its values put in place, as it stands: right for titles, which have no markup.
    public var plain: String {
        guard !values.isEmpty else { return template }
        var text = ""
        // Scalars: a combining mark behind a placeholder would be one character with its end.
        var rest = template.unicodeScalars[...]
        while let start = rest.firstIndex(of: "\u{E000}"), let end = rest[start...].firstIndex(of: "\u{E001}") {
            text += Substring(rest[..<start])
            let index = Int(Substring(rest[rest.index(after: start)..<end]))
            if let index, values.indices.contains(index) { text += values[index] }
            rest = rest[rest.index(after: end)...]
        }
        return text + Substring(rest)
    }
}

/// How urgent a message is. `high` passes quiet hours, limits and digests.
public enum Priority: String, Sendable, Hashable, CaseIterable {
    case low, normal, high
}

/// What one rule tells through one sink.
public struct Message: Sendable, Hashable {
    /// hash(rule, what it is about, sink): telling the same again makes the same id.
    public var id: String
    /// The rule's id; `admin` for the shorthand of that name.
    public var rule: String
    /// The name of the sink in the bot file.
    public var sink: String
    /// Recipients that replace the sink's own; empty for the sink's.
    public var recipients: [String]
    /// One line without markup.
    public var title: TemplatedText
    /// CommonMark.
    public var body: TemplatedText
    /// What to send instead of the rendering of `body` as plain text or as HTML, where the rule says so.
    public var plainOverride: String?
    public var htmlOverride: String?
    /// An address that the message points to.
    public var link: String?
    public var priority: Priority
    /// Deliver without a sound, where the sink can.
    public var isSilent: Bool
    /// `de`, `it`, `en`: for what the sink itself says (`Teil 1 von 3`).
    public var locale: String
    /// The events it tells of; empty for a scheduled rule.
    public var events: [String]
    /// Whose data the answers hold that a scheduled rule tells of; of others their events say so.
    public var students: [Student]
    /// What must stay in order: source and key of the record it is about.
    public var orderKey: String
    /// When it is stale: not delivered by then, it is dropped and recorded. Nil: never.
    public var expires: Timestamp?
    /// The id of an earlier message that this one takes back: only those are told whom that one may have reached.
    public var corrects: String?

    public init(
        id: String,
        rule: String,
        sink: String,
        recipients: [String] = [],
        title: TemplatedText,
        body: TemplatedText,
        plainOverride: String? = nil,
        htmlOverride: String? = nil,
        link: String? = nil,
        priority: Priority = .normal,
        isSilent: Bool = false,
        locale: String = "de",
        events: [String] = [],
        students: [Student] = [],
        orderKey: String = "",
        expires: Timestamp? = nil,
        corrects: String? = nil
    ) {
        self.id = id
        self.rule = rule
        self.sink = sink
        self.recipients = recipients
        self.title = title
        self.body = body
        self.plainOverride = plainOverride
        self.htmlOverride = htmlOverride
        self.link = link
        self.priority = priority
        self.isSilent = isSilent
        self.locale = locale
        self.events = events
        self.students = students
        self.orderKey = orderKey
        self.expires = expires
        self.corrects = corrects
    }

    /// What replaces the plain text of `body`, with the address that the message points to below it; nil where the rule has no `text:`.
    public var plainOverrideWithLink: String? {
        plainOverride.map { text in link.map { text + "\n\n" + $0 } ?? text }
    }
}

/// One message to one recipient, or one numbered part of it, ready to be sent: the bytes are fixed, whatever restarts follow.
public struct Payload: Sendable, Hashable {
    /// The delivery id, the same over all repeats: Matrix transaction id, left part of `Message-ID`, `webhook-id`.
    public var id: String
    public var message: String
    public var rule: String
    public var sink: String
    /// An address, a room, a chat; empty where the sink has only one. Personal: never in logs.
    public var recipient: String
    /// From 1.
    public var part: Int
    public var parts: Int
    public var orderKey: String
    /// When the content was made; what a mail's `Date` says, also in a repeat.
    public var createdAt: Timestamp
    public var expires: Timestamp?
    /// The plain-text rendering, for history, previews and rule tests.
    public var text: String
    /// What the sink's `deliver` needs; only the sink knows its form.
    public var content: Value
    /// Set by the courier when an earlier try may have arrived: a sink whose far end cannot recognise a repeat says so in what it
    /// sends. `prepare` leaves it false.
    public var isRepeat: Bool

    /// What a repeat says to people, in every language of messages: the language of the reader is not kept with a payload.
    public static let repeatMark = "(mögliche Wiederholung · possibile ripetizione · possible repeat)"

    public init(
        id: String,
        message: String,
        rule: String,
        sink: String,
        recipient: String,
        part: Int = 1,
        parts: Int = 1,
        orderKey: String = "",
        createdAt: Timestamp,
        expires: Timestamp? = nil,
        text: String,
        content: Value,
        isRepeat: Bool = false
    ) {
        self.id = id
        self.message = message
        self.rule = rule
        self.sink = sink
        self.recipient = recipient
        self.part = part
        self.parts = parts
        self.orderKey = orderKey
        self.createdAt = createdAt
        self.expires = expires
        self.text = text
        self.content = content
        self.isRepeat = isRepeat
    }
}

/// What the far end said when it took a payload.
public struct Receipt: Sendable, Hashable {
    /// Its own id of the delivery, if it gave one: a queue id, an event id.
    public var remoteID: String?
    /// What has to be remembered of the sink from now on, such as a chat's new id; nil for nothing.
    public var sinkMemo: Value?

    public init(remoteID: String? = nil, sinkMemo: Value? = nil) {
        self.remoteID = remoteID
        self.sinkMemo = sinkMemo
    }
}
