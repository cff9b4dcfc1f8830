import BotCore
import CEL
import StrictYAML
import Values

extension RuleReader {
    // MARK: match

    mutating func readMatch(
        _ node: YAMLNode?,
        in scope: RuleScope,
        of sources: Set<String>,
        into draft: inout RuleDraft
    ) {
        guard let node else { return }
        guard !scope.records.isEmpty else {
            complain(at: node, "there is no record here to match", "ask in 'if' instead")
            return
        }
        for pair in node.asMapping(&complaints) ?? [] {
            guard let (key, field) = matchKey(pair.key, in: scope) else { continue }
            let items = pair.value.asList(&complaints) ?? []
            if case .sequence = pair.value.content, items.isEmpty {
                complain(at: pair.value, "an empty list matches nothing", "name values, or take the key out")
            }
            let values = items.compactMap { item in
                matchValue(item, field.shape).map { value in
                    check(value, at: item, field, key, of: sources)
                    return value
                }
            }
            draft.match.append(MatchCondition(key: key, values: Set(values.map(MatchKey.comparable))))
        }
    }

    /// `lesson.classes`, `student.name`, `source`, `account`.
    private mutating func matchKey(_ node: YAMLNode, in scope: RuleScope) -> (MatchKey, FieldShape)? {
        let text = node.scalar?.text ?? ""
        switch text {
        case "source" where scope.record("source") == nil:
            return (.source, FieldShape(text, .string, oneOf: vocabulary.sourceNames))
        case "account": return (.account, FieldShape(text, .string, oneOf: vocabulary.accountNames))
        case "student", "student.name": return (.studentName, FieldShape(text, .string))
        case "student.id": return (.studentID, FieldShape(text, .string))
        default: break
        }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let record = scope.record(parts[0]) else {
            let owners = scope.records.filter { scope.record($0)?.field(text) != nil }
            let cure =
                owners.first.map { "write \($0).\(text)" } ?? "records here: \(scope.records.joined(separator: ", "))"
            complain(at: node, "'\(text)' names no field of a record", cure)
            return nil
        }
        guard let field = record.field(parts[1]) else {
            let names = record.fields.map(\.name)
            let near = Spelling.nearest(to: parts[1], among: names).first
            let question = near.map { "did you mean '\(parts[0]).\($0)'? " } ?? ""
            let owner = scope.environment.subject.map { "\($0) has" } ?? "there is"
            complain(
                at: node,
                "\(owner) no field '\(text)'",
                "\(question)Fields of '\(parts[0])': \(names.sorted().joined(separator: ", "))"
            )
            return nil
        }
        var shape = field.shape
        if case .list(let element) = shape { shape = element }
        switch shape {
        case .string, .int, .uint, .double, .bool, .any:
            return (.field(record: parts[0], name: parts[1]), FieldShape(text, shape, oneOf: field.values))
        default:
            complain(at: node, "'\(text)' is a \(shape.name), which 'match' cannot compare", "ask in 'if' instead")
            return nil
        }
    }

    /// Complains of a text that is never there.
    private mutating func check(
        _ value: Value,
        at node: YAMLNode,
        _ field: FieldShape,
        _ key: MatchKey,
        of sources: Set<String>
    ) {
        guard let text = value.string, !text.isEmpty else { return }
        if key == .studentName { return checkStudent(text, at: node, of: sources) }
        if case .field(_, "classes") = key { return checkClass(text, at: node) }
        guard !field.values.isEmpty, !field.values.contains(text) else { return }
        complaints.append(
            Complaint(
                at: node.span,
                "'\(field.name)' is never '\(text)'",
                cures: Spelling.cures(forValue: text, among: field.values, of: field.name)
            )
        )
    }

    /// The bot file knows few classes, and many are called almost alike: only a class that is spelled in another way is warned of.
    private mutating func checkClass(_ name: String, at node: YAMLNode) {
        func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        let known = vocabulary.classNames
        guard !known.contains(name), let other = known.first(where: { letters($0) == letters(name) }) else { return }
        complaints.append(
            Complaint(
                .warning,
                at: node.span,
                "the bot file writes this class in another way",
                cures: ["did you mean '\(other)'?"]
            )
        )
    }

    private mutating func matchValue(_ node: YAMLNode, _ shape: Shape) -> Value? {
        switch shape {
        case .int, .uint: return node.asInt(&complaints).map { .int($0) }
        case .double: return node.asNumber(&complaints).map { .double($0) }
        case .bool: return node.asBool(&complaints).map { .bool($0) }
        default:
            // The empty text is a value like any other here: a lesson without a room.
            if let scalar = node.scalar, scalar.style.isQuoted, scalar.text.isEmpty { return .string("") }
            return node.asText(&complaints).map { .string($0) }
        }
    }

    // MARK: vars

    mutating func readVariables(_ node: YAMLNode?, in scope: RuleScope, into draft: inout RuleDraft) {
        guard let node, let pairs = node.asMapping(&complaints) else { return }
        var environment = scope.environment
        for pair in pairs {
            guard isName(pair.key, "a value") else { continue }
            guard let program = compile(pair.value, in: environment, expecting: nil) else {
                // Known all the same, so that its uses are not told as mistakes of their own.
                environment = environment.adding(variables: [CELVariable("vars.\(pair.name)", .dyn)])
                continue
            }
            environment = environment.adding(variables: [CELVariable("vars.\(pair.name)", program.resultType)])
            draft.variables.append(RuleVariable(name: pair.name, program: program, environment: environment))
        }
        draft.environment = environment
    }

    // MARK: if

    mutating func readCondition(
        _ node: YAMLNode?,
        in scope: RuleScope,
        isEventRule: Bool,
        into draft: inout RuleDraft
    ) {
        guard let node else { return }
        let environment = draft.environment ?? scope.environment
        guard let program = compile(node, in: environment, expecting: .bool) else { return }
        draft.condition = program
        guard isEventRule, let name = Self.timely(draft.variables).first(where: program.references.contains),
            let word = name.split(separator: ".").last,
            let place = Self.place(of: String(word), in: program.source)
        else { return }
        complaints.append(
            Complaint(
                .warning,
                at: node.span(ofText: place),
                (name == "now" ? "'now'" : "'\(name)' is made of 'now', which")
                    + " is the moment when the change is seen: the condition is asked once and never again",
                cures: ["to be told once the time is near, write within: 48h under 'when'"]
            )
        )
    }

    /// `now`, and those of `vars` that are made of it.
    private static func timely(_ variables: [RuleVariable]) -> [String] {
        variables.reduce(into: ["now"]) { names, variable in
            if names.contains(where: variable.program.references.contains) { names.append("vars.\(variable.name)") }
        }
    }

    mutating func compile(
        _ node: YAMLNode,
        in environment: CELEnvironment,
        expecting type: CELType?
    ) -> CELProgram? {
        guard let text = node.asText(&complaints) else { return nil }
        do throws(CELComplaints) {
            let program = try CELProgram.compile(text, in: environment, expecting: type)
            complain(in: node, program.warnings)
            return program
        } catch {
            complain(in: node, error.complaints.map { Self.namingVariable($0, in: text, environment) })
            return nil
        }
    }

    /// `vars` alone is no name: what is missing is the value behind the dot.
    private static func namingVariable(
        _ complaint: Complaint,
        in text: String,
        _ environment: CELEnvironment
    ) -> Complaint {
        let bytes = Array(text.utf8)
        let span = complaint.span
        guard span.upperBound < bytes.count, bytes[span].elementsEqual("vars".utf8),
            bytes[span.upperBound] == UInt8(ascii: ".")
        else { return complaint }
        let name = bytes[(span.upperBound + 1)...].prefix(while: isWord)
        let full = "vars.\(String(decoding: name, as: UTF8.self))"
        let known = environment.variables.map(\.name).filter { $0.hasPrefix("vars.") }
        let list = known.isEmpty ? "the rule has no 'vars'" : "there are: \(known.joined(separator: ", "))"
        let cures = [Spelling.question(about: full, among: known), list].compactMap(\.self)
        return Complaint(at: span.lowerBound..<name.endIndex, "there is no '\(full)'", cures: cures)
    }

    /// Where a name stands in an expression, outside of texts.
    private static func place(of name: String, in source: String) -> Range<Int>? {
        let bytes = Array(source.utf8)
        let wanted = Array(name.utf8)
        var quote: UInt8?
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if let open = quote {
                if byte == UInt8(ascii: "\\") { offset += 1 } else if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if isWord(byte) {
                let word = bytes[offset...].prefix(while: isWord)
                if word.elementsEqual(wanted) { return word.startIndex..<word.endIndex }
                offset = word.endIndex
                continue
            }
            offset += 1
        }
        return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
}
