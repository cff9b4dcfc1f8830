import BotCore
import Markup
import Values

/// What the far end of a webhook understands.
enum WebhookFlavour: String, CaseIterable, Sendable {
    case json, slack, discord, mattermost, rocketchat, teams, googlechat, ntfy

    init(_ settings: Settings) {
        self = settings.text("flavour").flatMap(WebhookFlavour.init(rawValue:)) ?? .json
    }

    /// The form of the message; nil for programs.
    var target: MarkupTarget? { MarkupTarget(rawValue: rawValue) }

    /// Whether the title is a field of its own; elsewhere it is the first line.
    var hasTitleField: Bool { self == .ntfy }
}

/// One part of a message as the body that a chat takes.
struct ChatContent {
    var flavour: WebhookFlavour
    /// The name under which it appears, where the chat lets the sender say so.
    var username: String?

    func value(of document: MarkupDocument, title: String, isSilent: Bool) -> Value {
        var content = ValueMap()
        switch flavour {
        case .json: break
        case .slack:
            content["text"] = .string(document.slackMrkdwn())
            content["blocks"] = document.slackBlocks()
            content["username"] = username.map { .string($0) }
        case .discord:
            content["content"] = .string(document.discordMarkdown())
            content["allowed_mentions"] = ["parse": []]
            // Bit 12, SUPPRESS_NOTIFICATIONS (Discord, Message Flags).
            if isSilent { content["flags"] = .int(1 << 12) }
            content["username"] = username.map { .string($0) }
        case .mattermost:
            content["text"] = .string(document.mattermostMarkdown())
            content["username"] = username.map { .string($0) }
        case .rocketchat:
            content["text"] = .string(document.rocketChatMarkdown())
            content["alias"] = username.map { .string($0) }
        case .teams:
            // The envelope of a workflow's "When a Teams webhook request is received" (Microsoft Learn, "Create incoming webhooks").
            content["type"] = "message"
            content["attachments"] = [
                [
                    "contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": .null,
                    "content": document.adaptiveCard(),
                ]
            ]
        case .googlechat: content["text"] = .string(document.googleChatText())
        case .ntfy:
            content["title"] = .string(title)
            content["message"] = .string(document.ntfyMarkdown())
            content["markdown"] = true
            // 2 is low: no sound and no vibration (ntfy, "Message priority").
            if isSilent { content["priority"] = 2 }
        }
        return .map(content)
    }

    /// The same, marked for people as a possible repeat, where that takes nothing from the room that the text was measured for.
    func marked(_ content: ValueMap) -> Value {
        let mark = Payload.repeatMark
        var content = content
        switch flavour {
        case .json: break
        case .slack:
            content["text"] = .string(mark + "\n" + (content["text"]?.string ?? ""))
            // 50 blocks are the most (Slack, "Blocks").
            if case .list(let blocks)? = content["blocks"], blocks.count < 50 {
                let note: Value = ["type": "context", "elements": [["type": "plain_text", "text": .string(mark)]]]
                content["blocks"] = .list([note] + blocks)
            }
        case .discord: content["embeds"] = [["description": .string(mark)]]
        case .rocketchat: content["attachments"] = [["text": .string(mark)]]
        case .mattermost, .googlechat: content["text"] = .string(mark + "\n" + (content["text"]?.string ?? ""))
        case .teams: content = markedCard(content, mark)
        case .ntfy: content["title"] = .string((content["title"]?.string ?? "") + " " + mark)
        }
        return .map(content)
    }

    private func markedCard(_ content: ValueMap, _ mark: String) -> ValueMap {
        guard case .list(var attachments)? = content["attachments"], case .map(var attachment)? = attachments.first,
            case .map(var card)? = attachment["content"], case .list(let body)? = card["body"]
        else { return content }
        let note: Value = ["type": "TextBlock", "text": .string(mark), "isSubtle": true, "wrap": true]
        card["body"] = .list([note] + body)
        attachment["content"] = .map(card)
        attachments[0] = .map(attachment)
        var content = content
        content["attachments"] = .list(attachments)
        return content
    }
}
