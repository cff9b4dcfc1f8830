import BotConfig
import BotCore
import Values

/// `webuntis.messages`: the inbox of the account. Only the list is read, never a message itself, so nothing is ever marked as read.
struct MessagesProvider: Provider {
    let account: WebUntisAccount
    let student: String?

    /// How far back the inbox is compared, and the bounds of walking through it.
    private static let days = 90
    private static let pageSize = 100
    private static let mostPages = 30
    /// A page shorter than this is the last: servers that cap their pages were seen to cap them at 20 and more.
    private static let shortestFullPage = 20

    func fetch(_ request: FetchRequest) async throws(PluginError) -> Snapshot {
        let profile = try await account.profile(at: request.now)
        let student = try profile.studentOrNobody(student, at: account.wire.place)
        let window = DateWindow(request.today.adding(days: -Self.days), through: request.today.adding(days: 1))
        var inbox = Inbox(zone: request.zone)
        var first = window.first
        var remark = ""
        for page in 0... {
            let count = try await add(from: inbox.count, to: &inbox, at: request.now)
            if count < Self.shortestFullPage || (inbox.oldest ?? window.first) < window.first { break }
            if page + 1 == Self.mostPages {
                // What lies further back is left out with its whole days.
                first = max(first, (inbox.oldest ?? first).adding(days: 1))
                remark =
                    "the inbox is longer than the \(inbox.count) messages that are read; what lies further back is left out."
                break
            }
        }
        let snapshot = Snapshot(
            records: inbox.records.filter { ($0.date ?? window.last) >= first },
            window: DateWindow(first, through: window.last),
            unreadable: inbox.unreadable,
            remark: remark,
            student: student,
            calendar: profile.calendar
        )
        return await account.listSnapshot(snapshot, request)
    }

    /// A message is new if it was sent since the last answer, with a day to spare. An older one that turns up was only hidden: behind
    /// others that were deleted, or on a page that a dying session left empty.
    func interpret(_ difference: Difference, in context: InterpretationContext) -> [Occurrence] {
        // A day that lies ahead was written by a clock that was.
        let today = context.zone.date(at: context.now)
        let first = difference.oldMemo["day"].day.map { min($0, today).adding(days: -1) }
        let received = difference.changes.compactMap { change -> Occurrence? in
            guard let record = change.new, change.old == nil else { return nil }
            if let date = record.date, let first, date < first { return nil }
            return Occurrence(kind: "message.received", record: record, revision: change.revision)
        }
        return received.sorted { ($0.record.sent, $0.record.ordinal) < ($1.record.sent, $1.record.ordinal) }
    }

    /// Reads one page.
    /// - Returns: how many entries of it were not known from earlier pages; servers that ignore `start` repeat the first page.
    private func add(from start: Int, to inbox: inout Inbox, at now: Timestamp) async throws(PluginError) -> Int {
        let query = [("pageSize", String(Self.pageSize)), ("start", String(start))]
        let document = try await account.document(WebUntisRoutes.messages, query, asking: "messages", at: now)
        let count = inbox.add(try account.wire.list(Self.list(in: document), of: "messages", in: document))
        if start == 0 { inbox.addUnpaged(document["readConfirmationMessages"].list ?? []) }
        return count
    }

    /// The list under any of the names that servers were seen to use, bare or under `data`.
    private static func list(in document: Value) -> Value {
        for holder in [document, document["data"]] {
            for name in ["incomingMessages", "messages"] where holder[name].list != nil { return holder[name] }
        }
        return document["data"]
    }
}

/// The messages read so far.
struct Inbox {
    let zone: Zone
    private(set) var records: [Record] = []
    private(set) var unreadable = 0
    private(set) var oldest: CalendarDate?
    /// How many entries were read, which is where the next page starts.
    private(set) var count = 0
    private var keys: Set<String> = []

    init(zone: Zone) { self.zone = zone }

    /// Messages that ask for a confirmation come in a list of their own with the first page.
    mutating func addUnpaged(_ list: [Value]) {
        let paged = oldest
        _ = read(list)
        oldest = paged
    }

    mutating func add(_ list: [Value]) -> Int {
        count += list.count
        return read(list)
    }

    private mutating func read(_ list: [Value]) -> Int {
        var fresh = 0
        for entry in list {
            guard entry.map != nil else {
                unreadable += 1
                continue
            }
            let record = record(entry)
            guard keys.insert(record.key).inserted else { continue }
            fresh += 1
            records.append(record)
            if let date = record.date { oldest = min(oldest ?? date, date) }
        }
        return fresh
    }

    private func record(_ entry: Value) -> Record {
        let sent = [entry["sentDateTime"], entry["sentDate"], entry["date"]].lazy.compactMap(\.localTime).first
        let sender = entry["sender"]
        let names = [sender["displayName"].label, sender["name"].label, sender.label, entry["senderName"].label]
        let unread = (entry["isMessageRead"].truth ?? entry["isRead"].truth ?? entry["read"].truth).map { !$0 } ?? false
        var fields: ValueMap = [
            "date": .string(sent?.date.description ?? ""), "subject": .string(entry["subject"].line),
            "sender": .string(names.first { !$0.isEmpty } ?? ""), "preview": .string(entry["contentPreview"].prose),
            "unread": .bool(unread), "has_attachments": .bool(entry["hasAttachments"].truth ?? false),
        ]
        let id = entry.name(orContent: ["date", "subject", "sender", "preview"].map { fields[$0]?.string ?? "" })
        fields["id"] = .string(id)
        if let sent { fields["sent"] = .timestamp(zone.instant(of: sent.date, at: sent.time)) }
        return Record(
            key: id,
            type: MessageSchema.record.name,
            date: sent?.date,
            fields: fields
        )
    }
}

/// What `webuntis.messages` says of messages.
enum MessageSchema {
    static let record = RecordShape(
        "message",
        "A message in the account's inbox.",
        fields: [
            FieldShape("id", .string, "the message's id in WebUntis"),
            FieldShape("date", .string, "the day it was sent, `2026-11-30`; empty if not told"),
            FieldShape("sent", .timestamp, optional: true, "when it was sent"),
            FieldShape("subject", .string, "its subject; may be empty"),
            FieldShape("sender", .string, "who sent it"),
            FieldShape("preview", .string, "how it begins, as plain text"),
            FieldShape("unread", .bool, "whether it is still unread in WebUntis"),
            FieldShape("has_attachments", .bool, "whether files come with it"),
        ]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [EventDeclaration("message.received", of: "message", "A new message in the inbox.", expiry: .never)],
        queries: [
            QueryDeclaration("messages.unread", result: unread, "The unread messages, the latest first.") {
                records,
                _ in unreadAnswer(records)
            },
            OverviewQuery.declaration,
        ],
        uncomparedFields: [
            "message.unread", "message.preview", "message.has_attachments", "message.sender", "message.subject",
        ]
    )

    static func unreadAnswer(_ records: [Record]) -> ValueMap {
        let waiting = records.filter { $0.fields["unread"] == true }.sorted {
            ($0.sent, $0.ordinal) > ($1.sent, $1.ordinal)
        }
        return [
            "messages": .list(waiting.prefix(mostShown).map { .map($0.fields) }),
            "count": .int(Int64(waiting.count)),
            "is_empty": .bool(waiting.isEmpty),
        ]
    }

    private static let mostShown = 20

    private static let unread = RecordShape(
        "messages_unread",
        "The unread messages of an inbox.",
        fields: [
            FieldShape("messages", .list(.record(record)), "at most 20, the latest first"),
            FieldShape("count", .int, "how many there are"),
            FieldShape("is_empty", .bool, "whether there is none"),
        ]
    )
}

extension Record {
    fileprivate var sent: Timestamp { fields["sent"]?.timestamp ?? Timestamp(seconds: 0) }
    /// Ids grow with time, which orders messages of one second.
    fileprivate var ordinal: Int64 { Int64(key) ?? 0 }
}
