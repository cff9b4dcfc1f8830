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
        let resting: Set<String>
        do throws(StateError) {
            resting = try await restingAccounts()
        } catch {
            // A school may lock an account whose refused password is tried again.
            world.terminal.error(
                "no account is asked: which logins were refused before cannot be read. state: \(error)"
            )
            world.terminal.error("  'pokyh-bot state check' says more")
            return .state
        }
        let now = world.clock.now
        var worst = ExitCode.fine
        for setup in house.accounts {
            guard let account = setup.account as? WebUntisAccount else { continue }
            if resting.contains(setup.name) {
                world.terminal.error(
                    "account \(setup.name): not asked, since its login was refused before; after 'pokyh-bot retry \(setup.name)' it is"
                )
                worst = max(worst, .somethingFailed)
                continue
            }
            do throws(PluginError) {
                let students = try await account.students(at: now)
                world.terminal.print(Self.line(setup.name, students, named: world.terminal.isTerminal))
                let sources = house.configuration.installation.sources.filter { $0.account == setup.name }
                for complaint in Self.complaints(sources, students) {
                    world.terminal.error(complaint)
                    worst = .configuration
                }
            } catch {
                world.terminal.error(house.configuration.redactor.mask(error.message))
                worst = max(worst, .somethingFailed)
            }
            await account.close(at: world.clock.now)
        }
        return worst
    }

    /// Accounts that the memory keeps from trying again; none where there is no memory yet.
    private func restingAccounts() async throws(StateError) -> Set<String> {
        let folder = house.configuration.stateFolder
        if try SQLiteStore.isMissing(inFolder: folder) { return [] }
        let store = try await SQLiteStore.openBeside(folder: folder)
        do throws(StateError) {
            let rests = try await store.rests()
            await store.close()
            return Set(rests.keys)
        } catch {
            await store.close()
            throw error
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
