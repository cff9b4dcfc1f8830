import BotCore
import BotRules
import BotState
import Values

/// The memory of an installation, opened beside a running engine or while none runs.
enum StateReading {
    static func open(_ configuration: Configuration) async throws(CommandFailure) -> SQLiteStore {
        do throws(StateError) {
            return try await SQLiteStore.openBeside(folder: configuration.stateFolder)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Runs one reading and closes the memory.
    static func read<Result: Sendable>(
        _ configuration: Configuration,
        _ reading: (SQLiteStore) async throws(StateError) -> Result
    ) async throws(CommandFailure) -> Result {
        let store = try await open(configuration)
        do throws(StateError) {
            let result = try await reading(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw CommandFailure(error)
        }
    }

    /// Runs something that no engine may work beside, and closes the memory.
    static func alone<Result: Sendable>(
        _ configuration: Configuration,
        _ work: (SQLiteStore) async throws(StateError) -> Result
    ) async throws(CommandFailure) -> Result {
        try await run(work) { () throws(StateError) in
            try await SQLiteStore.openAlone(folder: configuration.stateFolder)
        }
    }

    /// Runs something that may go further where no engine runs; it is told whether that is so.
    static func aloneOrBeside<Result: Sendable>(
        _ configuration: Configuration,
        _ work: (SQLiteStore, Bool) async throws(StateError) -> Result
    ) async throws(CommandFailure) -> Result {
        do throws(CommandFailure) {
            return try await alone(configuration) { store throws(StateError) in try await work(store, true) }
        } catch {
            guard try holder(configuration) != .nobody else { throw error }
            return try await read(configuration) { store throws(StateError) in try await work(store, false) }
        }
    }

    /// Runs something on a copy of the memory that lasts no longer than it.
    static func onCopy<Result: Sendable>(
        _ configuration: Configuration,
        _ work: (SQLiteStore) async throws(StateError) -> Result
    ) async throws(CommandFailure) -> Result {
        try await run(work) { () throws(StateError) in
            try await SQLiteStore.openCopy(ofFolder: configuration.stateFolder)
        }
    }

    private static func run<Result: Sendable>(
        _ work: (SQLiteStore) async throws(StateError) -> Result,
        on open: () async throws(StateError) -> SQLiteStore
    ) async throws(CommandFailure) -> Result {
        do throws(StateError) {
            let store = try await open()
            do throws(StateError) {
                let result = try await work(store)
                await store.close()
                return result
            } catch {
                await store.close()
                throw error
            }
        } catch .locked(let pid) {
            let process = pid.map { "process \($0)" } ?? "a process"
            throw CommandFailure(
                .state,
                "state: a bot is running on it (\(process)), and would write what it remembers over this",
                "  stop it first ('systemctl stop pokyh-bot' where it is a service), run this again, then start it"
            )
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Who works on the memory now.
    static func holder(_ configuration: Configuration) throws(CommandFailure) -> FolderHolder {
        do throws(StateError) {
            return try SQLiteStore.holder(ofFolder: configuration.stateFolder)
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// How long ago something was, in words: `3 min`, `2 h`, `5 d`.
enum Age {
    static func text(from then: Timestamp, to now: Timestamp) -> String {
        let seconds = max(0, (now - then).seconds)
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}
