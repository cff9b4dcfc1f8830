import BotCore
import BotRules
import BotState
import Values

/// `pokyh-bot state check`.
enum StateCheck {
    static func run(_ configuration: Configuration, _ world: World) async -> ExitCode {
        let facts = await StateFacts.gather(inFolder: configuration.stateFolder)
        let verdict = StateVerdict(facts, configuration, at: world.clock.now)
        for finding in verdict.findings {
            world.terminal.print("\(finding.grade.word) \(finding.text)")
            for cure in finding.cures { world.terminal.print("       \(cure)") }
        }
        return verdict.code
    }
}

/// What the facts about a state folder mean, and how to mend what is wrong; pure.
struct StateVerdict {
    struct Finding {
        enum Grade: Int, Comparable {
            case fine, wrong, broken

            static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }

            var word: String {
                switch self {
                case .fine: "ok    "
                case .wrong: "WRONG "
                case .broken: "BROKEN"
                }
            }
        }

        var grade: Grade
        var text: String
        var cures: [String]
    }

    private(set) var findings: [Finding] = []
    private let folder: String
    private let now: Timestamp
    private let zone: Zone

    /// Below this a bot is soon out of room: a month of events of a large school takes less.
    private static let leastFree: Int64 = 64 << 20
    /// Clocks of machines that are set over the network differ by less.
    private static let clockTolerance = TimeSpan.minutes(2)

    init(_ facts: StateFacts, _ configuration: Configuration, at now: Timestamp) {
        folder = configuration.stateFolder
        zone = configuration.installation.zone
        self.now = now
        guard facts.folder != nil, facts.database != .missing else {
            add(.broken, "there is no state in \(folder) yet", "start the bot once: pokyh-bot once")
            return
        }
        judgeRights(facts)
        judgeRoom(facts)
        judgeHolder(facts)
        judgeDatabase(facts)
        if facts.database == .sound { judge(facts.contents, facts.holder, configuration) }
        for file in facts.files where file.name.hasPrefix("state.sqlite.damaged-") {
            // Its log and index go with it.
            if file.name.hasSuffix("-shm") || file.name.hasSuffix("-wal") { continue }
            add(
                .wrong,
                "\(file.name) was set aside as damaged (\(Self.size(file.size)))",
                "'pokyh-bot state recover \(file.name)' takes over the messages it still has; then delete it"
            )
        }
    }

    var code: ExitCode {
        switch findings.map(\.grade).max() {
        case .broken?: .state
        case .wrong?: .somethingFailed
        case .fine?, nil: .fine
        }
    }

    private mutating func add(_ grade: Finding.Grade, _ text: String, _ cures: String...) {
        findings.append(
            Finding(grade: grade, text: TerminalText.line(text), cures: cures.map { TerminalText.line($0) })
        )
    }

    // MARK: The folder

    private mutating func judgeRights(_ facts: StateFacts) {
        let before = findings.count
        if let entry = facts.folder {
            if entry.mode & 0o077 != 0 { add(.wrong, "others may enter \(folder)", "chmod 700 \(folder)") }
            if !entry.isOwn {
                add(.wrong, "\(folder) belongs to another user", "run this as the bot's user, or change its owner")
            }
        }
        for file in facts.files {
            let path = "\(folder)/\(file.name)"
            if file.mode & 0o077 != 0 { add(.wrong, "others may read \(path)", "chmod 600 \(path)") }
            if !file.isOwn, facts.folder?.isOwn ?? true {
                add(
                    .wrong,
                    "\(path) belongs to another user than who asks",
                    "the bot may have run as two users; change its owner"
                )
            }
        }
        if findings.count == before { add(.fine, "\(folder) and its files are for this user alone") }
    }

    private mutating func judgeRoom(_ facts: StateFacts) {
        guard let free = facts.freeBytes else { return }
        let size = facts.files.filter { $0.name == "state.sqlite" }.map(\.size).first ?? 0
        if free < Self.leastFree || free < size {
            add(
                .wrong,
                "only \(Self.size(free)) are free on the disk with the state",
                "make room; 'pokyh-bot state purge --dry-run' says what of the state could go"
            )
        } else {
            add(.fine, "\(Self.size(free)) are free on the disk, the state takes \(Self.size(size))")
        }
    }

    private mutating func judgeHolder(_ facts: StateFacts) {
        switch facts.holder {
        case .nobody?: add(.fine, "no bot is running on it")
        case .engine(let pid?)?: add(.fine, "a bot is running on it: process \(pid)")
        case .engine(nil)?: add(.fine, "a bot is running on it")
        case nil: add(.wrong, "the lock cannot be looked at", "run this as the bot's user")
        }
    }

    private mutating func judgeDatabase(_ facts: StateFacts) {
        switch facts.database {
        case .missing: break
        case .unusable(let error): add(.broken, "\(error)", "run this as the bot's user, on the machine with the state")
        case .foreign:
            add(
                .broken,
                "state.sqlite is another program's database",
                "name another folder under 'state:', or move that file away"
            )
        case .older(let format):
            add(
                .broken,
                "the state has the older format \(format); this program knows \(facts.knownFormat)",
                "start the bot once, which brings it up to date"
            )
        case .newer(let format):
            add(
                .broken,
                "the state was written by a later version (format \(format); this one knows \(facts.knownFormat))",
                "install that version again"
            )
        case .damaged(let lines):
            add(
                .broken,
                "the database is damaged: \(lines.joined(separator: "; "))",
                "the next start sets it aside and begins a new one; what changed since the last poll may then be missed, and messages that",
                "wait in it are not sent; 'pokyh-bot state recover' takes over what can still be read of them"
            )
        case .sound:
            let contents = facts.contents
            add(
                .fine,
                "the database is sound, format \(facts.knownFormat): \(contents.records.counted("record")), "
                    + "\(contents.events.counted("event")), \(contents.messages.counted("message"))"
            )
        }
    }

    private static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<(1 << 10): "\(bytes) bytes"
        case ..<(1 << 20): "\(bytes >> 10) KiB"
        case ..<(1 << 30): "\(bytes >> 20) MiB"
        default: "\(bytes >> 30) GiB"
        }
    }

    // MARK: What is in it

    private mutating func judge(
        _ contents: StateFacts.Contents,
        _ holder: FolderHolder?,
        _ configuration: Configuration
    ) {
        let installation = configuration.installation
        judgeNames(contents, installation)
        for (table, count) in contents.unreadable.sorted(by: { $0.key < $1.key }) {
            add(
                .broken,
                "\(count.counted("stored value")) of the table '\(table)' cannot be read",
                "stop the bot and move state.sqlite away: the next start begins a new state"
            )
        }
        if contents.claimed > 0, holder == .nobody {
            add(
                .fine,
                "\(contents.claimed.counted("message was", "messages were")) being sent when the bot ended; the next start sends again "
                    + "what may not have arrived"
            )
        }
        judgeClock(contents.latest)
    }

    /// What is kept under names that no file has any more.
    private mutating func judgeNames(_ contents: StateFacts.Contents, _ installation: Installation) {
        let strangers = contents.sources.filter { installation.source($0.key) == nil }
        for (source, count) in strangers.sorted(by: { $0.key < $1.key }) {
            add(
                .wrong,
                "the source '\(source)' is in no file and has \(count.counted("row"))",
                "put it back into the bot file, or: pokyh-bot state purge"
            )
        }
        if contents.strays > 0, strangers.isEmpty {
            add(
                .wrong,
                "what belongs to nothing: \(contents.strays.counted("row"))",
                "it is of no use: pokyh-bot state purge"
            )
        }
        let accounts = Set(installation.accounts.map(\.name) + installation.sources.map { "source \($0.name)" })
        for account in contents.rests where !accounts.contains(account) {
            add(.wrong, "'\(account)' rests and is in no file", "pokyh-bot state purge")
        }
        for (sink, count) in contents.undelivered.sorted(by: { $0.key < $1.key }) where installation.sink(sink) == nil {
            add(
                .wrong,
                "\(count.counted("message waits", "messages wait")) for the sink '\(sink)', which is in no file",
                "put it back into the bot file, or give them up: pokyh-bot outbox drop --sink \(sink)"
            )
        }
    }

    private mutating func judgeClock(_ latest: Timestamp?) {
        guard let latest, latest > now + Self.clockTolerance else {
            add(.fine, "the clock is not behind the last entry")
            return
        }
        let shown = [now, latest].map { instant -> String in
            let (date, time) = zone.reading(at: instant)
            return "\(date) \(time)"
        }
        add(
            .wrong,
            "the clock shows \(shown[0]), and the last entry is of \(shown[1])",
            "set the clock, best over the network (NTP); if it is right now and was ahead before, this passes by itself"
        )
    }
}
