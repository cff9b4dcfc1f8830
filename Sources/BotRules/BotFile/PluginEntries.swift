import BotCore
import StrictYAML
import Values

/// Schools, accounts, sources and sinks: the entries whose settings plugins declare.
extension BotFileReader {
    mutating func readSchool(_ entry: YAMLPair, _ installation: Installation) -> School? {
        guard let pairs = entry.value.asMapping(known: ["server", "school", "timezone", "grade_scale"], &complaints),
            let server = required(
                "server",
                of: entry,
                pairs,
                "write the host of the school's WebUntis: server: example.webuntis.com"
            )
        else { return nil }
        let zone = pairs.first { $0.name == "timezone" }.flatMap { readZone($0.value) } ?? installation.zone
        let scale = pairs.first { $0.name == "grade_scale" }.flatMap { readGradeScale($0.value) } ?? .italian
        guard let server = server.asText(&complaints), let school = schoolName(of: entry, pairs, server: server) else {
            return nil
        }
        return School(name: entry.name, server: server, school: school, zone: zone, gradeScale: scale)
    }

    /// Empty where the address of the login page, copied into `server:`, has it.
    private mutating func schoolName(of entry: YAMLPair, _ pairs: [YAMLPair], server: String) -> String? {
        if !pairs.contains(where: { $0.name == "school" }), server.contains("?school=") || server.contains("&school=") {
            return ""
        }
        return required("school", of: entry, pairs, "write the school's login name: school: example")?
            .asText(&complaints)
    }

    /// `{min: 1, max: 10, pass: 6}`; where marks get better downwards, as in `{best: 1, worst: 6, pass: 4}`, both ends are named so.
    private mutating func readGradeScale(_ node: YAMLNode) -> GradeScale? {
        guard let pairs = node.asMapping(known: ["min", "max", "best", "worst", "pass"], &complaints) else {
            return nil
        }
        var numbers: [String: Double] = [:]
        for pair in pairs { numbers[pair.name] = pair.value.asNumber(&complaints) }
        guard let pass = numbers["pass"], let worst = numbers["worst"] ?? numbers["min"],
            let best = numbers["best"] ?? numbers["max"],
            worst != best, (min(worst, best)...max(worst, best)).contains(pass)
        else {
            complaints.append(
                Complaint(
                    at: node.span,
                    "this is no scale of marks",
                    cures: [
                        "write {min: 1, max: 10, pass: 6}, or {best: 1, worst: 6, pass: 4} where 1 is the best mark"
                    ]
                )
            )
            return nil
        }
        return GradeScale(worst: worst, best: best, pass: pass)
    }

    mutating func readAccount(_ entry: YAMLPair, _ installation: Installation) -> AccountEntry? {
        let kinds = catalogue.accounts.map(\.kind)
        guard let pairs = entry.value.asMapping(&complaints),
            let kind = required("kind", of: entry, pairs, "kinds of accounts: \(kinds.joined(separator: ", "))")?
                .asChoice(among: kinds, &complaints),
            let plugin = catalogue.accounts.first(where: { $0.kind == kind })
        else { return nil }
        let common = ["kind"] + (plugin.needsSchool ? ["school"] : [])
        var school: School?
        if plugin.needsSchool {
            guard let node = required("school", of: entry, pairs, "name an entry of 'schools:'"),
                let name = node.asText(&complaints)
            else { return nil }
            school = installation.schools.first { $0.name == name }
            let known = names(of: "schools")
            if !known.contains(name) { complaints.append(unknown("school", name, at: node.span, known)) }
        }
        let settings = pluginSettings(entry, common: common, plugin.settings)
        return AccountEntry(name: entry.name, plugin: plugin, settings: settings, school: school)
    }

    mutating func readSource(_ entry: YAMLPair, _ installation: Installation) -> SourceEntry? {
        let names = providerNames
        guard let pairs = entry.value.asMapping(&complaints),
            let name = required("provider", of: entry, pairs, "providers: \(names.joined(separator: ", "))")?
                .asChoice(among: names, &complaints),
            let plugin = catalogue.providers.first(where: { $0.name == name })
        else { return gap(entry, installation) }
        let common = ["provider", "every", "enabled"] + (plugin.accountKind == nil ? [] : ["account"])
        let account = readAccountName(entry, pairs, plugin, installation)
        let every = pairs.first { $0.name == "every" }.flatMap { readEvery($0.value, plugin) }
        let isEnabled = pairs.first { $0.name == "enabled" }.flatMap { $0.value.asBool(&complaints) } ?? true
        let settings = pluginSettings(entry, common: common, plugin.settings)
        let school = installation.accounts.first { $0.name == account }?.school
        if let node = pairs.first(where: { $0.name == "every" })?.value, let every {
            warnOfInterval(([every.standard] + every.periods.map(\.interval)).min(), at: node, plugin, school)
        }
        return SourceEntry(
            name: entry.name,
            plugin: plugin,
            settings: settings,
            schema: plugin.schema(settings),
            account: account,
            school: school,
            zone: school?.zone ?? installation.zone,
            interval: every?.standard ?? plugin.interval,
            intervals: every?.periods ?? [],
            isEnabled: isEnabled
        )
    }

    /// Warns of an interval that may get the account blocked. A server that is asked without TLS is on this machine: a simulated one.
    private mutating func warnOfInterval(
        _ shortest: TimeSpan?,
        at node: YAMLNode,
        _ plugin: ProviderPlugin,
        _ school: School?
    ) {
        guard let bearable = plugin.bearableInterval, let shortest, shortest < bearable,
            let school, !school.server.hasPrefix("http://")
        else { return }
        complaints.append(
            Complaint(
                .warning,
                at: node.span,
                "polled that often, the school's server may block the account",
                cures: ["\(Value.duration(bearable).plainText) or more is what servers bear"]
            )
        )
    }

    private mutating func readAccountName(
        _ entry: YAMLPair,
        _ pairs: [YAMLPair],
        _ plugin: ProviderPlugin,
        _ installation: Installation
    ) -> String? {
        guard let kind = plugin.accountKind else { return nil }
        let fitting = installation.accounts.filter { $0.plugin.kind == kind }.map(\.name)
        guard let node = pairs.first(where: { $0.name == "account" })?.value else {
            if !plugin.accountIsOptional {
                let cure =
                    "name an account of kind \(kind)" + (fitting.isEmpty ? "" : ": \(fitting.joined(separator: ", "))")
                complaints.append(
                    Complaint(at: entry.key.span, "'\(entry.name)' lacks the key 'account'", cures: [cure])
                )
            }
            return nil
        }
        guard let name = node.asText(&complaints) else { return nil }
        if let other = installation.accounts.first(where: { $0.name == name }), other.plugin.kind != kind {
            complaints.append(
                Complaint(
                    at: node.span,
                    "account '\(name)' is of kind \(other.plugin.kind); \(plugin.name) needs one of kind \(kind)",
                    cures: fitting.isEmpty ? [] : ["accounts of that kind: \(fitting.joined(separator: ", "))"]
                )
            )
        } else if !names(of: "accounts").contains(name) {
            complaints.append(unknown("account", name, at: node.span, fitting))
        }
        return name
    }

    /// `30m`, or `{default: 60m, "05:30-08:00": 15m}`.
    private mutating func readEvery(
        _ node: YAMLNode,
        _ plugin: ProviderPlugin
    ) -> (standard: TimeSpan, periods: [(from: WallTime, to: WallTime, interval: TimeSpan)])? {
        guard case .mapping(let pairs) = node.content else {
            return readInterval(node, plugin).map { ($0, []) }
        }
        var standard = plugin.interval
        var periods: [(from: WallTime, to: WallTime, interval: TimeSpan)] = []
        for pair in pairs {
            guard let interval = readInterval(pair.value, plugin) else { continue }
            if pair.name == "default" {
                standard = interval
                continue
            }
            let times = pair.name.split(separator: "-", omittingEmptySubsequences: false).map { WallTime($0) }
            guard times.count == 2, let from = times[0], let to = times[1], from != to else {
                complaints.append(
                    Complaint(
                        at: pair.key.span,
                        "'\(pair.name)' is no time of day from which to which",
                        cures: ["write \"05:30-08:00\": 15m, or default: 60m"]
                    )
                )
                continue
            }
            periods.append((from, to, interval))
        }
        return (standard, periods)
    }

    private mutating func readInterval(_ node: YAMLNode, _ plugin: ProviderPlugin) -> TimeSpan? {
        guard let interval = node.asDuration(&complaints) else { return nil }
        if interval >= plugin.shortestInterval { return interval }
        complaints.append(
            Complaint(
                at: node.span,
                "\(plugin.name) is not polled that often",
                cures: ["the shortest interval is \(Value.duration(plugin.shortestInterval).plainText)"]
            )
        )
        return nil
    }

    mutating func readSink(_ entry: YAMLPair) -> SinkEntry? {
        let kinds = catalogue.sinks.map(\.kind)
        guard let pairs = entry.value.asMapping(&complaints),
            let kind = required("kind", of: entry, pairs, "kinds of sinks: \(kinds.joined(separator: ", "))")?
                .asChoice(among: kinds, &complaints),
            let plugin = catalogue.sinks.first(where: { $0.kind == kind })
        else { return gap(entry) }
        let common = ["kind", "parallel", "uncertain", "locale"]
        let parallel = pairs.first { $0.name == "parallel" }.flatMap { $0.value.asInt(in: 1...64, &complaints) } ?? 1
        let uncertain =
            pairs.first { $0.name == "uncertain" }
            .flatMap { $0.value.asChoice(among: ["resend", "hold", "drop"], &complaints) } ?? "resend"
        let locale = pairs.first { $0.name == "locale" }.flatMap { readLocale($0.value) }
        let settings = pluginSettings(entry, common: common, plugin.settings)
        return SinkEntry(
            name: entry.name,
            plugin: plugin,
            settings: settings,
            parallel: Int(parallel),
            uncertain: uncertain,
            locale: locale
        )
    }

    /// The plugin's part of an entry; what is wrong with it is complained of, and left out.
    private mutating func pluginSettings(
        _ entry: YAMLPair,
        common: [String],
        _ declarations: [SettingDeclaration]
    ) -> Settings {
        let pairs = entry.value.asMapping(known: common + declarations.map(\.key), &complaints) ?? []
        return settings.settings(
            of: entry.name,
            pairs,
            by: declarations,
            at: entry.key.span
        )
    }
}

/// What stands for entries of which nobody can say what they are, so that rules may name them. A file with such entries is never used.
extension BotFileReader {
    private func gap(_ entry: YAMLPair, _ installation: Installation) -> SourceEntry? {
        guard let plugin = catalogue.providers.first else { return nil }
        return SourceEntry(
            name: entry.name,
            plugin: plugin,
            settings: Settings(name: entry.name, values: [:]),
            schema: SourceSchema(records: [], events: []),
            zone: installation.zone,
            interval: plugin.interval
        )
    }

    private func gap(_ entry: YAMLPair) -> SinkEntry? {
        let plugin = catalogue.sinks.first { $0.takesRecipients && $0.canBeSilent } ?? catalogue.sinks.first
        return plugin.map { SinkEntry(name: entry.name, plugin: $0, settings: Settings(name: entry.name, values: [:])) }
    }

    /// Gives sources that may be anything all that any provider declares: whatever rules ask of them is not to blame.
    func fillGaps(in installation: inout Installation) {
        let isGap = { (source: SourceEntry) in source.schema.records.isEmpty }
        guard installation.sources.contains(where: isGap) else { return }
        let answered = Set(installation.sources.flatMap(\.schema.queries).map(\.name))
        var seen: Set<String> = answered
        for place in installation.sources.indices where isGap(installation.sources[place]) {
            let name = installation.sources[place].name
            let schemas = catalogue.providers.map { $0.schema(Settings(name: name, values: [:])) }
            installation.sources[place].schema = SourceSchema(
                records: schemas.flatMap(\.records),
                events: schemas.flatMap(\.events),
                queries: schemas.flatMap(\.queries).filter { seen.insert($0.name).inserted }
            )
        }
    }
}
