import BotCore
import StrictYAML
import Values

extension RuleReader {
    /// Warns where no family can know the student of a source: its message would reach nobody, unnoticed.
    ///
    /// A source that names its student calls them so. One that does not calls them as the school does, which is not known here; but where
    /// every student of the families is the named one of another source, its own can only be among them under another name.
    mutating func checkFamilies(at node: YAMLNode, of sources: Set<String>) {
        let installation = vocabulary.installation
        let members = Set(installation.families.flatMap(\.students))
        guard !members.contains(where: \.isNumber) else { return }
        let named = Set(installation.sources.compactMap(\.student))
        let concerned = installation.sources.filter { sources.contains($0.name) && $0.isEnabled && $0.isAboutStudent }
        let nameless = concerned.filter { $0.student == nil }.map(\.name)
        if !nameless.isEmpty, members.isSubset(of: named) {
            let list = nameless.joined(separator: ", ")
            warn(
                at: node,
                "\(list): no 'student:' says by what name the families know the student, so perhaps none is told",
                [
                    "add 'student:' to the source, with the name under 'families:': \(members.sorted().joined(separator: ", "))"
                ]
            )
        }
        let students = Set(concerned.compactMap(\.student)).filter { !$0.isNumber }
        guard nameless.isEmpty, !students.isEmpty, students.isDisjoint(with: members) else { return }
        let spelling = students.sorted().lazy.compactMap { Spelling.question(about: $0, among: members) }.first
        warn(
            at: node,
            "no family has a student of these sources: \(students.sorted().joined(separator: ", "))",
            [spelling, "write the same name under 'families:' and as 'student:' of the source"].compactMap(\.self)
        )
    }

    private mutating func warn(at node: YAMLNode, _ message: String, _ cures: [String]) {
        complaints.append(Complaint(.warning, at: node.span, message, cures: cures))
    }
}
