import BotCore
import StrictYAML
import Values

/// Reads the settings of one entry of the bot file by the plugin's declaration.
struct SettingsReader {
    let lookUpSecret: @Sendable (String) -> SecretAnswer
    var complaints: [Complaint] = []
    private var secrets: [String: Secret] = [:]
    /// Texts that stand in the file and should not: whoever prints its lines masks them.
    private(set) var exposed: [Secret] = []

    init(lookUpSecret: @escaping @Sendable (String) -> SecretAnswer) { self.lookUpSecret = lookUpSecret }

    /// The checked settings, without those that were complained of.
    ///
    /// - Parameters:
    ///   - name: the entry's name in the bot file.
    ///   - pairs: the entry's pairs; those that are not declared are the bot's own.
    ///   - place: where to complain of a key that is missing: the entry's name.
    mutating func settings(
        of name: String,
        _ pairs: [YAMLPair],
        by declarations: [SettingDeclaration],
        at place: Range<Int>
    ) -> Settings {
        secrets = [:]
        var values = ValueMap()
        for declaration in declarations {
            if let pair = pairs.first(where: { $0.name == declaration.key }) {
                values[declaration.key] = value(pair.value, declaration.kind, key: declaration.key)
            } else if let standard = declaration.standard {
                values[declaration.key] = standard
            } else if declaration.isRequired {
                complaints.append(
                    Complaint(
                        at: place,
                        "'\(name)' lacks the key '\(declaration.key)'",
                        cures: ["\(declaration.key): \(declaration.documentation)"]
                    )
                )
            }
        }
        return Settings(name: name, values: values, secrets: secrets)
    }

    private mutating func value(_ node: YAMLNode, _ kind: SettingDeclaration.Kind, key: String) -> Value? {
        switch kind {
        case .text: return node.asText(&complaints).map { .string($0) }
        case .flag: return node.asBool(&complaints).map { .bool($0) }
        case .integer(let bounds): return node.asInt(in: bounds, &complaints).map { .int($0) }
        case .number: return node.asNumber(&complaints).map { .double($0) }
        case .duration: return node.asDuration(&complaints).map { .duration($0) }
        case .choice(let words): return node.asChoice(among: words, &complaints).map { .string($0) }
        case .secret: return secret(node, key: key)
        case .url: return address(node, key: key)
        case .mailAddress: return mailAddress(node)
        case .list(let element):
            guard let items = node.asList(&complaints) else { return nil }
            return .list(
                items.enumerated().compactMap { position, item in value(item, element, key: "\(key).\(position)") }
            )
        case .map(let element):
            guard let pairs = node.asMapping(&complaints) else { return nil }
            return .map(
                ValueMap(
                    pairs.compactMap { pair in
                        value(pair.value, element, key: "\(key).\(pair.name)").map { (.string(pair.name), $0) }
                    }
                )
            )
        case .any: return plain(node)
        }
    }

    // MARK: Secrets

    /// `{secret: NAME}`. The value itself in the file is refused: the file is copied, mailed and committed.
    private mutating func secret(_ node: YAMLNode, key: String) -> Value? {
        guard case .mapping = node.content else {
            if !node.isRefused {
                if let text = node.scalar?.text { exposed.append(Secret(text)) }
                complaints.append(
                    Complaint(
                        at: node.span,
                        "'\(key)' is a secret: its value must not stand in this file",
                        cures: [
                            "write {secret: NAME} and keep the value in secrets/NAME (mode 0600) or in the environment"
                        ]
                    )
                )
            }
            return nil
        }
        guard let name = secretName(node) else { return nil }
        switch lookUpSecret(name.text) {
        case .found(let secret):
            secrets[key] = secret
            return .null
        case .missing(let places):
            complaints.append(
                Complaint(
                    at: name.span,
                    "the secret '\(name.text)' is nowhere to be found",
                    cures: ["looked in: \(places.joined(separator: ", "))"]
                )
            )
        case .refused(let reason):
            complaints.append(
                Complaint(at: name.span, "the secret '\(name.text)' cannot be used", cures: [reason])
            )
        }
        return nil
    }

    private mutating func secretName(_ node: YAMLNode) -> (text: String, span: Range<Int>)? {
        guard let pairs = node.asMapping(known: ["secret"], &complaints) else { return nil }
        guard let pair = pairs.first else {
            complaints.append(
                Complaint(at: node.span, "the name of a secret is missing here", cures: ["write {secret: NAME}"])
            )
            return nil
        }
        guard let text = pair.value.asText(&complaints) else { return nil }
        // The name becomes part of a path and the name of an environment variable.
        let isName = text.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-")
        }
        guard isName else {
            complaints.append(
                Complaint(
                    at: pair.value.span,
                    "'secret:' wants the name of a secret, made of letters, digits, '_' and '-'",
                    cures: ["if this is the secret itself: keep it in a file secrets/NAME and write {secret: NAME}"]
                )
            )
            return nil
        }
        return (text, pair.value.span)
    }

    // MARK: Addresses

    /// An `https` address as text, or as a secret.
    private mutating func address(_ node: YAMLNode, key: String) -> Value? {
        if case .mapping = node.content {
            let place = node.span
            guard let value = secret(node, key: key), let found = secrets[key] else { return nil }
            if let objection = Self.objection(toAddress: found.reveal()) {
                complaints.append(
                    Complaint(at: place, "the secret address \(objection.message)", cures: objection.cures)
                )
                return nil
            }
            return value
        }
        guard let text = node.asText(&complaints) else { return nil }
        // The path of a chat's address is its key.
        if text.utf8.split(separator: UInt8(ascii: "/")).count > 3 { exposed.append(Secret(text)) }
        if let objection = Self.objection(toAddress: text) {
            complaints.append(Complaint(at: node.span, "this address \(objection.message)", cures: objection.cures))
            return nil
        }
        return .string(text)
    }

    /// What is wrong with a web address, without repeating it: it may be a secret.
    static func objection(toAddress text: String) -> (message: String, cures: [String])? {
        var rest = text.utf8[...]
        while !rest.starts(with: "://".utf8) {
            guard rest.popFirst() != nil else {
                return ("does not begin with https://", ["write the whole address, https:// included"])
            }
        }
        let scheme = text[..<rest.startIndex].lowercased()
        let authority = Substring(rest.dropFirst(3).prefix { !"/?#".utf8.contains($0) })
        guard scheme == "https" || scheme == "http" else {
            return ("has the scheme '\(scheme.prefix(12))'", ["only https:// addresses are called"])
        }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            return ("holds a user name or password", ["give them in keys of their own"])
        }
        let hasOddCharacter = text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
        guard !authority.isEmpty, !hasOddCharacter else {
            return ("is not a web address", ["blanks and line ends are not allowed in it"])
        }
        let host =
            authority.utf8.first == UInt8(ascii: "[")
            ? authority.prefix { $0 != "]" } + "]" : Substring(authority.utf8.prefix { $0 != UInt8(ascii: ":") })
        guard scheme == "https" || LoopbackName.matches(host) else {
            return (
                "uses http://, which anybody on the way can read", ["write https://; http:// is for this machine alone"]
            )
        }
        return nil
    }

    private mutating func mailAddress(_ node: YAMLNode) -> Value? {
        guard let text = node.asText(&complaints) else { return nil }
        guard MailAddress(text) != nil else {
            let cure =
                text.contains("<")
                ? "write the address alone, without a name and angle brackets" : "write it like name@example.org"
            complaints.append(Complaint(at: node.span, "this is no mail address the bot can use", cures: [cure]))
            return nil
        }
        return .string(text)
    }

    private func plain(_ node: YAMLNode) -> Value? {
        switch node.content {
        case .scalar(let scalar): .string(scalar.text)
        case .sequence(let items): .list(items.compactMap(plain))
        case .mapping(let pairs):
            .map(ValueMap(pairs.compactMap { pair in plain(pair.value).map { (.string(pair.name), $0) } }))
        case .refused: nil
        }
    }
}
