/// `pokyh-bot version`.
enum VersionCommand {
    /// Semantic Versioning 2.0; `CHANGELOG.md` says what each version brought.
    static let number = "0.1.0"

    static let command = Command(
        "version",
        "prints the version",
        run: { _, world throws(CommandFailure) in
            world.terminal.print("pokyh-bot \(number)")
            return .fine
        }
    )
}
