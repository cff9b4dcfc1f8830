import StrictYAML
import Values

/// Reads rule files.
public enum RuleFiles {
    /// Reads and checks all rule files of an installation, in one go.
    ///
    /// A rule with an error does not run; all others do. Where `previous` had the rule, it runs on as it was; where a whole file can no
    /// longer be read, all rules that it had run on.
    ///
    /// - Parameters:
    ///   - files: in the order in which people would list them.
    ///   - installation: what rules may speak of.
    ///   - previous: the book in use, when files are read again.
    public static func load(
        _ files: [SourceFile],
        in installation: Installation,
        previous: RuleBook? = nil
    ) -> RuleSet {
        let readings = read(files, vocabulary: Vocabulary(installation))
        return set(of: readings, in: installation, previous: previous)
    }

    /// Reads the files one after the other; ids are unique over all of them.
    static func read(_ files: [SourceFile], vocabulary: Vocabulary) -> [RuleFileReading] {
        var state = RuleFileReader.State(vocabulary: vocabulary)
        return files.map { file in
            var reader = RuleFileReader(file: file, state: state)
            defer { state = reader.state }
            return reader.read()
        }
    }

    static func set(of readings: [RuleFileReading], in installation: Installation, previous: RuleBook?) -> RuleSet {
        let vocabulary = readings.first?.vocabulary ?? Vocabulary(installation)
        let inactive = readings.flatMap(\.inactive)
        let active = Set(readings.flatMap(\.rules).map(\.id))
        var rules: [Rule] = []
        var kept: Set<String> = []
        for reading in readings {
            rules += reading.rules
            let survivors = survivors(of: reading, from: previous).filter { !active.contains($0.id) }
            rules += survivors
            kept.formUnion(survivors.map(\.id))
        }
        if !installation.admin.isEmpty { rules += AdminRule.rules(in: vocabulary) }
        return RuleSet(
            book: RuleBook(
                rules,
                vocabulary: vocabulary,
                dormant: Set(inactive),
                isWhole: readings.allSatisfy(\.isReadable)
            ),
            complaints: readings.compactMap { $0.complaints(inactive: inactive, keptOn: kept) },
            ruleCount: readings.reduce(0) { $0 + $1.rules.count + $1.inactive.count },
            inactive: inactive,
            unreadableFiles: readings.filter { !$0.isReadable }.map(\.file)
        )
    }

    /// Rules of the book in use that go on because what is written now cannot be used.
    private static func survivors(of reading: RuleFileReading, from previous: RuleBook?) -> [Rule] {
        guard let previous else { return [] }
        if !reading.isReadable {
            return previous.rules.filter { $0.file == reading.file || $0.file.hasPrefix(reading.file + "/") }
        }
        return reading.inactive.compactMap { previous.rule($0) }.filter { $0.file == reading.file }
    }
}

/// What one file holds.
struct RuleFileReading: Sendable {
    let file: String
    let source: SourceText
    let vocabulary: Vocabulary
    /// Whether its YAML could be read at all.
    var isReadable = true
    var rules: [Rule] = []
    /// Ids of rules with errors; `number 2` for one whose id cannot be read.
    var inactive: [String] = []
    var tests: [RuleTestCase] = []
    var complaints: [Complaint] = []
    /// Which rule an error is about, for the line that closes it.
    var culprits: [(complaint: Complaint, rule: String)] = []

    /// The complaints with their closing lines; nil if there are none.
    func complaints(inactive: [String], keptOn: Set<String>) -> FileComplaints? {
        guard !complaints.isEmpty else { return nil }
        var closings: [Complaint: String] = [:]
        for (complaint, rule) in culprits {
            let name = rule.hasPrefix("number ") ? "rule \(rule)" : "rule '\(rule)'"
            let others = inactive.count == 1 ? "all other rules are" : "all rules without errors are"
            closings[complaint] =
                keptOn.contains(rule)
                ? "\(name) goes on as it was; \(others) active as they are written."
                : "\(name) is not active; \(others)."
        }
        return FileComplaints(source: source, complaints: complaints, closings: closings)
    }
}
