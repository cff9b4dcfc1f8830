import BotConfig
import BotCore
import BotRules
import Synchronization

/// Where secrets come from: the environment, the service manager's credentials folder, a file beside the bot file, the program.
///
/// A secret is taken literally; of a file's content one final line end is removed, nothing else. The first place that has it wins.
struct SecretLookup: Sendable {
    var environment: [String: String]
    /// The folder of the bot file.
    var botFolder: String

    func find(_ name: String) -> SecretAnswer {
        if let value = environment[name], !value.isEmpty { return .found(Secret(value)) }
        var places = ["the environment variable \(name)"]
        if let folder = environment["CREDENTIALS_DIRECTORY"] {
            let path = folder + "/" + name
            places.append(path)
            if let found = file(path, guarded: false) { return found }
        }
        let path = FileAccess.resolve("secrets/\(name)", from: botFolder)
        places.append(path)
        if let found = file(path, guarded: true) { return found }
        if let value = Secrets.values[name], !value.isEmpty { return .found(Secret(value)) }
        return .missing(places: places + ["Sources/BotConfig/Secrets.swift"])
    }

    private func file(_ path: String, guarded: Bool) -> SecretAnswer? {
        guard FileAccess.exists(path) else { return nil }
        // The service manager's folder is guarded by its owner; a file of the admin's is only as good as its mode.
        if guarded, FileAccess.isReadableByOthers(path) {
            return .refused(reason: "\(path) can be read by others; run: chmod 600 \(path)")
        }
        guard let bytes = try? FileAccess.read(path, limit: 65_536) else {
            return .refused(reason: "\(path) cannot be read by this user")
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            return .refused(reason: "\(path) is not UTF-8 text")
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
        return text.isEmpty ? .refused(reason: "\(path) is empty") : .found(Secret(text))
    }
}

/// How long each secret is that was found: a length shows one that was cut or has a line end too many, and gives nothing else away.
final class SecretLedger: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func note(_ name: String, _ secret: Secret) {
        let count = secret.reveal().count
        counts.withLock { $0[name] = count }
    }

    /// In characters, by name.
    var lengths: [(name: String, count: Int)] {
        counts.withLock { $0.sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) } }
    }
}
