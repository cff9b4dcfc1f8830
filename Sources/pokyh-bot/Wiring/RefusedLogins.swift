import BotCore
import BotEngine
import BotState
import Values

/// Which logins were refused, for commands that log in beside the bot: nobody may try those again, and what they are refused themselves
/// they note for all others.
struct RefusedLogins {
    private let rests: [String: AccountRest]
    /// Nil where there is no state yet: then nothing is known, and nothing can be noted.
    private let key: [UInt8]?

    static func read(inFolder folder: String) async throws(StateError) -> RefusedLogins {
        if try SQLiteStore.isMissing(inFolder: folder) { return RefusedLogins(rests: [:], key: nil) }
        let store = try await SQLiteStore.openBeside(folder: folder)
        do throws(StateError) {
            let known = RefusedLogins(rests: try await store.rests(), key: try await store.fingerprintKey())
            await store.close()
            return known
        } catch {
            await store.close()
            throw error
        }
    }

    /// Whether the login of an account was refused with the very settings that it has now.
    func include(_ account: AccountSetup) -> Bool {
        guard let key, let rest = rests[account.name] else { return false }
        return rest.fingerprint == Fingerprint.of(account.credentials, key: key)
    }

    /// What there is to note of a login that has been refused.
    func rest(of account: AccountSetup, _ error: PluginError, at now: Timestamp) -> AccountRest? {
        key.map {
            AccountRest(fingerprint: Fingerprint.of(account.credentials, key: $0), since: now, error: error.message)
        }
    }

    /// Notes refusals, by what they put to rest. A folder that holds no state stays as it is.
    static func note(
        _ rests: [String: AccountRest],
        inFolder folder: String,
        at now: Timestamp
    ) async throws(StateError) {
        if rests.isEmpty { return }
        if try SQLiteStore.isMissing(inFolder: folder) { return }
        let store = try await SQLiteStore.openBeside(folder: folder)
        var commit = Commit(at: now)
        commit.rests = rests
        do throws(StateError) {
            try await store.commit(commit)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }
}
