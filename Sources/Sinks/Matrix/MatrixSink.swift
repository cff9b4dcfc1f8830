import BotCore
import Digests
import Markup
import Values

/// Sends messages as events of a room, each with its delivery id as transaction id: a repeat of it is the same event.
struct MatrixSink: Sink {
    let settings: MatrixSettings
    let client: MatrixClient
    let door: RoomDoor

    init(settings: MatrixSettings, client: MatrixClient) {
        self.settings = settings
        self.client = client
        door = RoomDoor(room: settings.room, client: client)
    }

    func forgetRefusal() async { await client.forgetRefusal() }

    // MARK: Preparing

    func prepare(_ message: Message, at now: Timestamp) throws(PluginError) -> [Payload] {
        let document = document(of: message)
        guard document.isVisible else { return [] }
        return document.parts(for: .matrix).map { part in
            Payload(
                id: ContentID.make([message.id, "", String(part.number)]),
                message: message.id,
                rule: message.rule,
                sink: settings.name,
                recipient: "",
                part: part.number,
                parts: part.count,
                orderKey: message.orderKey,
                createdAt: now,
                expires: message.expires,
                text: part.document.plainText(),
                content: content(part.document, isNotice: settings.isNotice || message.isSilent)
            )
        }
    }

    private func document(of message: Message) -> MarkupDocument {
        let source =
            message.plainOverride.map { MarkupSource(plain: $0) }
            ?? MarkupSource(template: message.body.template, values: message.body.values)
        let body = MarkupDocument.parse(source)
        let document = message.plainOverride == nil ? body.withTitle(message.title.plain) : body
        return document.withLink(message.link)
    }

    /// The event's content. The default push rules let nobody's phone ring for an `m.notice` (Client-Server API, "Push rules",
    /// `.m.rule.suppress_notices`). Empty `m.mentions` say that the text calls nobody, whatever it looks like.
    private func content(_ document: MarkupDocument, isNotice: Bool) -> Value {
        [
            "msgtype": isNotice ? "m.notice" : "m.text",
            "body": .string(document.matrixBody()),
            "format": "org.matrix.custom.html",
            "formatted_body": .string(document.matrixHTML()),
            "m.mentions": [:],
        ]
    }

    // MARK: Delivering

    func deliver(_ payload: Payload, at now: Timestamp) async throws(PluginError) -> Receipt {
        var (room, hasJoined) = try await door.open(at: now)
        var response = try await send(payload, to: room, at: now)
        let isShut = response.status == 403 && MatrixVerdict.code(of: response) == "M_FORBIDDEN"
        // The bot may have been put out of the room and invited again since it looked last, or the alias leads to another room.
        if isShut, !hasJoined {
            (room, hasJoined) = try await door.openAnew(at: now)
            if !hasJoined { try await door.join(at: now) }
            response = try await send(payload, to: room, at: now)
        }
        if let error = MatrixVerdict.error(for: response, from: client.place, at: now) {
            throw response.status == 403 ? await door.refused(error) : error
        }
        guard let event = (try? Value(json: response.body))?["event_id"].string else {
            throw .uncertain(
                "\(client.place): the homeserver's answer is cut off or is not its own; the message may have arrived"
            )
        }
        return Receipt(remoteID: event, sinkMemo: await client.memo)
    }

    private func send(_ payload: Payload, to room: String, at now: Timestamp) async throws(PluginError) -> HTTPResponse
    {
        let path = "/rooms/\(room.pathPiece)/send/m.room.message/\(payload.id.pathPiece)"
        return try await client.ask("PUT", path, body: payload.content, at: now)
    }
}
