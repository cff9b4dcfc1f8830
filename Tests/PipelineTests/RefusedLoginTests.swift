import Foundation
import Glibc
import Testing

@testable import SchoolSimulator

/// Who asks a school with a password that it has refused brings the account nearer to its lock.
@Suite(.timeLimit(.minutes(10))) struct RefusedLoginTests {
    static let commands = [["check", "--online"], ["once", "--dry-run"]]

    @Test(arguments: commands)
    func `PROV-04 a password that a command was refused is asked by no command again`(words: [String]) async throws {
        let town = try SchoolTown()
        defer { town.close() }
        #expect(try await town.run("once").status == 0)
        let refused = try await town.run(words[0], words[1], password: "wrong")
        #expect(refused.status == 1)
        let asked = town.school.log.count
        for again in Self.commands {
            let run = try await town.run(again[0], again[1], password: "wrong")
            #expect(run.status == 1)
            #expect(
                run.errors.contains("until its settings change") || run.errors.contains("before its settings change")
            )
        }
        #expect(town.school.log.count == asked)
        #expect(try await town.run("status").status == 1)
    }

    @Test func `PROV-04 a corrected password is checked at once, although the one before was refused`() async throws {
        let town = try SchoolTown()
        defer { town.close() }
        #expect(try await town.run("once", password: "wrong").status == 1)
        #expect(try await town.run("check", "--online", password: "wrong").status == 1)
        #expect(try await town.run("check", "--online").status == 0)
    }

    @Test func `PROV-04 a bot that rests with an old password is not awakened by a check of another`() async throws {
        let town = try SchoolTown()
        defer { town.close() }
        let bot = try town.start("run", password: "wrong")
        #expect(bot.line(with: "Source marks:") != nil)
        #expect(try await town.run("check", "--online").status == 0)
        #expect(try await town.run("check", "--online", password: "also wrong").status == 1)
        let asked = town.school.log.count
        // The bot looks every ten seconds what others have written; at a start it has to ask no more.
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
        #expect(try await town.run("check", "--online", password: "also wrong").status == 1)
        #expect(town.school.log.count == asked)
    }

    @Test func `check makes no state, and a dry run neither`() async throws {
        let town = try SchoolTown()
        defer { town.close() }
        for words in Self.commands {
            #expect(try await town.run(words[0], words[1], password: "wrong").status == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: town.folder.appending(path: "state").path))
    }
}
