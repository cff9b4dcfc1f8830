import Foundation
@testable import Liquid
import Testing
import Values

struct ReadmeTests {
    static var text: String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return (try? String(contentsOf: root.appending(path: "Sources/Liquid/README.md"), encoding: .utf8)) ?? ""
    }

    /// The rows of the table of filters: template, German, Italian, English.
    static var rows: [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| `{{") }.map { line in
            let cells = line.replacing("\\|", with: "\u{1}").split(separator: "|")
            return cells.map {
                $0.replacing("\u{1}", with: "|").trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
        }
    }

    @Test func `the examples of the read-me are right`() throws {
        let rows = Self.rows
        #expect(rows.count > 20)
        for row in rows {
            try #require(row.count == 4)
            for (locale, wanted) in zip([LiquidLocale.de, .it, .en], row.dropFirst()) {
                #expect(try Rendering.render(row[0], locale: locale) == wanted)
            }
        }
    }

    @Test func `every filter and every date style has its place in the read-me`() {
        let text = Self.text
        for name in FilterTable.standard.names { #expect(text.contains("`\(name)`") || text.contains("\\| \(name)")) }
        for style in DateStyle.allCases { #expect(text.contains("date: \"\(style.rawValue)\"")) }
    }
}
