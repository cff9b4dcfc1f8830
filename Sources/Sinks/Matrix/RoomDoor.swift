import BotCore
import Values

/// The way into the sink's room: its id behind an alias, whether it is encrypted, and joining it.
actor RoomDoor {
    private let room: String
    private let client: MatrixClient
    private var id: String?
    private var checkedAt: Timestamp?

    /// Encryption can be switched on at any time and never off; how long the last look at it is believed.
    private static let trust = TimeSpan.hours(1)

    init(room: String, client: MatrixClient) {
        self.room = room
        self.client = client
    }

    /// The room's id, after making sure that what is sent there can be read.
    /// - Returns: also whether the bot has just joined it.
    func open(at now: Timestamp) async throws(PluginError) -> (id: String, hasJoined: Bool) {
        if let id, let checkedAt, checkedAt <= now, now - checkedAt < Self.trust { return (id, false) }
        let id = try await resolved(at: now)
        var response = try await encryption(of: id, at: now)
        var hasJoined = false
        if response.status == 403 {
            try await join(at: now)
            hasJoined = true
            response = try await encryption(of: id, at: now)
        }
        // Without encryption there is no such state (404); the room's other secrets are none of the bot's business.
        if response.status == 404, MatrixVerdict.code(of: response) == "M_NOT_FOUND" {
            checkedAt = now
            return (id, hasJoined)
        }
        if let error = MatrixVerdict.error(for: response, from: client.place, at: now) { throw refused(error) }
        throw .permanent(
            "\(client.place): the room is encrypted, and the bot cannot encrypt; make a room without encryption and set 'room'"
        )
    }

    /// The same, whatever was found before.
    func openAnew(at now: Timestamp) async throws(PluginError) -> (id: String, hasJoined: Bool) {
        checkedAt = nil
        return try await open(at: now)
    }

    /// Accepts an invitation, or enters a public room (Client-Server API, `POST /join/{roomIdOrAlias}`).
    func join(at now: Timestamp) async throws(PluginError) {
        let response = try await client.ask("POST", "/join/\(room.pathPiece)", body: [:], at: now)
        if response.status == 404 || response.status == 403 && MatrixVerdict.code(of: response) == "M_FORBIDDEN" {
            throw refused(
                .permanent(
                    "\(client.place): the bot is not in the room and cannot join it; invite the bot's user, or check 'room'"
                )
            )
        }
        if let error = MatrixVerdict.error(for: response, from: client.place, at: now) { throw error }
    }

    /// Notes that the room would not have the bot: its alias may lead elsewhere by now.
    func refused(_ error: PluginError) -> PluginError {
        checkedAt = nil
        return error
    }

    private func encryption(of id: String, at now: Timestamp) async throws(PluginError) -> HTTPResponse {
        try await client.ask("GET", "/rooms/\(id.pathPiece)/state/m.room.encryption", at: now)
    }

    private func resolved(at now: Timestamp) async throws(PluginError) -> String {
        if room.hasPrefix("!") {
            id = room
            return room
        }
        let response = try await client.ask("GET", "/directory/room/\(room.pathPiece)", at: now)
        if response.status == 404, MatrixVerdict.code(of: response) == "M_NOT_FOUND" {
            throw .permanent("\(client.place): the homeserver knows no room of this alias; check 'room'")
        }
        if let error = MatrixVerdict.error(for: response, from: client.place, at: now) { throw error }
        guard let found = (try? Value(json: response.body))?["room_id"].string, found.hasPrefix("!") else {
            throw .permanent(
                "\(client.place): the answer about the room is not that of a homeserver; check 'homeserver'"
            )
        }
        id = found
        return found
    }
}
