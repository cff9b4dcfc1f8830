import BotCore
import BotEngine
import BotRules
import BotState
import BotTransport
import Values
import WebUntisProvider

/// The part of `check --online` that asks: who each login may ask about, and whether every source says whom it means.
struct AccountCheck {
    let house: House
    let world: World

    init(_ house: House, _ world: World) {
        self.house = house
        self.world = world
    }

    func run() async -> ExitCode {
        let known: RefusedLogins
        do throws(StateError) {
            known = try await RefusedLogins.read(inFolder: house.configuration.stateFolder)
        } catch {
            // A school may lock an account whose refused password is tried again.
            world.terminal.error(
                "no account is asked: which logins were refused before cannot be read. state: \(error)"
            )
            world.terminal.error("  'pokyh-bot state check' says more")
            return .state
        }
        var worst = ExitCode.fine
        for setup in house.accounts {
            guard let account = setup.account as? WebUntisAccount else { continue }
            if known.include(setup) {
                world.terminal.error(
                    "account \(setup.name): not asked, since its login was refused before; it is asked no more before its settings "
                        + "change or 'pokyh-bot retry \(setup.name)' asks for it"
                )
                worst = max(worst, .somethingFailed)
                continue
            }
            worst = max(worst, await check(setup, account, known))
        }
        return worst
    }

    private func check(_ setup: AccountSetup, _ account: WebUntisAccount, _ known: RefusedLogins) async -> ExitCode {
        let now = world.clock.now
        var code = ExitCode.fine
        do throws(PluginError) {
            let students = try await account.students(at: now)
            world.terminal.print(Self.line(setup.name, students, named: world.terminal.isTerminal))
            let sources = house.configuration.installation.sources.filter { $0.account == setup.name }
            for complaint in Self.complaints(sources, students) {
                world.terminal.error(complaint)
                code = .configuration
            }
        } catch {
            world.terminal.error(house.configuration.redactor.mask(error.message))
            code = .somethingFailed
            if error.disposition == .unauthorized { await note(known.rest(of: setup, error, at: now), of: setup.name) }
        }
        await account.close(at: world.clock.now)
        return code
    }

    private func note(_ rest: AccountRest?, of account: String) async {
        guard let rest else { return }
        do throws(StateError) {
            try await RefusedLogins.note([account: rest], inFolder: house.configuration.stateFolder, at: rest.since)
        } catch {
            world.terminal.error("account \(account): that its login was refused could not be noted. state: \(error)")
        }
    }

    /// - Parameter named: whether a person looks at it: names of students go to a terminal alone.
    static func line(_ account: String, _ students: [Student], named: Bool) -> String {
        let list = students.sorted { $0.id < $1.id }.map { named ? "\($0.name) (\($0.id))" : $0.id }
        let text = list.isEmpty ? "none; the school's office links children to guardians" : list.joined(separator: ", ")
        return TerminalText.line("account \(account): students: \(text)")
    }

    /// What is wrong with the `student:` of sources of one account; ids alone, never names.
    static func complaints(_ sources: [SourceEntry], _ students: [Student]) -> [String] {
        let ids = students.map(\.id).sorted().joined(separator: ", ")
        return sources.compactMap { source in
            let wanted = source.settings.text("student")
            let needsNone = wanted == nil && WebUntisPlugins.ofAccount.contains(source.plugin.name)
            if students.isEmpty || needsNone || WebUntisAccount.fits(wanted, students) { return nil }
            return wanted == nil
                ? "source \(source.name): error: its account has several children; add 'student:' with a first name or one of the ids \(ids)"
                : "source \(source.name): error: 'student:' fits none or several of the account's students; their ids are \(ids)"
        }
    }
}

extension ExitCode: Comparable {
    static func < (left: ExitCode, right: ExitCode) -> Bool { left.rawValue < right.rawValue }
}
