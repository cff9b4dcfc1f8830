/// A mail server that takes mail from us.
public struct MailServer: Sendable, Hashable {
    /// How the connection is kept from being read.
    public enum Security: String, Sendable, Hashable {
        /// TLS from the first byte (`smtps://`, port 465).
        case tls
        /// STARTTLS demanded; a server that does not offer it is refused (`smtp://`, port 587).
        case startTLS
        /// No TLS; only for loopback addresses.
        case none
    }

    public var host: String
    public var port: Int
    public var security: Security
    /// The name given in EHLO: constant, and fully qualified, as large receivers demand.
    public var helloName: String
    public var user: String?
    public var password: Secret?

    public init(
        host: String,
        port: Int,
        security: Security,
        helloName: String,
        user: String? = nil,
        password: Secret? = nil
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.helloName = helloName
        self.user = user
        self.password = password
    }
}

/// A finished mail for one recipient.
public struct OutgoingMail: Sendable, Hashable {
    /// The envelope's addresses, without display names and angle brackets.
    public var sender: String
    public var recipient: String
    /// The whole message as RFC 5322 wants it: CRLF everywhere, lines of at most 998 bytes, 7 bit.
    public var message: [UInt8]

    public init(sender: String, recipient: String, message: [UInt8]) {
        self.sender = sender
        self.recipient = recipient
        self.message = message
    }
}

/// Hands mail to a server.
public protocol MailTransport: Sendable {
    /// - Returns: a receipt with the server's queue id, if its answer named one.
    /// - Throws: `.transient` for 4xx answers and where no connection came about, `.permanent` for 5xx answers,
    ///   `.unauthorized` for a refused login, `.uncertain` if the connection ended between the message's last byte and the answer.
    func send(_ mail: OutgoingMail, through server: MailServer) async throws(PluginError) -> Receipt
}
