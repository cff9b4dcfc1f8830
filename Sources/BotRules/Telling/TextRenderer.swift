import BotCore
import Liquid
import Values

/// One message in one language, rendered.
struct RenderedText: Sendable {
    var title = TemplatedText(template: "")
    var body = TemplatedText(template: "")
    var plain: String?
    var html: String?
    var link: String?
    /// Why parts of it are gaps; in words for the admin.
    var failures: [String] = []
    /// Whether something of it is left to tell.
    var isUsable = true
}

/// Renders the templates of a message.
///
/// A template that meets a value that is not there is tried again with a gap in its place: rather a message with a gap than none. Only
/// if nothing at all can be rendered, nothing is told.
struct TextRenderer: Sendable {
    let variables: ValueMap
    let shapes: [FieldShape]
    let context: LiquidContext

    func render(_ text: MessageText, link: LiquidTemplate?) -> RenderedText {
        var result = RenderedText()
        var isAnythingLeft = false
        if let title = text.title {
            let rendered = markup(title, "title", &result)
            isAnythingLeft = rendered != nil
            result.title = rendered.map(Self.oneLine) ?? TemplatedText(template: StandardTexts.gap)
        }
        if let body = text.body {
            let rendered = markup(body, "body", &result)
            isAnythingLeft = isAnythingLeft || rendered != nil
            result.body = rendered ?? TemplatedText(template: StandardTexts.gap)
        }
        if let plain = text.plain { result.plain = markup(plain, "text", &result)?.plain }
        if let html = text.html { result.html = markup(html, "html", &result).map(Self.escapingValues) }
        if let link { result.link = markup(link, "link", &result).map { Self.oneLine($0).plain } }
        result.isUsable = isAnythingLeft
        return result
    }

    private func markup(_ template: LiquidTemplate, _ part: String, _ result: inout RenderedText) -> TemplatedText? {
        do throws(LiquidError) {
            let rendered = try template.renderMarkup(variables, context: context)
            return TemplatedText(template: rendered.template, values: rendered.values)
        } catch {
            result.failures.append("\(part): \(error.description)")
        }
        guard let lax = try? LiquidTemplate(parsing: template.source, options: LiquidOptions(strictness: .lax)),
            let rendered = try? lax.renderMarkup(GapFilling.filled(variables, shapes), context: context)
        else { return nil }
        return TemplatedText(template: rendered.template, values: rendered.values)
    }

    /// A text as data of one line, with runs of white space as single blanks.
    static func oneLine(_ text: TemplatedText) -> TemplatedText {
        let line = text.plain
        return TemplatedText(
            value: line.isTidyLine ? line : line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        )
    }

    /// HTML that a rule's author wrote, with its values as text.
    private static func escapingValues(_ text: TemplatedText) -> String {
        TemplatedText(template: text.template, values: text.values.map(escaped)).plain
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }
}

/// Puts a visible gap where a record lacks a text that its declaration promises.
enum GapFilling {
    static func filled(_ variables: ValueMap, _ shapes: [FieldShape]) -> ValueMap {
        var result = variables
        for field in shapes {
            if let value = variables[field.name] {
                result[field.name] = filled(value, field.shape)
            } else if !field.isOptional, let gap = gap(for: field.shape) {
                result[field.name] = gap
            }
        }
        return result
    }

    private static func filled(_ value: Value, _ shape: Shape) -> Value {
        switch (value, shape) {
        case (.map(let map), .record(let record)): .map(filled(map, record.fields))
        case (.list(let elements), .list(let element)): .list(elements.map { filled($0, element) })
        default: value
        }
    }

    private static func gap(for shape: Shape) -> Value? {
        switch shape {
        case .string, .int, .uint, .double, .any: .string(StandardTexts.gap)
        default: nil
        }
    }
}
