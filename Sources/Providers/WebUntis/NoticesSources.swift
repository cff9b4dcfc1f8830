import BotConfig
import BotCore
import Values

/// `webuntis.class_events`: entries of the class register about a student.
enum ClassEventsSource {
    @Sendable static func ask(_ question: ListQuestion) async throws(PluginError) -> ListSource.Reading {
        let year = question.year
        let query = [
            ("startDate", year.first.compact), ("endDate", year.last.compact), ("studentId", question.student.id),
        ]
        let document = try await question.document(
            WebUntisRoutes.classEvents,
            query,
            asking: "class register entries"
        )
        let rows = try question.list(document["data"]["rows"], of: "class register entries", in: document)
        return ListSource.Reading(rows) { record($0, question.student) }
    }

    private static func record(_ row: Value, _ student: Student) -> Record? {
        guard row.map != nil else { return nil }
        var fields: ValueMap = [
            "date": .string(row["createDate"].day?.description ?? ""), "subject": .string(row["subjectName"].label),
            "teacher": .string(row["creatorName"].label), "reason": .string(row["eventReasonName"].label),
            "category": .string(row["categoryName"].label), "text": .string(row["text"].prose),
        ]
        let id = row.name(orContent: ["date", "subject", "reason", "text"].map { fields[$0]?.string ?? "" })
        fields["id"] = .string(id)
        return Record(key: "\(student.id)/\(id)", type: record.name, fields: fields)
    }

    @Sendable static func tell(_ change: Change, _ context: InterpretationContext) -> String? {
        change.kind == .added || change.kind == .entered ? "class_event.added" : nil
    }

    static let record = RecordShape(
        "class_event",
        "An entry of the class register.",
        fields: [
            FieldShape("id", .string, "its id in WebUntis"),
            FieldShape("date", .string, "the day it was made, `2026-11-18`; empty if not told"),
            FieldShape("subject", .string, "the subject"),
            FieldShape("teacher", .string, "who made it"),
            FieldShape("reason", .string, "what it is about: `Hausaufgabe vergessen`"),
            FieldShape("category", .string, "its category: `Vermerk`"),
            FieldShape("text", .string, "its text"),
        ]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [
            EventDeclaration(
                "class_event.added",
                of: "class_event",
                "A new entry of the class register.",
                expiry: .never
            )
        ],
        uncomparedFields: ["class_event.id"]
    )
}

/// `webuntis.news`: the school's messages of the day.
enum NewsSource {
    /// From the older start page, or from the newer one where a school has that alone.
    @Sendable static func ask(_ question: ListQuestion) async throws(PluginError) -> ListSource.Reading {
        do throws(PluginError) {
            return try await askWidget(question)
        } catch  where error.disposition == .unavailable {
            do throws(PluginError) {
                return try await askCards(question)
            } catch  where error.disposition == .unavailable {}
            throw error
        }
    }

    private static func askCards(_ question: ListQuestion) async throws(PluginError) -> ListSource.Reading {
        let document = try await question.document(WebUntisRoutes.newsCards, asking: "day messages")
        let cards = try question.list(document["dashboardCards"], of: "day messages", in: document)
        var reading = ListSource.Reading(cards) { card in
            record(["id": card["id"], "subject": card["title"], "text": card["subtitle"]], in: question)
        }
        // The two pages have other texts for one message: what the other one shows is known, not changed.
        reading.place = "cards"
        return reading
    }

    private static func askWidget(_ question: ListQuestion) async throws(PluginError) -> ListSource.Reading {
        let document = try await question.document(
            WebUntisRoutes.news,
            [("date", question.request.today.compact)],
            asking: "day messages"
        )
        let data = document["data"]
        let isWithout = data.map != nil && data["messagesOfDay"].isNull
        var entries =
            isWithout ? [] : try question.list(data["messagesOfDay"], of: "day messages", in: document)
        let system = data["systemMessage"]
        if !system.prose.isEmpty {
            entries.append(["text": system])
        } else if system.map != nil {
            entries.append(system)
        }
        return ListSource.Reading(entries) { record($0, in: question) }
    }

    private static func record(_ entry: Value, in question: ListQuestion) -> Record? {
        let (subject, text) = (entry["subject"].line, entry["text"].prose)
        guard !subject.isEmpty || !text.isEmpty else { return nil }
        let id = entry.name(orContent: [subject, text])
        return Record(
            key: id,
            type: record.name,
            fields: [
                "id": .string(id), "subject": .string(subject), "text": .string(text),
                "has_attachments": .bool(entry["attachments"].list?.isEmpty == false),
                "shown": .string(question.request.today.description),
            ],
            worldKey: "\(question.account.wire.address.school)/news/\(id)"
        )
    }

    @Sendable static func tell(_ change: Change, _ context: InterpretationContext) -> String? {
        switch change.kind {
        case .added, .entered: "news.published"
        case .changed: "news.changed"
        case .removed, .renumbered: nil
        }
    }

    static let record = RecordShape(
        "news",
        "A message of the day for the whole school.",
        fields: [
            FieldShape("id", .string, "its id in WebUntis"),
            FieldShape("subject", .string, "its subject; may be empty"),
            FieldShape("text", .string, "its text"),
            FieldShape("has_attachments", .bool, "whether files come with it"),
            FieldShape("shown", .string, "the day on which the school showed it last, `2026-12-01`"),
        ]
    )

    private static let today = RecordShape(
        "news_today",
        "The messages of the day.",
        fields: [
            FieldShape("news", .list(.record(record)), "the messages"),
            FieldShape("is_empty", .bool, "whether there is none"),
        ]
    )

    static let schema = SourceSchema(
        records: [record],
        events: [
            EventDeclaration("news.published", of: "news", "A new message of the day.", expiry: .after(.days(1))),
            EventDeclaration("news.changed", of: "news", "A message of the day was edited.", expiry: .after(.days(1))),
        ],
        queries: [
            QueryDeclaration("news.today", result: today, "The messages of the day.") { records, context in
                // What was there yesterday stays known for a day after it has gone, since a list may be empty by mistake.
                let today = context.today.description
                let sorted = records.filter { $0.text("shown") == today }.sorted { $0.key < $1.key }
                return ["news": .list(sorted.map { .map($0.fields) }), "is_empty": .bool(sorted.isEmpty)]
            }
        ],
        uncomparedFields: ["news.id", "news.shown"]
    )
}
