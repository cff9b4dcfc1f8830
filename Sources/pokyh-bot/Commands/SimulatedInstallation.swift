import SchoolSimulator

/// A bot file for the simulated school.
enum SimulatedInstallation {
    /// The secrets that the bot file below names; invented, so they may be shown.
    static let secrets = [
        "PAOLA_PASSWORD": SchoolSimulator.School.paola.password,
        "ANNA_PASSWORD": SchoolSimulator.School.anna.password,
        "POKYH_API_KEY": SchoolSimulator.School.apiKey,
        "POKYH_PASSWORD": SchoolSimulator.School.pokyhStudent.password,
    ]

    /// - Parameters:
    ///   - sinks: the lines below `sinks:`, indented by two blanks.
    ///   - every: the interval of all sources.
    ///   - admin: the sink that hears of troubles.
    ///   - locale: the language of the family.
    static func botFile(url: String, sinks: String, every: String, admin: String, locale: String) -> String {
        """
        version: 1
        timezone: Europe/Rome
        locale: de
        state: {path: ./state}
        rules: ./rules
        schools:
          muster: {server: "\(url)", school: \(SchoolSimulator.School.loginName)}
        accounts:
          paola: {kind: webuntis, school: muster, user: \(SchoolSimulator.School.paola.userName), password: {secret: PAOLA_PASSWORD}}
          anna: {kind: webuntis, school: muster, user: \(SchoolSimulator.School.anna.userName), password: {secret: ANNA_PASSWORD}}
          pokyh:
            kind: pokyh
            url: "\(url)"
            api_key: {secret: POKYH_API_KEY}
            user: \(SchoolSimulator.School.pokyhStudent.userName)
            password: {secret: POKYH_PASSWORD}
        sources:
          timetable-3a: {provider: webuntis.timetable, account: anna, student: Anna, every: \(every), trust_import: 0s}
          anna-grades: {provider: webuntis.grades, account: paola, student: Anna, every: \(every)}
          anna-messages: {provider: webuntis.messages, account: paola, student: Anna, every: \(every)}
          mensa: {provider: pokyh.mensa, url: "\(url)", every: \(every)}
          class-reminders: {provider: pokyh.reminders, account: pokyh, every: \(every)}
        families:
          muster: {students: [Anna], send: [mail-rossi], locale: \(locale)}
        sinks:
        \(sinks)
        admin: [\(admin)]
        hosts:
          127.0.0.1: {connections: 8, gap: 0s}

        """
    }

    /// What `simulate --port` says first.
    static func introduction(url: String) -> String {
        let sinks = ["mail-rossi", "mail-admin", "class-hook", "telegram-3a", "terminal"].map {
            "  \($0): {kind: stdout, prefix: \"\($0): \"}"
        }
        let secrets = secrets.sorted { $0.key < $1.key }.map { "export \($0.key)=\($0.value)" }
        return """
            The school is open at \(url) until you stop it (Ctrl-C).

            A bot file for it; keep it as Config/school.yaml, with your rules in Config/rules:

            \(botFile(url: url, sinks: sinks.joined(separator: "\n"), every: "10s", admin: "mail-admin", locale: "it"))
            Its secrets, for the shell in which the bot runs:

            \(secrets.joined(separator: "\n"))

            Then, in other shells:
              pokyh-bot run --config Config/school.yaml
              pokyh-bot simulate --at \(url) cancel MAT next
              pokyh-bot simulate --at \(url) help
            """
    }
}
