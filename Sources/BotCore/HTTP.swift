public import Values

/// One request, to be sent once.
public struct HTTPRequest: Sendable, Hashable {
    public var method: String
    /// `http` or `https`, percent-encoded. May hold secrets (a webhook's address): the transport masks it in every error.
    public var url: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]?
    /// The longest it may take in all.
    public var timeout: TimeSpan
    /// The most bytes of decoded body that are read; a longer answer is an error.
    public var bodyLimit: Int

    /// 16 MiB: the largest timetable seen has 0.4 MB; what is above is a mistake or an attack.
    public static let usualBodyLimit = 16 << 20

    public init(
        _ method: String,
        _ url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        timeout: TimeSpan = .seconds(30),
        bodyLimit: Int = usualBodyLimit
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.bodyLimit = bodyLimit
    }

    public static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
        left.method == right.method && left.url == right.url && left.body == right.body && left.timeout == right.timeout
            && left.bodyLimit == right.bodyLimit && left.headers.elementsEqual(right.headers, by: ==)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(url)
        hasher.combine(body)
    }
}

/// What a server answered, of whatever status.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// In the order received; names as written. Several fields of one name (`Set-Cookie`) stay several.
    public var headers: [(name: String, value: String)]
    /// Decoded (gzip is undone).
    public var body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header field of a name, whatever its case.
    public func header(_ name: String) -> String? {
        headers.first { Self.isSame($0.name, name) }?.value
    }

    /// The values of all header fields of a name, whatever its case, in their order.
    public func headers(named name: String) -> [String] {
        headers.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Names of header fields are ASCII, and their case says nothing (RFC 9110 section 5.1).
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count
            && zip(one.utf8, other.utf8).allSatisfy { $0 == $1 || $0 ^ $1 == 0x20 && (0x61...0x7A).contains($0 | 0x20) }
    }

    /// Whether it is a page for people where data was asked for: by its first character, before which blanks were seen, else by its type.
    public var isWebPage: Bool {
        switch body.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "<"): true
        case UInt8(ascii: "{"), UInt8(ascii: "["): false
        default: header("Content-Type")?.lowercased().hasPrefix("text/html") == true
        }
    }
}

/// Sends requests. Answers of any status are answers; redirects are not followed, they are answers too.
public protocol HTTPClient: Sendable {
    /// - Throws: `.transient` if it surely was not taken (no connection, certificate refused, not wholly written), `.uncertain` if all was
    ///   written and no whole answer came, `.permanent` if the address or the answer cannot be used (bad URL, body over the limit).
    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse
}
