public import BotCore
import Foundation
public import Values

/// The recorded answers in `Tests/Fixtures/pokyh`.
public enum Fixtures {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tests/Fixtures/pokyh")

    /// The bytes of one, by its name without `.json`.
    public static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name + ".json")))
    }

    /// One as a value.
    public static func json(_ name: String) throws -> Value { try Value(json: bytes(name)) }

    /// A recorded answer: the body, or an envelope `{status, headers, bodyText}`.
    public static func response(_ name: String) throws -> HTTPResponse {
        let json = try json(name)
        guard let text = json["bodyText"].string else {
            return HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: try bytes(name))
        }
        let headers = (json["headers"].map ?? [:]).map { (name: $0.key.plainText, value: $0.value.plainText) }
        return HTTPResponse(status: Int(json["status"].integer ?? 200), headers: headers, body: Array(text.utf8))
    }

    /// Monday, 30 November 2026, 06:00 in Rome.
    public static let monday = Timestamp(seconds: 1_796_014_800)
    /// The zone of the recorded schools.
    public static let rome = Zone("Europe/Rome") ?? .utc
}

extension HTTPResponse {
    /// An answer in JSON.
    public static func json(_ value: Value, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")], body: value.jsonBytes)
    }

    /// A page for people.
    public static func page(_ text: String = "<!DOCTYPE html><title>Wartung</title>", status: Int = 200) -> HTTPResponse
    {
        HTTPResponse(status: status, headers: [("Content-Type", "text/html;charset=UTF-8")], body: Array(text.utf8))
    }
}
