import BotCore
import BotPlugins
import BotTransport
import Testing
import Values

/// How long the parts of the house wait for each other.
@Suite struct PatienceTests {
    @Test func `a mail is waited for longer than its server may take, so that none is broken off and sent twice`()
        throws
    {
        let mail = try #require(BuiltInPlugins.catalogue.sinks.first { $0.kind == "email" })
        #expect(mail.patience > SMTPSettings().totalTimeout)
        // RFC 5321 section 4.5.3.2.6: ten minutes for the answer to the whole message.
        #expect(SMTPSettings().replyTimeout >= .minutes(10))
    }

    @Test func `a request that a sink sends has ended before the sink is given up`() {
        for sink in BuiltInPlugins.catalogue.sinks {
            #expect(sink.patience > HTTPRequest("POST", "https://example.org").timeout * 3)
        }
    }
}
