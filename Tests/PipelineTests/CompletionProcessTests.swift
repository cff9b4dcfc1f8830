import Foundation
import Testing

@testable import pokyh_bot

/// Completions as the shells themselves work them out.
@Suite struct CompletionProcessTests {
    private static let questions: [(line: [String], has: [String], lacks: [String])] = [
        (["sta"], ["status"], ["show"]), (["check", "--for"], ["--format"], ["--coverage"]),
        (["check", "--format", "g"], ["github"], ["text"]), (["help", "pre"], ["preview"], ["run"]),
        (["schema", ""], ["rules", "bot"], []), (["show", "ti"], ["timetable"], ["grades"]),
        (["preview", "--config", "CONFIG", "can"], ["cancelled"], ["lunch"]),
        (["preview", "--config", "CONFIG", "--sink", ""], ["told"], ["cancelled"]),
        (["show", "--config", "CONFIG", "--source", "le"], ["lessons"], []),
        (["silence", "--config", "CONFIG", "--rule", "lu"], ["lunch"], ["cancelled"]),
        (["send", "--config", "CONFIG", "to"], ["told"], []),
    ]

    private static var program: String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "pokyh-bot").path
    }

    private static func has(_ shell: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
    }

    private func run(_ shell: String, _ words: [String], in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(shell)")
        process.arguments = words
        let path = "\(folder.path):/usr/bin:/bin"
        process.environment = ["PATH": path, "HOME": folder.path, "TERM": "dumb", "SWIFT_BACKTRACE": "enable=no"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// An installation with the program and the shell's script beside it.
    private func prepare(_ shell: String, _ script: String) async throws -> QuestionedInstallation {
        let bot = try await QuestionedInstallation()
        try FileManager.default.createSymbolicLink(
            atPath: bot.folder.appending(path: "pokyh-bot").path,
            withDestinationPath: Self.program
        )
        try bot.write(script, run("bash", ["-c", "pokyh-bot completions \(shell)"], in: bot.folder))
        return bot
    }

    private func check(_ answers: (_ line: [String]) throws -> Set<String>, _ bot: QuestionedInstallation) throws {
        for question in Self.questions {
            let line = question.line.map { $0 == "CONFIG" ? bot.config : $0 }
            let answer = try answers(line)
            #expect(Set(question.has).isSubset(of: answer), "\(question.line): \(answer.sorted())")
            #expect(answer.isDisjoint(with: question.lacks), "\(question.line): \(answer.sorted())")
        }
    }

    @Test(.enabled(if: has("bash"), "there is no bash"))
    func `bash completes commands, options, their values and names of the installation`() async throws {
        let bot = try await prepare("bash", "completions.bash")
        defer { bot.remove() }
        try check(
            { line in
                let words = (["pokyh-bot"] + line).map { "'\($0)'" }.joined(separator: " ")
                let script = """
                    source \(bot.folder.path)/completions.bash
                    COMP_WORDS=(\(words)); COMP_CWORD=\(line.count); _pokyh_bot
                    printf '%s\\n' "${COMPREPLY[@]}"
                    """
                return Set(try run("bash", ["-c", script], in: bot.folder).split(separator: "\n").map(String.init))
            },
            bot
        )
        // The shell itself splits the word at the equals sign.
        let script = """
            source \(bot.folder.path)/completions.bash
            COMP_WORDS=(pokyh-bot check --format = js); COMP_CWORD=4; _pokyh_bot; echo "${COMPREPLY[@]}"
            """
        #expect(try run("bash", ["-c", script], in: bot.folder) == "json\n")
    }

    @Test(.enabled(if: has("fish"), "there is no fish"))
    func `fish completes commands, options, their values and names of the installation`() async throws {
        let bot = try await prepare("fish", "completions.fish")
        defer { bot.remove() }
        try check(
            { line in
                let words = (["pokyh-bot"] + line).joined(separator: " ")
                let script = "source \(bot.folder.path)/completions.fish; complete -C '\(words)'"
                let lines = try run("fish", ["--no-config", "-c", script], in: bot.folder).split(separator: "\n")
                return Set(lines.compactMap { $0.split(separator: "\t").first.map(String.init) })
            },
            bot
        )
    }

    @Test(.enabled(if: has("zsh"), "there is no zsh"))
    func `zsh completes commands, options, their values and names of the installation`() async throws {
        let bot = try await prepare("zsh", "_pokyh-bot")
        defer { bot.remove() }
        // A shell in a pseudo-terminal, with the tabulator pressed: all that is offered stands between two marks.
        let script = """
            zmodload zsh/zpty
            zpty -b shell zsh -f -i
            zpty -w shell 'PS1=; unsetopt zle_bracketed_paste; fpath=(\(bot.folder.path) $fpath); autoload -U compinit; compinit -u -D'
            zpty -w shell 'compadd() { builtin compadd -O _found "$@"; print -l -- "${_found[@]/#/FOUND:}"; builtin compadd "$@" }'
            zpty -w shell 'LISTMAX=10000; print ready""now'
            zpty -r -m shell seen '*readynow*'
            zpty -w -n shell "$1"$'\\t'
            zpty -w -n shell $'\\C-a\\C-k'"print fin""ished"$'\\n'
            zpty -r -m shell seen '*finished'$'\\r''*'
            print -r -- $seen
            """
        try check(
            { line in
                let words = (["pokyh-bot"] + line).joined(separator: " ")
                let text = try run("zsh", ["-f", "-c", script, "zsh", words], in: bot.folder)
                let found = text.matches(of: /FOUND:([^\s]+)/).map { String($0.output.1) }
                return Set(found)
            },
            bot
        )
    }
}
