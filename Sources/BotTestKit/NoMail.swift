public import BotCore

/// The mail transport of tests in which nothing may be mailed.
public struct NoMail: MailTransport {
    public init() {}

    public func send(_ mail: OutgoingMail, through server: MailServer) async throws(PluginError) -> Receipt {
        throw .permanent("no mail is sent here")
    }
}
