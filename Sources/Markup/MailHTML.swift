extension MarkupDocument {
    /// A complete HTML document for mail.
    ///
    /// `title` is plain text for the `<title>` (mail programs show the subject instead); `language` a BCP 47 tag such as `de` or `it-IT`. Styles are inline, since
    /// programs drop style sheets; no colour is set but greys that can be read on white and on black, so that light and dark mode both use
    /// the reader's own colours. No script, no outside resource but pictures that the template names.
    public func mailHTML(title: String, language: String) -> String {
        let writer = HTMLWriter(
            attributes: MailStyle.attributes,
            alignment: MailStyle.alignment,
            pings: [],
            links: { _ in true },
            showsImages: true,
            showsTitles: true
        )
        let isTag = !language.isEmpty && language.utf8.allSatisfy { Character(Unicode.Scalar($0)).isTagCharacter }
        return """
            <!DOCTYPE html>
            <html lang="\(isTag ? language : "und")">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="supported-color-schemes" content="light dark">
            <title>\(HTMLText.escaped(LeafText.cleanedLine(title)))</title>
            </head>
            <body style="margin:0;padding:0">
            <div style="\(MailStyle.page)">
            \(writer.html(of: blocks))
            </div>
            </body>
            </html>

            """
    }
}

extension Character {
    /// What language tags are made of (RFC 5646 §2.1).
    fileprivate var isTagCharacter: Bool { isASCII && (isLetter || isNumber || self == "-") }
}

/// The looks of a mail.
private enum MailStyle {
    /// The reader's own sans serif at a size for phones, in lines short enough to read.
    static let page =
        "max-width:40em;margin:0 auto;padding:16px;font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
        + "font-size:16px;line-height:1.5;overflow-wrap:break-word"

    /// A grey with a contrast of at least 4.4 against both white and black.
    private static let grey = "#777777"

    static func attributes(_ tag: String) -> String {
        guard let style = style(tag) else { return "" }
        return (readsByItself.contains(tag) ? " dir=\"auto\"" : "") + " style=\"\(style)\""
    }

    /// Blocks of text find their direction from their first letter, so that an Arabic paragraph begins on the right.
    private static let readsByItself: Set = ["p", "li", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6"]

    private static func style(_ tag: String) -> String? {
        switch tag {
        case "p": "margin:0 0 12px"
        case "h1": "margin:0 0 12px;font-size:22px;line-height:1.3"
        case "h2": "margin:16px 0 8px;font-size:19px;line-height:1.3"
        case "h3", "h4", "h5", "h6": "margin:16px 0 8px;font-size:17px;line-height:1.3"
        case "ul", "ol": "margin:0 0 12px;padding-left:24px"
        case "li ul", "li ol": "margin:4px 0 0;padding-left:24px"
        case "li": "margin:0 0 4px"
        case "blockquote": "margin:0 0 12px;padding:0 0 0 12px;border-left:3px solid \(grey)"
        case "pre":
            "margin:0 0 12px;padding:8px 12px;border:1px solid \(grey);border-radius:4px;background:\(shade);font-family:\(code);"
                + "font-size:14px;line-height:1.4;white-space:pre-wrap"
        case "code": "padding:1px 4px;border-radius:3px;background:\(shade);font-family:\(code);font-size:90%"
        case "hr": "margin:16px 0;border:0;border-top:1px solid \(grey)"
        // Words in cells stay whole, so a table may be wider than a phone: then it is moved sideways by itself.
        case "table frame": "margin:0 0 12px;overflow-x:auto"
        case "table": "border-collapse:collapse"
        case "th": "padding:4px 12px 4px 0;border-bottom:2px solid \(grey);vertical-align:bottom"
        case "td": "padding:4px 12px 4px 0;border-bottom:1px solid \(grey);vertical-align:top"
        case "img": "max-width:100%;height:auto;border:0"
        default: nil
        }
    }

    /// A veil over white or black that the text on it stays readable on. Programs that do not know it show none.
    private static let shade = "rgba(128,128,128,0.15)"

    private static let code = "ui-monospace,Consolas,Menlo,monospace"

    static func alignment(_ alignment: MarkupTable.Alignment) -> String {
        switch alignment {
        case .none, .left: " align=\"left\""
        case .center: " align=\"center\""
        case .right: " align=\"right\""
        }
    }
}
