import BotCore
import Synchronization

/// Answers every request with what the test lined up, and remembers the requests.
final class RecordingHTTP: HTTPClient {
    private let state: Mutex<(answers: [Result<HTTPResponse, PluginError>], requests: [HTTPRequest])>

    init(_ answers: [Result<HTTPResponse, PluginError>]) { state = Mutex((answers, [])) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func send(_ request: HTTPRequest) async throws(PluginError) -> HTTPResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? .failure(.transient("no answer lined up")) : state.answers.removeFirst()
        }
        return try answer.get()
    }
}

/// Takes every mail and remembers it.
final class RecordingMail: MailTransport {
    private let state = Mutex<[(mail: OutgoingMail, server: MailServer)]>([])

    var sent: [(mail: OutgoingMail, server: MailServer)] { state.withLock { $0 } }

    func send(_ mail: OutgoingMail, through server: MailServer) async throws(PluginError) -> Receipt {
        state.withLock { $0.append((mail, server)) }
        return Receipt(remoteID: "4ABC")
    }
}
