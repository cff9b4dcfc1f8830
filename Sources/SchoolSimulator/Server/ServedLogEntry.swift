public import Values

/// One request that the school answered. Tokens and keys in its query are masked.
public struct ServedLogEntry: Sendable, Hashable {
    /// `GET`.
    public let method: String
    /// Decoded, without the query.
    public let path: String
    /// `name=value` joined by `&`, decoded.
    public let query: String
    /// The method of a JSON-RPC call, else empty.
    public let rpc: String
    /// Of the answer.
    public let status: Int

    init(_ request: ServedRequest, status: Int) {
        method = request.method
        path = request.path
        query = request.query.map { name, value in
            "\(name)=\(Self.secretNames.contains(name.lowercased()) ? "•••" : value)"
        }.joined(separator: "&")
        rpc = request.path.contains("jsonrpc") ? request.json?["method"].string ?? "" : ""
        self.status = status
    }

    private static let secretNames: Set<String> = ["token", "apikey"]

    /// As JSON, one key for every property.
    public var value: Value {
        [
            "method": .string(method), "path": .string(path), "query": .string(query), "rpc": .string(rpc),
            "status": .number(status),
        ]
    }
}
