import BotCore
import CCurl

/// One request on its way, and what has come of its answer.
///
/// Safe to send: `send` makes it and hands it to the loop's thread under the inbox's lock; after that only the loop's thread touches
/// it, libcurl's callbacks included.
final class Transfer: @unchecked Sendable {
    typealias Outcome = Result<HTTPResponse, PluginError>

    let id: UInt64
    let request: HTTPRequest
    let address: WebAddress
    /// Nil: ask directly.
    let proxy: String?
    let fields = TextList()
    private let continuation: CheckedContinuation<Outcome, Never>

    var head = AnswerHead()
    var body: [UInt8] = []
    /// How often libcurl was about to write the request on a connection that stands.
    private(set) var attempts = 0
    /// Why it was broken off by us.
    var objection: PluginError?
    /// Why an address that the host's name led to was not connected to. Others of the same name may still be.
    var refusedPeer: String?
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(
        id: UInt64,
        request: HTTPRequest,
        address: WebAddress,
        fields lines: [String],
        proxy: String?,
        continuation: CheckedContinuation<Outcome, Never>
    ) {
        self.id = id
        self.request = request
        self.address = address
        self.proxy = proxy
        self.continuation = continuation
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        lines.forEach(fields.append)
    }

    deinit { errorText.deallocate() }

    func end(_ outcome: Outcome) { continuation.resume(returning: outcome) }

    /// What a request may be repeated for without doing its work twice (RFC 9110 §9.2.2).
    private static let idempotent: Set<String> = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]

    /// False: the request must not be written (again). libcurl repeats a request whose kept connection ends without an answer; what
    /// became of the first is unknown then, so others than idempotent ones are left to the caller's judgement.
    func mayBeWritten() -> Bool {
        attempts += 1
        guard attempts > 1, !Self.idempotent.contains(request.method) else { return true }
        attempts -= 1
        objection = .uncertain(
            "\(address.shown) closed the connection without an answer; whether it took the request is not known."
        )
        return false
    }

    /// False: the transfer has to end.
    func receive(head line: UnsafeRawBufferPointer) -> Bool {
        switch head.read(line) {
        case .fine: return true
        case .tooLong:
            objection = headTooLong
        case .unknownEncoding:
            objection = .permanent("\(address.shown) answered in a content encoding that was not asked for.")
        }
        return false
    }

    /// False: the body is over its limit. What arrives here is decoded already, so a small answer that unpacks to gigabytes ends too.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= request.bodyLimit - body.count else {
            objection = tooLong
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    var headTooLong: PluginError {
        .permanent(
            "\(address.shown) answered with more than \(AnswerHead.limit >> 10) KiB of headers: it was not read on."
        )
    }

    var tooLong: PluginError {
        .permanent("\(address.shown) answered with more than \(request.bodyLimit) bytes: it was not read on.")
    }
}

/// The status line and header fields of an answer, read line by line.
struct AnswerHead {
    enum Verdict { case fine, tooLong, unknownEncoding }

    /// 64 KiB over all fields: eight times what common servers send at most; libcurl's own limit is 100 KiB for each line.
    static let limit = 64 << 10
    /// What is asked for (`CURLOPT_ACCEPT_ENCODING`). Others unpack with windows of up to 128 MiB.
    static let encodings = "gzip, deflate"
    private static let known: Set<Substring> = ["gzip", "x-gzip", "deflate", "identity", ""]

    private(set) var fields: [(name: String, value: String)] = []
    private var bytesRead = 0
    /// The blank line at its end has come.
    private(set) var isComplete = false

    mutating func read(_ line: UnsafeRawBufferPointer) -> Verdict {
        bytesRead += line.count
        guard bytesRead <= Self.limit else { return .tooLong }
        if line.starts(with: "HTTP/".utf8) {
            // A new head: the one before was informational (1xx).
            fields.removeAll()
            isComplete = false
            return .fine
        }
        // What comes after the body (trailers) is not part of the head.
        guard !isComplete else { return .fine }
        let text = Self.trimmed(line[...])
        guard !text.isEmpty else {
            isComplete = true
            return .fine
        }
        if line[0] == 0x20 || line[0] == 0x09 {
            if let last = fields.indices.last { fields[last].value += " " + String(decoding: text, as: UTF8.self) }
            return .fine
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return .fine }
        let name = String(decoding: text[..<colon], as: UTF8.self)
        let value = String(decoding: Self.trimmed(text[(colon + 1)...]), as: UTF8.self)
        fields.append((name, value))
        return name.lowercased() == "content-encoding" && !Self.isKnown(value) ? .unknownEncoding : .fine
    }

    private static func isKnown(_ encodings: String) -> Bool {
        encodings.lowercased().split(separator: ",").allSatisfy { encoding in
            known.contains(encoding.filter { $0 != " " && $0 != "\t" }[...])
        }
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
