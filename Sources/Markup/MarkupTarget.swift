import Values

/// The places for which a message can be written. The raw values are the names used in settings and by `preview --sink`.
public enum MarkupTarget: String, Sendable, Hashable, CaseIterable {
    case mail
    case plain
    case ansi
    case slack
    case discord
    case mattermost
    case rocketChat = "rocketchat"
    case matrix
    case telegram
    case teams
    case googleChat = "googlechat"
    case ntfy

    /// The message in the target's own form: HTML, Markdown, plain text, or JSON where the target takes JSON (Slack's blocks, Teams' card).
    public func render(_ document: MarkupDocument) -> String {
        switch self {
        case .mail: document.mailHTML(title: "", language: "und")
        case .plain: document.plainText()
        case .ansi: document.ansi()
        case .slack: document.slackBlocks().json
        case .discord: document.discordMarkdown()
        case .mattermost: document.mattermostMarkdown()
        case .rocketChat: document.rocketChatMarkdown()
        case .matrix: document.matrixHTML()
        case .telegram: document.telegramHTML()
        case .teams: document.adaptiveCard().json
        case .googleChat: document.googleChatText()
        case .ntfy: document.ntfyMarkdown()
        }
    }

    /// Whether the target takes the message in one piece. Limits are those of the message's text, with room for what the sink puts around it.
    public func fits(_ document: MarkupDocument) -> Bool {
        switch self {
        case .mail, .plain, .ansi: return true
        case .slack: return document.fitsSlack
        // Discord counts characters; UTF-16 units are never fewer.
        case .discord: return MarkupUnit.utf16.length(of: document.discordMarkdown()) <= 2000
        // The server splits longer posts by itself (Mattermost developer documentation, incoming webhooks).
        case .mattermost: return MarkupUnit.scalars.length(of: document.mattermostMarkdown()) <= 16_383
        // The default of its setting Message_MaxAllowedSize.
        case .rocketChat: return MarkupUnit.utf16.length(of: document.rocketChatMarkdown()) <= 5000
        // An event has 65,536 bytes of canonical JSON with both forms and the envelope in it (Matrix specification, "Size limits").
        case .matrix:
            return [document.matrixHTML(), document.matrixBody()].allSatisfy {
                MarkupUnit.bytes.length(of: Value.string($0).json) <= 29_000
            }
        // 4,096 units after parsing; TDLib refuses raw texts above 32,768 bytes before parsing.
        case .telegram:
            let html = document.telegramHTML()
            return html.utf8.count <= 32_768 && MarkupDocument.telegramLength(html) <= 4096
        // 28 KB, but 413 was seen near 14,000 bytes.
        case .teams: return MarkupUnit.bytes.length(of: document.adaptiveCard().json) <= 12_000
        // 32,000 bytes are allowed; long texts are folded away, so parts stay short enough to read.
        case .googleChat: return MarkupUnit.utf16.length(of: document.googleChatText()) <= 4000
        case .ntfy:
            return [document.ntfyMarkdown(), document.ntfyText()].allSatisfy { MarkupUnit.bytes.length(of: $0) <= 4096 }
        }
    }

    /// A bound on the bytes of a message's leaves beyond which `fits` is never true; a unit of UTF-16 stands for at most three bytes.
    var mostBytes: Int {
        switch self {
        case .mail, .plain, .ansi: .max
        case .discord: 2000 * 3
        case .slack: 12_000 * 3
        case .mattermost: 16_383 * 4
        case .rocketChat: 5000 * 3
        case .matrix: 29_000
        case .telegram: 4096 * 3
        case .teams: 12_000
        case .googleChat: 4000 * 3
        case .ntfy: 4096
        }
    }
}
