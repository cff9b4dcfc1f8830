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
}
