import BotCore
@testable import BotTransport
import Synchronization

/// A small mail server on loopback, for the basics: what it hears is recorded, what it offers and says is the test's.
final class ScriptedMailServer: Sendable {
    struct Script: Sendable {
        /// The lines of the answer to EHLO after the first.
        var offers = ["8BITMIME", "SIZE 2000000"]
        /// Replies that differ from the usual one, by the command's first word; `.` is the message's end.
        var replies: [String: String] = [:]
        /// Ends the connection instead of answering to this.
        var cutsAt: String?
        /// Says nothing more from here on.
        var hangsAt: String?
    }

    let commands = Recorder<String>()
    let messages = Recorder<[UInt8]>()
    /// Connections that have ended.
    let ends = Recorder<Int>()
    private let server: ScriptedServer

    init(_ script: Script = Script()) throws {
        server = try ScriptedServer { [commands, messages, ends] connection, index in
            Self.serve(connection, script, commands, messages)
            ends.record(index)
        }
    }

    var port: Int { server.port }
    var connectionCount: Int { server.connectionCount }
    func stop() { server.stop() }

    func account(user: String? = nil, password: String? = nil) -> MailServer {
        MailServer(
            host: "127.0.0.1",
            port: port,
            security: .none,
            helloName: "bot.school.example",
            user: user,
            password: password.map { Secret($0) }
        )
    }

    private static func serve(
        _ connection: ScriptedConnection,
        _ script: Script,
        _ commands: Recorder<String>,
        _ messages: Recorder<[UInt8]>
    ) {
        /// False: the connection is over.
        func answer(_ word: String, _ usual: String) -> Bool {
            if script.hangsAt == word {
                connection.waitForEnd()
                return false
            }
            return script.cutsAt == word ? false : connection.send((script.replies[word] ?? usual) + "\r\n")
        }
        guard answer("greeting", "220 mail.example ESMTP") else { return }
        while let line = connection.line() {
            let word = String(line.prefix { $0 != " " && $0 != ":" }).uppercased()
            commands.record(line)
            let isOpen: Bool
            switch word {
            case "EHLO":
                let lines = ["mail.example"] + script.offers
                let reply = lines.enumerated().map { "250\($0.offset + 1 == lines.count ? " " : "-")\($0.element)" }
                isOpen = answer(word, reply.joined(separator: "\r\n"))
            case "AUTH":
                guard script.replies[word] != nil || connection.send("334 \r\n") && connection.line() != nil else {
                    return
                }
                isOpen = answer(word, "235 2.7.0 welcome")
            case "DATA":
                guard answer(word, "354 go on") else { return }
                if script.replies[word] != nil { continue }
                guard let message = message(connection) else { return }
                messages.record(message)
                isOpen = answer(".", "250 2.0.0 Ok: queued as Q1")
            case "QUIT":
                _ = answer(word, "221 bye")
                isOpen = false
            default: isOpen = answer(word, "250 ok")
            }
            if !isOpen { return }
        }
    }

    /// The lines up to the lone dot, dots undone, as they were before they were sent.
    private static func message(_ connection: ScriptedConnection) -> [UInt8]? {
        var message: [UInt8] = []
        while let line = connection.line() {
            if line == "." { return message }
            message += (line.hasPrefix(".") ? line.dropFirst() : line[...]).utf8 + [13, 10]
        }
        return nil
    }
}

func mail(_ body: String = "Subject: x\r\n\r\nhello\r\n", to recipient: String = "mum@home.example") -> OutgoingMail {
    OutgoingMail(sender: "bot@school.example", recipient: recipient, message: Array(body.utf8))
}

/// What a mail ends with, if it is not delivered.
func failure(of transport: SMTPTransport, _ mail: OutgoingMail, through server: MailServer) async -> PluginError? {
    do throws(PluginError) {
        _ = try await transport.send(mail, through: server)
        return nil
    } catch {
        return error
    }
}
