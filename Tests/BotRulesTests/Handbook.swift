import Foundation

/// The fenced blocks of a document of this repository, with what stands behind the fence: `yaml`, `yaml wrong`, `liquid`, `text telegram`.
struct Handbook {
    struct Block: Sendable {
        let kind: String
        let text: String
        /// Where its content begins, counted from 1.
        let line: Int
    }

    let path: String
    let text: String
    let blocks: [Block]

    /// `de` unless the name says otherwise: `rules/README.en.md`.
    var locale: String { path.contains(".en.") ? "en" : "de" }

    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    static let all = ["rules/README.md", "rules/README.en.md"].map(Handbook.init)

    init(_ path: String) {
        self.path = path
        let data = FileManager.default.contents(atPath: Self.root.appending(path: path).path()) ?? Data()
        text = String(decoding: data, as: UTF8.self)
        var blocks: [Block] = []
        var open: (kind: String, line: Int, lines: [Substring])?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let block = open {
                guard line == "```" else {
                    open?.lines.append(line)
                    continue
                }
                let text = block.lines.joined(separator: "\n") + "\n"
                blocks.append(Block(kind: block.kind, text: text, line: block.line))
                open = nil
            } else if line.hasPrefix("```"), line.count > 3 {
                open = (String(line.dropFirst(3)), number + 2, [])
            }
        }
        self.blocks = blocks
    }

    /// The blocks of a kind with what they give: the block that follows each.
    func answered(_ kind: String) -> [(block: Block, answer: Block)] {
        zip(blocks, blocks.dropFirst()).filter { $0.0.kind == kind }.map { (block: $0.0, answer: $0.1) }
    }

    /// The rows of tables that show templates: template, German, Italian, English.
    var templateRows: [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| `{{") }.map { line in
            line.replacing("\\|", with: "\u{1}").split(separator: "|").map {
                $0.replacing("\u{1}", with: "|").trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
        }
    }
}
