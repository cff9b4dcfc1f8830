import CYAML

/// One event of libyaml's parser, with its span in the file.
struct YAMLEvent {
    enum Kind {
        case documentStart(hasDirectives: Bool)
        case documentEnd
        case alias(name: String)
        case scalar(text: String, style: YAMLScalar.Style)
        case sequenceStart(isFlow: Bool)
        case sequenceEnd
        case mappingStart(isFlow: Bool)
        case mappingEnd
    }

    let kind: Kind
    let span: Range<Int>
    var tag: String?
    var anchor: String?
}

/// Where and why the parser gave up, in libyaml's words.
struct ParserFault {
    let problem: String
    let context: String
    let offset: Int
    /// Where the thing began that could not be finished.
    let contextOffset: Int?
}

/// All events up to the end of a file or up to the first syntax error.
struct EventStream {
    var events: [YAMLEvent] = []
    var fault: ParserFault?
}

enum EventReader {
    /// The deepest nesting of collections: more than anybody writes, and small enough for recursion over the tree.
    static let deepest = 64
    /// The `problem` of a file that is nested more deeply.
    static let tooDeep = "nested too deeply"

    static func read(_ source: SourceText) -> EventStream {
        let text = source.bytes[source.textStart...]
        guard !text.isEmpty else { return EventStream() }
        let offsets = CharacterOffsets(text)
        return text.withUnsafeBufferPointer { bytes in
            let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
            defer { parser.deallocate() }
            guard yaml_parser_initialize(parser) == 1 else {
                return EventStream(
                    fault: ParserFault(problem: "out of memory", context: "", offset: 0, contextOffset: nil)
                )
            }
            defer { yaml_parser_delete(parser) }
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
            return events(of: parser, offsets)
        }
    }

    private static func events(of parser: UnsafeMutablePointer<yaml_parser_t>, _ offsets: CharacterOffsets)
        -> EventStream
    {
        var stream = EventStream()
        var depth = 0
        while true {
            var raw = yaml_event_t()
            guard yaml_parser_parse(parser, &raw) == 1 else {
                stream.fault = fault(of: parser.pointee, offsets)
                return stream
            }
            defer { yaml_event_delete(&raw) }
            if raw.type == YAML_STREAM_END_EVENT { return stream }
            guard let event = event(raw, offsets) else { continue }
            switch event.kind {
            case .sequenceStart, .mappingStart: depth += 1
            case .sequenceEnd, .mappingEnd: depth -= 1
            default: break
            }
            if depth > deepest {
                let offset = event.span.lowerBound
                stream.fault = ParserFault(problem: tooDeep, context: "", offset: offset, contextOffset: nil)
                return stream
            }
            stream.events.append(event)
        }
    }

    private static func event(_ raw: yaml_event_t, _ offsets: CharacterOffsets) -> YAMLEvent? {
        let start = offsets[raw.start_mark.index]
        let span = start..<max(start, offsets[raw.end_mark.index])
        switch raw.type {
        case YAML_DOCUMENT_START_EVENT:
            let document = raw.data.document_start
            let hasDirectives =
                document.version_directive != nil || document.tag_directives.start != document.tag_directives.end
            return YAMLEvent(kind: .documentStart(hasDirectives: hasDirectives), span: span)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, span: span)
        case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias(name: text(raw.data.alias.anchor) ?? ""), span: span)
        case YAML_SCALAR_EVENT:
            let scalar = raw.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let kind = YAMLEvent.Kind.scalar(text: String(decoding: bytes, as: UTF8.self), style: style(scalar.style))
            return YAMLEvent(kind: kind, span: span, tag: text(scalar.tag), anchor: text(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT:
            let sequence = raw.data.sequence_start
            let isFlow = sequence.style == YAML_FLOW_SEQUENCE_STYLE
            let kind = YAMLEvent.Kind.sequenceStart(isFlow: isFlow)
            return YAMLEvent(kind: kind, span: span, tag: text(sequence.tag), anchor: text(sequence.anchor))
        case YAML_MAPPING_START_EVENT:
            let mapping = raw.data.mapping_start
            let kind = YAMLEvent.Kind.mappingStart(isFlow: mapping.style == YAML_FLOW_MAPPING_STYLE)
            return YAMLEvent(kind: kind, span: span, tag: text(mapping.tag), anchor: text(mapping.anchor))
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, span: span)
        case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, span: span)
        default: return nil
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(decodingCString: $0, as: UTF8.self) }
    }

    private static func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }

    private static func fault(of parser: yaml_parser_t, _ offsets: CharacterOffsets) -> ParserFault {
        let hasContext = parser.context != nil
        return ParserFault(
            problem: parser.problem.map { String(cString: $0) } ?? "out of memory",
            context: parser.context.map { String(cString: $0) } ?? "",
            offset: offsets[parser.problem_mark.index],
            contextOffset: hasContext ? offsets[parser.context_mark.index] : nil
        )
    }
}

/// libyaml's marks count characters (Unicode scalars) of the text; the house counts bytes of the file.
struct CharacterOffsets {
    private let start: Int
    private let end: Int
    /// nil where every character is one byte.
    private let offsets: [Int]?

    init(_ text: ArraySlice<UInt8>) {
        start = text.startIndex
        end = text.endIndex
        let isASCII = text.allSatisfy { $0 < 0x80 }
        offsets = isASCII ? nil : text.indices.filter { text[$0] & 0xC0 != 0x80 }
    }

    subscript(index: Int) -> Int {
        guard let offsets else { return min(start + index, end) }
        return index < offsets.count ? offsets[index] : end
    }
}
