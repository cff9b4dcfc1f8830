import Foundation
import Glibc
import Testing

@testable import SchoolSimulator

/// What the admin reads of a rule whose file has errors.
@Suite(.timeLimit(.minutes(10))) struct BrokenRuleNoticeTests {
    @Test(arguments: [
        ("de", "die letzte fehlerfreie Fassung", "Nichts von ihr läuft"),
        ("it", "l'ultima versione senza errori", "Nulla di essa funziona"),
        ("en", "its last version without errors runs", "nothing of it runs"),
    ])
    func `a notice of a broken rule says whether anything of it runs`(
        locale: String,
        kept: String,
        gone: String
    ) async throws {
        let town = try FeedTown(extra: ["locale: \(locale)"])
        defer { town.close() }
        town.far.show([1: "old"])
        let bot = try town.start("run")
        #expect(bot.line(with: "first look") != nil)
        let rules = try String(contentsOf: town.folder.appending(path: "rules.yaml"), encoding: .utf8)
        try town.write("rules.yaml", rules.replacing("item.title", with: "item.nothing_like_it |"))
        #expect(try await town.run("reload").status == 78)
        bot.signal(SIGTERM)
        #expect(bot.wait().status == 0)
        _ = try await town.run("once")
        let told = town.far.requests.filter { $0.path == "/hook/admin" }.map {
            String(decoding: $0.body, as: UTF8.self)
        }
        try #require(told.count == 2, "\(told)")
        #expect(told[0].contains(kept) && !told[0].contains(gone), "\(told)")
        #expect(told[1].contains(gone) && !told[1].contains(kept), "\(told)")
    }
}
