import Liquid
import Markup
import Values

/// What libFuzzer calls with each input: the bytes are a template, which is parsed, checked, rendered with hostile data, and written for a
/// target; and CommonMark as it stands. Nothing may crash, nothing may take long, and no limit may be passed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let source = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let target = MarkupTarget.allCases[count % MarkupTarget.allCases.count]
    TextsFuzz.write(MarkupSource(template: source, values: TextsFuzz.texts), for: target)
    for options in TextsFuzz.options {
        guard let template = try? LiquidTemplate(parsing: source, options: options) else { continue }
        _ = template.check(against: TextsFuzz.shapes)
        _ = template.references
        TextsFuzz.render(template, for: target)
    }
    return 0
}

enum TextsFuzz {
    private static let outputBytes = 20_000

    /// Strict and lax; with limits that keep one input short.
    static let options = [LiquidStrictness.strict, .lax].map { strictness in
        LiquidOptions(
            strictness: strictness,
            partials: [
                "p": "{{ p | default: 1 }}{% assign a = p %}", "q": "{% include 'q' %}",
                "r": "{% for x in r %}{{ x }}{% render 'r', r: x %}{% endfor %}",
            ],
            limits: LiquidLimits(outputBytes: outputBytes, loopSteps: 20_000, nesting: 16)
        )
    }

    static let texts = [
        "", "x", "*ä* _b_ `c` [d](http://e.example) <f> @everyone", "# g\n\n- h\r\n> i | j",
        "\u{E000}0\u{E001}\u{202E}\u{0}",
        "👨‍👩‍👧 שלום a\u{301}\u{301}", String(repeating: "Wort ", count: 400), String(repeating: "x", count: 3000),
    ]

    private static let lesson = RecordShape(
        "lesson",
        fields: [
            FieldShape("subject", .string), FieldShape("period", .int), FieldShape("start", .timestamp),
            FieldShape("text", .string, optional: true), FieldShape("teachers", .list(.string)),
        ]
    )
    static let shapes = [
        FieldShape("lesson", .record(lesson)), FieldShape("lessons", .list(.record(lesson))),
        FieldShape("old", .record(lesson), optional: true), FieldShape("s", .string), FieldShape("l", .list(.any)),
        FieldShape("n", .double), FieldShape("m", .map(.any)),
    ]
    private static let data: Value = [
        "subject": "MAT", "period": 2, "start": .timestamp(Timestamp(seconds: 1_796_000_000)),
        "teachers": ["Rossi", "Gruber"],
    ]
    private static let variables: ValueMap = [
        "lesson": data, "lessons": .list(Array(repeating: data, count: 5)), "old": nil,
        "s": .string(texts[6] + texts[2]),
        "l": .list(texts.map { .string($0) } + [1, nil, 2.5, .list(Array(repeating: [1, 2], count: 50)), data]),
        "n": 7.5,
        "m": ["k": .list(Array(repeating: "v", count: 200)), "e": "", "z": ["y": ["x": "w"]]],
    ]

    static func render(_ template: LiquidTemplate, for target: MarkupTarget) {
        let context = LiquidContext(zone: .utc, locale: .de, now: Timestamp(seconds: 1_796_000_000))
        let plain = try? template.render(variables, context: context)
        if let plain { precondition(plain.utf8.count <= outputBytes, "too much is printed") }
        guard let (text, values) = try? template.renderMarkup(variables, context: context) else { return }
        let filled = filled(text, values)
        precondition(filled.utf8.count <= outputBytes, "values make the text too long")
        if let plain { precondition(plain.utf8.elementsEqual(filled.utf8), "placeholders change the text") }
        write(MarkupSource(template: text, values: values), for: target)
    }

    private static func filled(_ text: String, _ values: [String]) -> String {
        var filled = ""
        for piece in text.unicodeScalars.split(separator: "\u{E000}", omittingEmptySubsequences: false).enumerated() {
            guard piece.offset > 0, let end = piece.element.firstIndex(of: "\u{E001}") else {
                filled.unicodeScalars.append(contentsOf: piece.element)
                continue
            }
            filled += Int(String(piece.element[..<end])).map { values[$0] } ?? ""
            filled.unicodeScalars.append(contentsOf: piece.element[piece.element.index(after: end)...])
        }
        return filled
    }

    static func write(_ source: MarkupSource, for target: MarkupTarget) {
        let document = MarkupDocument.parse(source)
        let parts = document.parts(for: target)
        precondition(parts.allSatisfy { target.fits($0.document) }, "a part is too long")
        for part in parts { _ = target.render(part.document) }
    }
}
