import BotConfig
public import BotCore
import Values

/// The vendor's directory of schools.
public enum SchoolSearch {
    /// A school as the directory lists it.
    public struct Found: Sendable, Hashable {
        /// What the bot file's `server:` wants.
        public var server: String
        /// What the bot file's `school:` wants.
        public var school: String
        public var name: String
        public var address: String
    }

    /// -6003: more schools fit than the directory answers with.
    private static let tooMany: Int64 = -6003

    /// The schools whose name or address has these words; empty if there are none.
    public static func find(_ words: String, through http: any HTTPClient) async throws(PluginError) -> [Found] {
        let body: Value = [
            "id": .string(WebUntisRoutes.clientName), "method": "searchSchool", "params": [["search": .string(words)]],
            "jsonrpc": "2.0",
        ]
        let request = HTTPRequest(
            "POST",
            WebUntisRoutes.schoolSearch,
            headers: [("Content-Type", "application/json"), ("Accept", "application/json")],
            body: body.jsonBytes
        )
        let response = try await http.send(request)
        guard !response.isWebPage, let document = try? Value(json: response.body), document.map != nil else {
            throw .transient("the directory of schools does not answer (HTTP \(response.status)).")
        }
        if let complaint = ServerComplaint(in: document) {
            if complaint.code == tooMany {
                throw .permanent("too many schools fit '\(words)'; write more of the name.")
            }
            throw .permanent(
                "the directory of schools refuses the question\(complaint.aside).",
                evidence: complaint.evidence
            )
        }
        return (document["result"]["schools"].list ?? []).map { entry in
            Found(
                server: entry["server"].label,
                school: entry["loginName"].label,
                name: entry["displayName"].label,
                address: entry["address"].label
            )
        }
    }
}
