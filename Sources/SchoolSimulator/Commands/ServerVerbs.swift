import Values

extension CommandCatalogue {
    /// What happens to the server and its clock.
    static let server: [Entry] = [
        Entry(
            "fault KIND [VALUE] [on PATH] [times N] [retry SECONDS]",
            "switches a fault on (\(faultKinds.map(\.usage).joined(separator: ", "))), 'fault off [KIND]' off",
            "fault http 503 on /WebUntis times 2",
            keywords: ["on", "times", "retry"]
        ) { (words) throws(CommandError) in try fault(&words) },
        Entry(
            "clock set DAY TIME | clock advance SPAN",
            "changes the school's present",
            "clock advance 15m"
        ) { (words) throws(CommandError) in
            let what = try words.next("'set' or 'advance'")
            switch what.lowercased() {
            case "set":
                let day = try words.day()
                return .setClock(day, minute: try words.minute(try words.next("the time")))
            case "advance": return .advanceClock(seconds: try words.seconds(try words.next("the span")))
            default: throw words.failure("'\(what)' is not understood here", "write 'set' or 'advance'")
            }
        },
        Entry("horizon DAYS", "limits how far ahead families see the timetable", "horizon 14") {
            (words) throws(CommandError) in
            .horizon(days: try words.count(try words.next("the number of days"), 0...400))
        },
        Entry("absence-times clock|minutes", "changes how absence times are encoded", "absence-times minutes") {
            (words) throws(CommandError) in
            .absenceTimesInMinutes(try choice(&words, yes: "minutes", no: "clock"))
        },
        Entry("limits on|off", "applies POKYH's limits on requests per minute, or not", "limits off") {
            (words) throws(CommandError) in .rateLimits(try choice(&words, yes: "on", no: "off"))
        },
    ]

    private static func choice(_ words: inout CommandWords, yes: String, no: String) throws(CommandError) -> Bool {
        let word = try words.next("'\(yes)' or '\(no)'").lowercased()
        guard word == yes || word == no else {
            throw words.failure("'\(word)' is not understood here", "write '\(yes)' or '\(no)'")
        }
        return word == yes
    }

    private static let faultKinds: [(name: String, usage: String)] = [
        ("http", "http STATUS"), ("html", "html"), ("empty", "empty"), ("half", "half"), ("hang", "hang"),
        ("slow", "slow MILLISECONDS"), ("delay", "delay MILLISECONDS"), ("bomb", "bomb"), ("cut", "cut"),
        ("locked", "locked USER"), ("denied", "denied METHOD|KIND"), ("between-years", "between-years"),
        ("expired", "expired sessions|tokens"),
    ]

    private static func fault(_ words: inout CommandWords) throws(CommandError) -> SimulatorCommand {
        let name = try words.next("the kind of fault").lowercased()
        if name == "off" { return .faultOff(try faultName(words.nextIfAny(), words)) }
        _ = try faultName(name, words)
        var fault = Fault(kind: try faultKind(name, &words), path: words.option("on"), times: nil)
        if let times = words.option("times") { fault.times = try words.count(times, 1...1_000_000) }
        return .fault(fault)
    }

    private static func faultName(_ name: String?, _ words: CommandWords) throws(CommandError) -> String? {
        guard let name = name?.lowercased() else { return nil }
        let names = faultKinds.map(\.name)
        guard names.contains(name) else {
            throw words.failure(
                "there is no fault '\(name)'",
                Spelling.question(about: name, among: names) ?? "faults: " + names.joined(separator: ", ")
            )
        }
        return name
    }

    private static func faultKind(_ name: String, _ words: inout CommandWords) throws(CommandError) -> Fault.Kind {
        switch name {
        case "http":
            let status = try words.count(try words.next("the status"), 200...599)
            guard let retry = words.option("retry") else { return .http(status: status, retryAfter: nil) }
            return .http(status: status, retryAfter: try words.count(retry, 0...86_400))
        case "html": return .html
        case "empty": return .empty
        case "half": return .half
        case "hang": return .hang
        case "slow": return .slow(try words.count(words.nextIfAny() ?? "200", 1...600_000))
        case "delay": return .delay(try words.count(try words.next("the number of milliseconds"), 1...600_000))
        case "bomb": return .bomb
        case "cut": return .cut
        case "locked": return .locked(try words.next("the user").lowercased())
        case "denied": return .denied(try words.next("the JSON-RPC method or the kind of data"))
        case "between-years": return .betweenYears
        default: return .expired(tokens: try choice(&words, yes: "tokens", no: "sessions"))
        }
    }
}
