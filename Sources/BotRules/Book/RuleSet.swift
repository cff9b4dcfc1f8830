/// Rule files as they were read: the rules that run, and what is wrong with the others.
public struct RuleSet: Sendable {
    /// The rules without errors, the shorthand `admin:` of the bot file among them.
    public var book: RuleBook
    /// What is wrong, one entry for each file with complaints, in the order of the files.
    public var complaints: [FileComplaints]
    /// How many rules the files hold, whether they run or not; `admin` is not counted.
    public var ruleCount: Int
    /// Ids of rules that do not run as they are written, in the order of the files. Those that an earlier book had still run as they were.
    public var inactive: [String]
    /// Those of them of which a version without errors runs all the same, as an earlier book had it.
    public var kept: Set<String>
    /// Paths of files of which nothing could be read: which rules they hold is not known.
    public var unreadableFiles: [String]
    /// The file that each rule id belongs to, for the next time the files are read.
    public var homes: [String: String]

    public init(
        book: RuleBook,
        complaints: [FileComplaints] = [],
        ruleCount: Int = 0,
        inactive: [String] = [],
        kept: Set<String> = [],
        unreadableFiles: [String] = [],
        homes: [String: String] = [:]
    ) {
        self.book = book
        self.complaints = complaints
        self.ruleCount = ruleCount
        self.inactive = inactive
        self.kept = kept
        self.unreadableFiles = unreadableFiles
        self.homes = homes
    }

    public var hasErrors: Bool { complaints.contains { $0.hasErrors } }
}

/// One rule in words, for `check` and `status`.
public struct RuleSummary: Sendable, Hashable {
    public var id: String
    /// The rule's `description:`, else empty.
    public var description: String
    /// The file it is in; empty for `admin`.
    public var file: String
    /// `on lesson.cancelled, lesson.moved`, `at 10:30, Monday to Friday, on school days`.
    public var trigger: String
    /// The kinds of events it fires on; empty for one that fires at times.
    public var kinds: [String]
    /// `class-hook`, `family`.
    public var sends: [String]
    /// False after `enabled: false`.
    public var isEnabled: Bool
    /// Whether it only records what it would send.
    public var isDryRun: Bool

    public init(
        id: String,
        description: String,
        file: String,
        trigger: String,
        kinds: [String] = [],
        sends: [String],
        isEnabled: Bool,
        isDryRun: Bool
    ) {
        self.id = id
        self.description = description
        self.file = file
        self.trigger = trigger
        self.kinds = kinds
        self.sends = sends
        self.isEnabled = isEnabled
        self.isDryRun = isDryRun
    }
}
