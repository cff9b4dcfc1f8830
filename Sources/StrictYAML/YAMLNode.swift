/// A node of a YAML file, with its place.
///
/// Nothing is guessed from the look of a scalar: `NO`, `07:45`, `010` and `1e3` are texts until the reader of a key asks for a
/// number or a time (`asInt`, `asWallTime`, …).
///
/// An object, since readers hand nodes and pairs on all the time.
public final class YAMLNode: Sendable {
    /// What the node holds.
    public enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// The pairs in the order of the file. Doubled keys were complained of and are both here.
        case mapping([YAMLPair])
        /// Something that was complained of already (a tag, an alias, an unquoted template): readers stay silent about it.
        case refused
    }

    public let content: Content
    /// Where it is, as UTF-8 offsets into the file. Block collections and block scalars end with the last of their content.
    public let span: Range<Int>
    /// The file it is in.
    public let source: SourceText
    /// Whether it is a collection in brackets.
    let isFlow: Bool

    init(content: Content, span: Range<Int>, source: SourceText, isFlow: Bool = false) {
        self.content = content
        self.span = span
        self.source = source
        self.isFlow = isFlow
    }

    /// The pairs of a mapping; none where this is something else.
    public var pairs: [YAMLPair] {
        if case .mapping(let pairs) = content { return pairs }
        return []
    }

    /// The items of a sequence; none where this is something else.
    public var items: [YAMLNode] {
        if case .sequence(let items) = content { return items }
        return []
    }

    public var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { return scalar }
        return nil
    }

    /// The value of the first pair with this key, where this is a mapping that has one.
    public subscript(key: String) -> YAMLNode? { pairs.first { $0.name == key }?.value }

    /// Whether nothing at all is written here: `key:` without a value. `""`, `~` and `null` are texts.
    public var isEmpty: Bool { scalar?.isEmpty ?? false }

    public var isRefused: Bool {
        if case .refused = content { return true }
        return false
    }

    /// The span in the file of a piece of a scalar's text, for complaints about a language inside it (CEL, Liquid).
    ///
    /// - Parameter range: UTF-8 offsets into `scalar.text`. Exact in every style: escapes, folded lines and the indentation of
    ///   block scalars are accounted for. Where this is no scalar, the node's own span.
    public func span(ofText range: Range<Int>) -> Range<Int> {
        guard let scalar else { return span }
        return ScalarLayout(of: scalar, at: span, in: source).span(of: range)
    }
}

/// A text, and how it was written.
public struct YAMLScalar: Sendable {
    /// How a text can be written (YAML 1.2, sections 7.3 and 8.1).
    public enum Style: Sendable {
        case plain
        case singleQuoted
        case doubleQuoted
        /// `|`
        case literal
        /// `>`
        case folded

        public var isQuoted: Bool { self == .singleQuoted || self == .doubleQuoted }
        public var isBlock: Bool { self == .literal || self == .folded }
    }

    /// The text as YAML means it: escapes resolved, lines folded, every line end a single LF.
    public let text: String
    public let style: Style
    /// The column (from 0) of the innermost block collection around it, -1 at the top: what a block scalar's explicit
    /// indentation counts from (YAML 1.2.2, section 8.1.1.1).
    let blockIndent: Int

    /// Whether nothing at all is written: an empty text without quotes.
    public var isEmpty: Bool { style == .plain && text.isEmpty }
}

/// A key and its value.
public struct YAMLPair: Sendable {
    /// A scalar of one line.
    public let key: YAMLNode
    public let value: YAMLNode

    /// The key's text.
    public var name: String { key.scalar?.text ?? "" }
}
