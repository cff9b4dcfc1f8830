import Values

/// Everything that the simulator remembers between two requests.
struct SimulatorState: Sendable {
    var school: School
    /// What is added to the clock that was handed in.
    var clockOffset = TimeSpan.zero
    var faults: [Fault] = []
    /// Faults were switched off since the server last looked.
    var faultsEnded = false
    var log: [ServedLogEntry] = []
    var webUntis = WebUntisSessions()
    var pokyh = PokyhSessions()

    /// So many entries of the log are kept; older ones are forgotten in bulk, as taking out the first moves all others.
    private static let longestLog = 10_000

    init(school: School) { self.school = school }

    /// Answers a request.
    ///
    /// - Parameter clock: the instant by the clock that was handed in; the school's present may differ from it.
    mutating func answer(_ request: ServedRequest, clock: Timestamp) -> ServedAnswer {
        let now = clock + clockOffset
        if request.path.hasPrefix(Self.controlPrefix) { return answerControl(request, clock: clock) }
        var answer = answerSchool(request, at: now).packed(for: request)
        answer.headers.append(("Date", Self.httpDate(now)))
        log.append(ServedLogEntry(request, status: answer.status))
        if log.count >= 2 * Self.longestLog { log.removeFirst(Self.longestLog) }
        return answer
    }

    private mutating func answerSchool(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        let active = takeFaults(for: request)
        for fault in active {
            if let answer = Self.replacement(for: fault.kind) { return answer }
        }
        let answer = route(request, at: now)
        return active.reduce(answer) { Self.spoiled($0, by: $1.kind) }
    }

    private mutating func route(_ request: ServedRequest, at now: Timestamp) -> ServedAnswer {
        if request.path.hasPrefix("/WebUntis/") { return answerWebUntis(request, at: now) }
        if request.path == "/schoolquery2" || request.path == "/ms/schoolquery2" { return answerSchoolSearch(request) }
        return answerPokyh(request, at: now)
    }

    /// `Mon, 30 Nov 2026 07:00:00 GMT` (RFC 9110 section 5.6.7).
    private static func httpDate(_ instant: Timestamp) -> String {
        let (date, time) = Zone.utc.reading(at: instant)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let digits = date.description.suffix(2)
        let clock = time.description.count == 5 ? "\(time):00" : time.description
        return "\(date.weekdayName.prefix(3)), \(digits) \(months[date.month - 1]) \(date.year) \(clock) GMT"
    }
}

// MARK: Faults

extension SimulatorState {
    /// The faults that meet a request, in the order in which they were switched on; counted ones are used up.
    private mutating func takeFaults(for request: ServedRequest) -> [Fault] {
        var met: [Fault] = []
        for place in faults.indices {
            guard request.path.hasPrefix(faults[place].path ?? "") else { continue }
            met.append(faults[place])
            if let times = faults[place].times { faults[place].times = times - 1 }
        }
        faults.removeAll { $0.times == 0 }
        return met
    }

    /// Whether a fault is on that the answering rooms heed by themselves.
    func isOn(_ kind: Fault.Kind) -> Bool { faults.contains { $0.kind == kind } }

    /// What is answered instead of everything else.
    private static func replacement(for kind: Fault.Kind) -> ServedAnswer? {
        switch kind {
        case .http(let status, let retryAfter):
            var answer = ServedAnswer.text("fault \(status)", status: status)
            if let retryAfter { answer.headers.append(("Retry-After", String(retryAfter))) }
            return answer
        case .html: return .loginPage
        case .hang:
            var answer = ServedAnswer()
            answer.delivery = .never
            return answer
        case .bomb:
            let type = [(name: "Content-Type", value: "application/json"), (name: "Content-Encoding", value: "gzip")]
            return ServedAnswer(headers: type, body: Gzip.bomb(unpackedBytes: 1 << 28))
        default: return nil
        }
    }

    private static func spoiled(_ answer: ServedAnswer, by kind: Fault.Kind) -> ServedAnswer {
        var answer = answer
        switch kind {
        case .empty:
            if let value = try? Value(json: answer.body) { answer.body = value.withEmptyLists.jsonBytes }
        case .half: answer.body = Array(answer.body.prefix(answer.body.count / 2))
        case .cut: answer.delivery = .cut(after: answer.body.count / 2)
        case .slow(let milliseconds): answer.delivery = .slow(pause: .milliseconds(Int64(milliseconds)))
        case .delay(let milliseconds): answer.delay = .milliseconds(Int64(milliseconds))
        default: break
        }
        return answer
    }
}

extension ServedAnswer {
    /// What WebUntis shows where a session is gone: status 200, and not at the first byte (protocols, POKYH 2).
    static var loginPage: ServedAnswer {
        .text(
            "\n<!DOCTYPE html>\n<html><head><title>WebUntis</title></head><body>login</body></html>",
            type: "text/html;charset=UTF-8"
        )
    }
}
