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
    ///   - homes: the file that each rule id was last read from: `RuleSet.homes` of an earlier time, of an earlier process too.
    public static func load(
        _ files: [SourceFile],
        in installation: Installation,
        previous: RuleBook? = nil,
        homes: [String: String] = [:]
    ) -> RuleSet {
        let (readings, homes) = readings(files, vocabulary: Vocabulary(installation), homes: homes)
        return set(of: readings, in: installation, previous: previous, homes: homes)
    }

    /// Reads the files one after the other; ids are unique over all of them.
    static func read(_ files: [SourceFile], vocabulary: Vocabulary) -> [RuleFileReading] {
        readings(files, vocabulary: vocabulary, homes: [:]).readings
    }

    private static func readings(
        _ files: [SourceFile],
        vocabulary: Vocabulary,
        homes known: [String: String]
    ) -> (readings: [RuleFileReading], homes: [String: String]) {
        let setting = RuleFileReader.Setting(vocabulary: vocabulary, formerFiles: Set(known.values))
        var readings = files.map { RuleFileReader(file: $0, setting: setting).read() }
        let (addresses, homes) = RuleClaims.settle(&readings, known: known)
        refuseRenames(in: &readings, addresses: addresses)
        return (readings, homes)
    }

    /// Complains of each `was` that names no id of the past, which is known only when all files are read.
    private static func refuseRenames(in readings: inout [RuleFileReading], addresses: [String: String]) {
        var heirs: [String: String] = [:]
        for place in readings.indices {
            for rename in readings[place].renames {
                guard let (message, cure) = objection(to: rename, addresses, heirs) else {
                    heirs[rename.former] = rename.rule
                    continue
                }
                readings[place].refuse(rename.rule, Complaint(at: rename.span, message, cures: [cure]))
            }
        }
    }

    private static func objection(
        to rename: RuleFileReading.Rename,
        _ addresses: [String: String],
        _ heirs: [String: String]
    ) -> (message: String, cure: String)? {
        if rename.former == rename.rule {
            return ("this is the rule's own id", "write the id it had before, or take 'was' out")
        }
        if let address = addresses[rename.former] {
            let cure = "it is at \(address) and keeps its own memory; take 'was' out, or that rule"
            return ("there still is a rule '\(rename.former)'", cure)
        }
        if let heir = heirs[rename.former] {
            return (
                "the rule '\(heir)' goes on with the memory of '\(rename.former)' already", "take one of the two out"
            )
        }
        return nil
    }

    private static func set(
        of readings: [RuleFileReading],
        in installation: Installation,
        previous: RuleBook?,
        homes: [String: String]
    ) -> RuleSet {
        let vocabulary = readings.first?.vocabulary ?? Vocabulary(installation)
        let inactive = readings.flatMap(\.inactive)
        // What a rule with errors remembers under its earlier id is kept, too.
        let formers = readings.flatMap { reading in
            reading.renames.filter { reading.inactive.contains($0.rule) }.map(\.former)
        }
        let active = Set(readings.flatMap(\.rules).map(\.id))
        let claimed = Set(readings.flatMap(\.claims).map(\.id)).union(readings.flatMap(\.renames).map(\.former))
        // What is known of a file with errors and not written anywhere now may have been swallowed: its memory is kept, too.
        let swallowed = homes.filter { id, file in
            !claimed.contains(id) && readings.contains { $0.file == file && $0.hasErrors }
        }
        var rules: [Rule] = []
        var kept: Set<String> = []
        var unwritten: [String: [String]] = [:]
        for reading in readings {
            rules += reading.rules
            let survivors = survivors(of: reading, from: previous, claimed).filter { !active.contains($0.id) }
            rules += survivors
            kept.formUnion(survivors.map(\.id))
            if reading.isReadable { unwritten[reading.file] = survivors.map(\.id).filter { !claimed.contains($0) } }
        }
        if !installation.admin.isEmpty { rules += AdminRule.rules(in: vocabulary) }
        return RuleSet(
            book: RuleBook(
                rules,
                vocabulary: vocabulary,
                dormant: Set(inactive).union(formers).union(swallowed.keys),
                isWhole: readings.allSatisfy(\.isReadable)
            ),
            complaints: readings.compactMap { reading in
                reading.complaints(inactive: inactive, keptOn: kept, unwritten: unwritten[reading.file] ?? [])
            },
            ruleCount: readings.reduce(0) { $0 + $1.rules.count + $1.inactive.count },
            inactive: inactive,
            kept: Set(readings.flatMap { $0.inactive(among: kept.union(active)) }),
            unreadableFiles: readings.filter { !$0.isReadable }.map(\.file),
            homes: homes
        )
    }

    /// Rules of the book in use that go on because what is written now cannot be used.
    ///
    /// - Parameter claimed: ids that stand in any file now.
    private static func survivors(
        of reading: RuleFileReading,
        from previous: RuleBook?,
        _ claimed: Set<String>
    ) -> [Rule] {
        guard let previous else { return [] }
        if !reading.isReadable {
            return previous.rules.filter { $0.file == reading.file || $0.file.hasPrefix(reading.file + "/") }
        }
        let named = reading.inactive.compactMap { id in
            let former = reading.renames.first { $0.rule == id }?.former
            return previous.rule(id) ?? former.flatMap { previous.rule($0) }
        }
        .filter { $0.file == reading.file }
        guard reading.hasErrors else { return named }
        // What a mistake may have swallowed, as in a file that is being written.
        return named + previous.rules.filter { $0.file == reading.file && !claimed.contains($0.id) }
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
    /// Each `was` in it.
    var renames: [Rename] = []
    var complaints: [Complaint] = []
    /// Which rule an error is about, for the line that closes it.
    var culprits: [(complaint: Complaint, rule: String)] = []
    /// Every id that stands in it, with its rule.
    var claims: [RuleClaim] = []
    var hasErrors: Bool { complaints.contains { $0.severity == .error } }
    /// Complaints of ids that another rule has.
    var lostClaims: Set<Complaint> = []

    /// A rule that goes on with the memory of an id it had before.
    struct Rename: Sendable {
        let rule: String
        let former: String
        /// Where `was` stands.
        let span: Range<Int>
    }

    /// Takes a rule out that turned out to be wrong.
    mutating func refuse(_ rule: String, _ complaint: Complaint) {
        rules.removeAll { $0.id == rule }
        if !inactive.contains(rule) { inactive.append(rule) }
        complaints.append(complaint)
        culprits.append((complaint, rule))
    }

    /// Takes a rule out whose id is another's.
    mutating func refuse(_ claim: RuleClaim, _ complaint: Complaint) {
        rules.removeAll { $0 === claim.rule }
        if claim.rule != nil { inactive.append(claim.id) }
        complaints.append(complaint)
        culprits.append((complaint, claim.id))
        lostClaims.insert(complaint)
    }

    /// Those of its rules with errors of which another version runs, under this id or the one before.
    func inactive(among running: Set<String>) -> [String] {
        inactive.filter { id in
            running.contains(id) || renames.contains { $0.rule == id && running.contains($0.former) }
        }
    }

    /// The complaints with their closing lines; nil if there are none.
    ///
    /// - Parameter unwritten: rules that go on although the file does not hold them now.
    func complaints(inactive: [String], keptOn: Set<String>, unwritten: [String] = []) -> FileComplaints? {
        guard !complaints.isEmpty else { return nil }
        var closings: [Complaint: String] = [:]
        for (complaint, rule) in culprits {
            let name = rule.hasPrefix("number ") ? "rule \(rule)" : "rule '\(rule)'"
            let others = inactive.count == 1 ? "all other rules are" : "all rules without errors are"
            if lostClaims.contains(complaint) {
                closings[complaint] = "this rule '\(rule)' is not active; \(others)."
                continue
            }
            closings[complaint] =
                keptOn.contains(rule)
                ? "\(name) goes on as it was; \(others) active as they are written."
                : "\(name) is not active; \(others)."
        }
        let errors = complaints.filter { $0.severity == .error }
        if let first = errors.min(by: { $0.span.lowerBound < $1.span.lowerBound }), !unwritten.isEmpty {
            let notice = Self.notice(ofUnwritten: unwritten)
            closings[first] = closings[first].map { "\($0) \(notice)" } ?? notice
        }
        return FileComplaints(source: source, complaints: complaints, closings: closings)
    }

    /// Whoever took a rule out on purpose must learn why it still tells.
    private static func notice(ofUnwritten rules: [String]) -> String {
        let names = rules.map { "'\($0)'" }.joined(separator: ", ")
        return rules.count == 1
            ? "\(names) is not written in this file any more; it goes on until the file has no errors."
            : "rules that are not written in this file any more go on until the file has no errors: \(names)."
    }
}
