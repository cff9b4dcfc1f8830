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
