import Foundation
import Markup
import Testing
import Values

/// The rendering of every message for every target is kept in `Golden`, a folder a message. `UPDATE_GOLDEN=1 swift test --filter GoldenTests` writes the
/// files anew; the difference is then read before it is committed.
@Suite struct GoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

    @Test(arguments: SchoolMessage.all, MarkupTarget.allCases)
    func `a school message looks as it did`(message: SchoolMessage, target: MarkupTarget) throws {
        let parts = message.document.parts(for: target)
        let text =
            try parts.map { try Self.written($0.document, message, target) }.joined(separator: "\n=== next part ===\n")
            + "\n"
        let file = Self.folder.appending(path: message.name).appending(
            path: target.rawValue + "." + Self.suffix(target)
        )
        if Self.updates {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        let golden = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(text.utf8.elementsEqual(golden.utf8), "\(file.path()) differs")
    }

    private static func written(_ document: MarkupDocument, _ message: SchoolMessage, _ target: MarkupTarget) throws
        -> String
    {
        switch target {
        case .mail: document.mailHTML(title: message.title, language: message.language)
        case .matrix: document.matrixHTML() + "\n=== body ===\n" + document.matrixBody()
        case .slack: try Value(json: target.render(document)).prettyJSON + "\n=== text ===\n" + document.slackMrkdwn()
        case .teams: try Value(json: target.render(document)).prettyJSON
        default: target.render(document)
        }
    }

    private static func suffix(_ target: MarkupTarget) -> String {
        switch target {
        case .mail, .matrix, .telegram: "html"
        case .slack, .teams: "json"
        case .plain, .ansi, .googleChat: "txt"
        case .discord, .mattermost, .rocketChat, .ntfy: "md"
        }
    }
}
