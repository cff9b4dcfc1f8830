public import Values

/// What a key's reader asks of a node. Each reading returns nil and complains where the node is something else; nodes that were
/// refused already are passed over in silence. How a scalar is quoted makes no difference.
extension YAMLNode {
    /// The text of a scalar that is not empty.
    public func asText(_ complaints: inout [Complaint]) -> String? { scalarText("a text", nil, &complaints) }

    /// `true` or `false`.
    public func asBool(_ complaints: inout [Complaint]) -> Bool? {
        guard let text = scalarText("true or false", nil, &complaints) else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default:
            let lowered = text.lowercased()
            let meant = ["yes", "y", "on", "true"].contains(lowered) ? "true" : "false"
            let isKnown = ["yes", "y", "on", "true", "no", "n", "off", "false"].contains(lowered)
            let cure = isKnown ? "write \(meant)" : "write true or false"
            return refuse("this must be true or false, not '\(shown(text))'", cure, &complaints)
        }
    }

    /// A whole number in decimal digits within bounds: `14`, `-1001234`.
    public func asInt(
        in bounds: ClosedRange<Int64> = Int64.min...Int64.max,
        _ complaints: inout [Complaint]
    ) -> Int64? {
        guard let text = scalarText("a whole number", "14", &complaints) else { return nil }
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        let isDecimal = text.utf8.count - digits.count <= 1 && !digits.isEmpty && digits.allSatisfy(\.isDigit)
        let isPadded = digits.count > 1 && digits.first == UInt8(ascii: "0")
        guard isDecimal, let number = Int64(text) else {
            return refuse(
                "this must be a whole number, not '\(shown(text))'",
                "write digits only, such as 14",
                &complaints
            )
        }
        guard !isPadded else { return refuse("a number with zeros before it", "write \(number)", &complaints) }
        guard bounds.contains(number) else {
            let cure =
                bounds.upperBound == Int64.max
                ? "it must be at least \(bounds.lowerBound)"
                : "it must be from \(bounds.lowerBound) to \(bounds.upperBound)"
            return refuse("\(number) is out of range", cure, &complaints)
        }
        return number
    }

    /// A number with or without a fraction: `6`, `-0.5`.
    public func asNumber(_ complaints: inout [Complaint]) -> Double? {
        guard let text = scalarText("a number", "5.5", &complaints) else { return nil }
        let isDecimal =
            text.utf8.allSatisfy { $0.isDigit || "+-.".utf8.contains($0) } && text.utf8.last?.isDigit ?? false
        guard isDecimal, let number = Double(text) else {
            let withPoint = text.split(separator: ",", omittingEmptySubsequences: false).joined(separator: ".")
            let cure = withPoint != text && Double(withPoint) != nil ? "write \(withPoint)" : "write it like 5.5"
            return refuse("this must be a number, not '\(shown(text))'", cure, &complaints)
        }
        return number
    }

    /// One of a set of words; complains with the nearest one.
    public func asChoice(among words: [String], _ complaints: inout [Complaint]) -> String? {
        guard let text = scalarText("one of \(words.joined(separator: ", "))", nil, &complaints) else { return nil }
        if words.contains(text) { return text }
        let list = words.joined(separator: ", ")
        let question = Spelling.question(about: text, among: words).map { $0 + " " } ?? ""
        return refuse("'\(shown(text))' is not possible here", "\(question)Possible: \(list)", &complaints)
    }

    /// The items of a sequence; a scalar or a mapping counts as the one item of a list ("a name or a list").
    public func asList(_ complaints: inout [Complaint]) -> [YAMLNode]? {
        switch content {
        case .sequence(let items): return items
        case .refused: return nil
        case .scalar where isEmpty:
            return refuse("a value is missing here", "write one, or a list: [a, b]", &complaints)
        case .scalar, .mapping: return [self]
        }
    }

    /// The items of a sequence.
    public func asSequence(_ complaints: inout [Complaint]) -> [YAMLNode]? {
        switch content {
        case .sequence(let items): return items
        case .refused: return nil
        case .scalar, .mapping:
            return refuse(
                "this must be a list, not \(kindName)",
                "write [a, b], or items that begin with '- ' on their own lines",
                &complaints
            )
        }
    }

    /// The pairs of a mapping with keys of any name.
    public func asMapping(_ complaints: inout [Complaint]) -> [YAMLPair]? {
        switch content {
        case .mapping(let pairs): return pairs
        case .refused: return nil
        case .scalar, .sequence:
            return refuse(
                "this must be a mapping, not \(kindName)",
                "write {key: value}, or 'key: value' on lines of their own",
                &complaints
            )
        }
    }

    /// The pairs of a mapping whose keys are known; complains of every other key. Pairs with unknown keys are left out.
    public func asMapping(known keys: [String], _ complaints: inout [Complaint]) -> [YAMLPair]? {
        guard let pairs = asMapping(&complaints) else { return nil }
        return pairs.filter { pair in
            if keys.contains(pair.name) { return true }
            let question = Spelling.question(about: pair.name, among: keys).map { $0 + " " } ?? ""
            let cure = "\(question)Known keys: \(keys.joined(separator: ", "))"
            complaints.append(Complaint(at: pair.key.span, "unknown key '\(pair.name)'", cures: [cure]))
            return false
        }
    }

    /// What this is, for complaints: `a list`.
    public var kindName: String {
        switch content {
        case .scalar: isEmpty ? "nothing" : "a text"
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .refused: "something that is not read"
        }
    }

    func scalarText(_ wanted: @autoclosure () -> String, _ example: String?, _ complaints: inout [Complaint]) -> String?
    {
        switch content {
        case .refused: return nil
        case .scalar(let scalar) where !scalar.isEmpty: return scalar.text
        case .scalar:
            return refuse(
                "a value is missing here",
                "write \(wanted())\(example.map { ", such as \($0)" } ?? "")",
                &complaints
            )
        case .sequence, .mapping:
            return refuse("this must be \(wanted()), not \(kindName)", "write \(example ?? wanted())", &complaints)
        }
    }

    func refuse<Reading>(_ message: String, _ cure: String, _ complaints: inout [Complaint]) -> Reading? {
        complaints.append(Complaint(at: span, message, cures: [cure]))
        return nil
    }

    /// A text as it may stand in a message of one line.
    func shown(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return line.count > 40 || line != text ? line.prefix(40) + "…" : line
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
