import BotCore
import BotRules
import BotState
import Glibc

/// Which file each rule id belongs to, as the state folder keeps it: a new file with a known id must not take the place of the good one,
/// after a restart neither.
///
/// Paths are kept whole, since commands are called from anywhere.
struct RuleHomes {
    private let stateFolder: String
    /// Where rule files are looked for, as their paths begin, and the same whole.
    private let roots: [(written: String, whole: String)]

    init(of installation: Installation, from folder: String) {
        stateFolder = FileAccess.resolve(installation.statePath, from: folder)
        roots = installation.rulePaths.map { path in
            let written = FileAccess.resolve(path, from: folder)
            return (written, FileAccess.whole(written))
        }
    }

    /// The file of each id, its path written as those of the files that are read now.
    func read() -> [String: String] {
        SQLiteStore.ruleHomes(inFolder: stateFolder).mapValues { exchanged($0, from: \.whole, to: \.written) }
    }

    /// The same where the rules run already, whether it can be written or not.
    func note(_ homes: [String: String], in store: SQLiteStore, _ log: Log) async {
        do throws(StateError) {
            try await note(homes, in: store)
        } catch {
            log(.warning, "Which file each rule belongs to could not be noted: \(error)")
        }
    }

    func note(_ homes: [String: String], in store: SQLiteStore) async throws(StateError) {
        try await store.noteRuleHomes(homes.mapValues { exchanged($0, from: \.written, to: \.whole) })
    }

    private typealias Root = (written: String, whole: String)

    private func exchanged(_ path: String, from: (Root) -> String, to: (Root) -> String) -> String {
        for root in roots where path == from(root) || path.hasPrefix(from(root) + "/") {
            return to(root) + path.dropFirst(from(root).count)
        }
        return path
    }
}
