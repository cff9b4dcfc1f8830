/// Secrets built into the program, for private builds that are handed out as one file.
///
/// All are empty by default. `Secrets.example.swift` at the top of the repository, copied to `Sources/BotConfig/Secrets.swift` (which
/// git ignores), overrides them; the build notices the file by itself. A secret compiled in can be read out of the program file, so
/// the environment, a credentials folder or a secret file are the better places wherever they can be used.
public protocol CompiledSecrets {
    /// Values by the names that the bot file uses: `["POKYH_API_KEY": "…"]`.
    static var values: [String: String] { get }
}

extension CompiledSecrets {
    public static var values: [String: String] { [:] }
}

/// The secrets of this build.
public enum Secrets: CompiledSecrets {}
