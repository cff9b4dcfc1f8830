import StrictYAML
import Values

/// Reads one rule file: its rules and its tests, and everything that is wrong with them.
struct RuleFileReader {
    /// What the readers of one set of files share.
    struct Setting {
        let vocabulary: Vocabulary
        let scopes: ScopeTable
        /// The files that had rules when they were last read.
        let formerFiles: Set<String>

        init(vocabulary: Vocabulary, formerFiles: Set<String>) {
            self.vocabulary = vocabulary
            self.formerFiles = formerFiles
            scopes = ScopeTable(vocabulary)
        }
    }

    let file: SourceFile
    let setting: Setting

    func read() -> RuleFileReading {
        let document = YAMLDocument.read(bytes: file.bytes, file: file.path)
        var reading = RuleFileReading(file: file.path, source: document.source, vocabulary: setting.vocabulary)
        reading.complaints = document.complaints
        if let problem = file.problem {
            reading.complaints = [problem]
            reading.isReadable = false
            return reading
        }
        guard let root = document.root else {
            reading.isReadable = false
            return reading
        }
        // An editor or a full disk may be in the middle of writing it.
        if root.isEmpty, setting.formerFiles.contains(file.path),
            file.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D })
        {
            let cure = "delete it, or write version: 1 and rules: into it; its rules go on meanwhile"
            reading.complaints.append(Complaint(at: 0..<0, "the file is empty, and had rules before", cures: [cure]))
            reading.isReadable = false
            return reading
        }
        // A file of comments alone has no rules and nothing wrong with it.
        if root.isEmpty { return reading }
        let pairs = root.asMapping(known: ["version", "rules", "tests"], &reading.complaints) ?? []
        readVersion(root["version"], root, &reading)
        for node in pairs.first(where: { $0.name == "rules" })?.value.asSequence(&reading.complaints) ?? [] {
            readRule(node, number: reading.rules.count + reading.inactive.count + 1, document, &reading)
        }
        for node in pairs.first(where: { $0.name == "tests" })?.value.asSequence(&reading.complaints) ?? [] {
            var reader = RuleTestReader(
                vocabulary: setting.vocabulary,
                rules: reading.rules,
                inactive: reading.inactive
            )
            if let test = reader.read(node, file: file.path) { reading.tests.append(test) }
            reading.complaints += reader.complaints
        }
        reading.complaints = Self.unique(reading.complaints)
        return reading
    }

    private func readVersion(_ node: YAMLNode?, _ root: YAMLNode, _ reading: inout RuleFileReading) {
        guard let node else {
            let start = root.span.lowerBound
            let complaint = Complaint(
                at: start..<start,
                "'version' is missing",
                cures: ["write version: 1 as the first line"]
            )
            reading.complaints.append(complaint)
            return
        }
        if let number = node.asInt(&reading.complaints), number != 1 {
            reading.complaints.append(
                Complaint(
                    at: node.span,
                    "version \(number) of rule files is not known here",
                    cures: ["this program reads version: 1"]
                )
            )
        }
    }

    private func readRule(
        _ node: YAMLNode,
        number: Int,
        _ document: YAMLDocument,
        _ reading: inout RuleFileReading
    ) {
        var reader = RuleReader(vocabulary: setting.vocabulary, file: file.path, scopes: setting.scopes)
        let rule = reader.read(node)
        if let id = reader.id, let former = reader.former {
            reading.renames.append(.init(rule: id, former: former.id, span: former.node.span))
        }
        // What the YAML reader found inside the rule spoils it as well, and says why a value seems to be missing.
        let lines = document.complaints.map { document.source.place(of: $0.span.lowerBound).line }
        let first = document.source.place(of: node.span.lowerBound).line
        let last = document.source.place(of: max(node.span.lowerBound, node.span.upperBound - 1)).line
        let inside = zip(document.complaints, lines).filter { (first...last).contains($0.1) }.map(\.0)
        reader.complaints.removeAll { complaint in
            complaint.message == "a value is missing here"
                && lines.contains(document.source.place(of: complaint.span.lowerBound).line)
        }
        let errors = (reader.complaints + inside).filter { $0.severity == .error }
        let isActive = rule != nil && errors.isEmpty
        if let rule, isActive {
            reading.rules.append(rule)
        } else {
            let name = reader.id ?? "number \(number)"
            reading.inactive.append(name)
            let closing = errors.max { $0.span.lowerBound < $1.span.lowerBound }
            if let closing { reading.culprits.append((closing, name)) }
        }
        if let id = reader.id, let place = reader.idNode {
            let address = document.source.address(of: place.span.lowerBound)
            reading.claims.append(.init(id: id, span: place.span, address: address, rule: isActive ? rule : nil))
        }
        reading.complaints += reader.complaints
    }

    private static func unique(_ complaints: [Complaint]) -> [Complaint] {
        var seen: Set<Complaint> = []
        return complaints.filter { seen.insert($0).inserted }
    }
}
