import BotCore
import StrictYAML
import Values

/// By what names students are known to sources, families and rules.
extension RuleReader {
    /// Complains of a student whom nobody calls so. What the school calls a student is not known here: then it is a warning.
    mutating func checkStudent(_ name: String, at node: YAMLNode, of sources: Set<String>) {
        if name.isNumber { return }
        if let names = vocabulary.studentNames(of: sources) {
            if names.contains(name) { return }
            let list = "students here: \(names.joined(separator: ", "))"
            let cures = [Spelling.question(about: name, among: names), list].compactMap(\.self)
            complaints.append(Complaint(at: node.span, "no source here is about a student '\(name)'", cures: cures))
            return
        }
        let known = vocabulary.studentNames
        if known.isEmpty { return }
        if known.contains(name) {
            checkNameless(sources, of: name, at: node)
            return
        }
        let cure = "if that is right, name the student so under 'families:', or as 'student:' of the source"
        warn(
            at: node,
            "no source and no family of the bot file names a student '\(name)'",
            [Spelling.question(about: name, among: known), cure].compactMap(\.self)
        )
    }

    /// Warns of sources that call their student as the school does, where a rule asks for the name that the bot file gives.
    ///
    /// A school's name has several words; a name of several words may be the school's own, unless a source had to be told it.
    private mutating func checkNameless(_ sources: Set<String>, of name: String, at node: YAMLNode) {
        let all = vocabulary.installation.sources.filter { $0.isEnabled && $0.isAboutStudent }
        guard !name.contains(" ") || all.contains(where: { $0.student == name }) else { return }
        let concerned = all.filter { sources.contains($0.name) }
        let covered = Set(concerned.filter { $0.student == name }.flatMap { $0.schema.records.map(\.name) })
        // Another child's source may well name nobody, if one that is this child's has the same records.
        let nameless = concerned.filter { source in
            source.student == nil && covered.isDisjoint(with: source.schema.records.map(\.name))
        }
        guard !nameless.isEmpty else { return }
        let list = nameless.map(\.name).joined(separator: ", ")
        warn(
            at: node,
            "\(list): no 'student:' says that its student is called '\(name)', so its news may never fit",
            ["add 'student: \(name)' to the source; without it the student is called as the school writes the name"]
        )
    }

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
