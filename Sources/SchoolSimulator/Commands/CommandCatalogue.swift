import Values

/// Every command with its usage, for help texts and for reading them.
public enum CommandCatalogue {
    /// One verb.
    public struct Entry: Sendable {
        /// The first word of the line.
        public let verb: String
        /// How it is written: capitals stand for words of your own, brackets for what may be left out.
        public let usage: String
        /// What it does, in one line.
        public let summary: String
        /// A line that works in a school as it begins, on a school day before noon.
        public let example: String
        /// Words after which an option stands.
        let keywords: [String]
        let read: @Sendable (inout CommandWords) throws(CommandError) -> SimulatorCommand

        init(
            _ usage: String,
            _ summary: String,
            _ example: String,
            keywords: [String] = [],
            read: @escaping @Sendable (inout CommandWords) throws(CommandError) -> SimulatorCommand
        ) {
            verb = usage.split(separator: " ").first.map(String.init) ?? usage
            self.usage = usage
            self.summary = summary
            self.example = example
            self.keywords = keywords
            self.read = read
        }
    }

    /// All commands, in the order of a help text.
    public static let entries: [Entry] = timetable + recordBook + community + server

    /// The line of words that a shell has already taken apart: those with blanks are quoted.
    ///
    /// - Parameter arguments: `["message", "Open day", "We open."]`.
    public static func line(of arguments: [String]) -> String {
        arguments.map { word in
            guard word.isEmpty || word.contains(where: { $0.isWhitespace || $0 == "\"" }) else { return word }
            return "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }.joined(separator: " ")
    }

    /// The help text: usage, meaning and example of every command.
    public static var help: String {
        entries.map { "\($0.usage)\n    \($0.summary), as in: \($0.example)" }.joined(separator: "\n")
    }
}

extension SimulatorCommand {
    /// Reads one command line.
    ///
    /// - Throws: what is wrong with it and how to mend it; whether the school has such a lesson, student or class shows only when the
    ///   command is carried out.
    public static func parse(_ line: String) throws(CommandError) -> SimulatorCommand {
        let words = try CommandWords.split(line)
        let verbs = CommandCatalogue.entries.map(\.verb)
        guard let first = words.first else {
            throw CommandError("no command was given", cures: ["commands: " + verbs.joined(separator: ", ")])
        }
        let verb = first.text.lowercased()
        guard let entry = CommandCatalogue.entries.first(where: { $0.verb == verb }) else {
            let question = Spelling.question(about: verb, among: verbs)
            throw CommandError(
                "there is no command '\(first.text)'",
                cures: [question ?? "commands: " + verbs.joined(separator: ", ")]
            )
        }
        var reader = try CommandWords(words, entry: entry)
        let command = try entry.read(&reader)
        try reader.finish()
        return command
    }
}
