import Values

/// Texts: the standard functions, and the strings extension. Positions count code points.
extension FunctionTable {
    mutating func addTexts() {
        addTests()
        addPositions()
        addSubstring()
        addChanges()
        addDivisions()
        describe(Self.textDocumentation)
    }

    private mutating func addTests() {
        let tests: [(String, @Sendable (String, String) -> Bool)] = [
            ("contains", { text, part in Text.position(of: part, in: text) != nil }),
            ("startsWith", { text, part in Text.hasPrefix(text, part) }),
            ("endsWith", { text, part in Text.hasSuffix(text, part) }),
        ]
        for (name, holds) in tests {
            add(
                name,
                [.on(.string, .string, gives: .bool)],
                .binary { meter, text, part in
                    guard case .string(let whole) = text, case .string(let piece) = part else {
                        return .noOverload(name, [text, part])
                    }
                    guard meter.charge(length: name == "contains" ? whole.utf8.count : piece.utf8.count) else {
                        return meter.failure
                    }
                    return .bool(holds(whole, piece))
                }
            )
        }
        add(
            "matches",
            [.on(.string, .string, gives: .bool), .of(.string, .string, gives: .bool)],
            .binary { meter, text, pattern in
                guard case .string(let text) = text, case .string(let pattern) = pattern else {
                    return .noOverload("matches", [text, pattern])
                }
                guard meter.charge(10 + pattern.utf8.count) else { return meter.failure }
                do throws(RegularExpression.Mistake) {
                    let expression = try RegularExpression(pattern)
                    guard meter.charge(expression.cost(of: text)) else { return meter.failure }
                    return .bool(expression.matches(text))
                } catch {
                    return .failure(.invalidArgument, "the regular expression is wrong: \(error.reason)")
                }
            }
        )
    }

    private mutating func addPositions() {
        add(
            "charAt",
            [.on(.string, .int, gives: .string)],
            .binary { meter, text, index in
                guard case .string(let text) = text, case .int(let index) = index else {
                    return .noOverload("charAt", [text, index])
                }
                return Texts.scalars(text, &meter) { scalars in
                    guard (0...Int64(scalars.count)).contains(index) else { return Texts.outOfRange(index) }
                    return .string(index == scalars.count ? "" : String(scalars[Int(index)]))
                }
            }
        )
        for (name, isLast) in [("indexOf", false), ("lastIndexOf", true)] {
            add(
                name,
                [.on(.string, .string, gives: .int), .on(.string, .string, .int, gives: .int)],
                .binary { meter, text, part in
                    guard case .string(let text) = text, case .string(let part) = part else {
                        return .noOverload(name, [text, part])
                    }
                    return Texts.position(of: part, in: text, from: nil, isLast: isLast, &meter)
                },
                .ternary { meter, text, part, start in
                    guard case .string(let text) = text, case .string(let part) = part, case .int(let start) = start
                    else { return .noOverload(name, [text, part, start]) }
                    return Texts.position(of: part, in: text, from: start, isLast: isLast, &meter)
                }
            )
        }
    }

    private mutating func addSubstring() {
        add(
            "substring",
            [.on(.string, .int, gives: .string), .on(.string, .int, .int, gives: .string)],
            .binary { meter, text, start in
                guard case .string(let text) = text, case .int(let start) = start else {
                    return .noOverload("substring", [text, start])
                }
                return Texts.substring(text, start, nil, &meter)
            },
            .ternary { meter, text, start, end in
                guard case .string(let text) = text, case .int(let start) = start, case .int(let end) = end else {
                    return .noOverload("substring", [text, start, end])
                }
                return Texts.substring(text, start, end, &meter)
            }
        )
    }

    private mutating func addChanges() {
        let changes: [(String, @Sendable (String) -> String)] = [
            ("lowerAscii", Texts.lowerASCII), ("upperAscii", Texts.upperASCII), ("trim", Texts.trimmed),
            ("reverse", { text in Texts.text(text.unicodeScalars.reversed()) }),
        ]
        for (name, change) in changes {
            add(name, [.on(.string, gives: .string)], Texts.unary(name, change))
        }
        add("strings.quote", [.of(.string, gives: .string)], Texts.unary("strings.quote", Texts.quoted))
        add(
            "replace",
            [.on(.string, .string, .string, gives: .string), .on(.string, .string, .string, .int, gives: .string)],
            .variadic { meter, arguments in
                guard arguments.count == 3 || arguments.count == 4, case .string(let text) = arguments[0],
                    case .string(let old) = arguments[1], case .string(let new) = arguments[2]
                else { return .noOverload("replace", arguments) }
                var most: Int64 = -1
                if arguments.count == 4 {
                    guard case .int(let limit) = arguments[3] else { return .noOverload("replace", arguments) }
                    most = limit
                }
                return Texts.replaced(text, old, new, most, &meter)
            }
        )
    }

    private mutating func addDivisions() {
        add(
            "split",
            [.on(.string, .string, gives: .list(.string)), .on(.string, .string, .int, gives: .list(.string))],
            .binary { meter, text, separator in
                guard case .string(let text) = text, case .string(let separator) = separator else {
                    return .noOverload("split", [text, separator])
                }
                return Texts.split(text, separator, -1, &meter)
            },
            .ternary { meter, text, separator, limit in
                guard case .string(let text) = text, case .string(let separator) = separator,
                    case .int(let most) = limit
                else { return .noOverload("split", [text, separator, limit]) }
                return Texts.split(text, separator, most, &meter)
            }
        )
        add(
            "join",
            [.on(.list(.string), gives: .string), .on(.list(.string), .string, gives: .string)],
            .unary { meter, list in
                guard case .list(let list) = list else { return .noOverload("join", [list]) }
                return Texts.joined(list, "", &meter)
            },
            .binary { meter, list, separator in
                guard case .list(let list) = list, case .string(let separator) = separator else {
                    return .noOverload("join", [list, separator])
                }
                return Texts.joined(list, separator, &meter)
            }
        )
    }
}

extension FunctionTable {
    fileprivate static let textDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "contains", "Whether the part stands somewhere in the text.",
            #""Mathematik".contains("mat")"#
        ),
        (
            "startsWith", "Whether the text begins so.",
            #""3A-INF".startsWith("3A")"#
        ),
        (
            "endsWith", "Whether the text ends so.",
            #""3A-INF".endsWith("INF")"#
        ),
        (
            "matches", "Whether a regular expression (RE2) fits some part of the text.",
            #""T101".matches("^T[0-9]+$")"#
        ),
        (
            "charAt", "The character at a place, counted from 0.",
            #""Anna".charAt(0) == "A""#
        ),
        (
            "indexOf", "Where the part stands first, from a place on if one is given; -1 if nowhere.",
            #""Anna".indexOf("n") == 1"#
        ),
        (
            "lastIndexOf", "Where the part stands last; -1 if nowhere.",
            #""Anna".lastIndexOf("n") == 2"#
        ),
        (
            "substring", "From one place to before another, or to the end.",
            #""3A-INF".substring(0, 2) == "3A""#
        ),
        (
            "lowerAscii", "With small letters, A to Z alone.",
            #""MAT".lowerAscii() == "mat""#
        ),
        (
            "upperAscii", "With capitals, a to z alone.",
            #""mat".upperAscii() == "MAT""#
        ),
        (
            "trim", "Without blanks at both ends.",
            #"" MAT ".trim() == "MAT""#
        ),
        (
            "reverse", "Back to front.",
            #""abc".reverse() == "cba""#
        ),
        (
            "strings.quote", "As it would be written in an expression.",
            #"strings.quote("a") == "\"a\"""#
        ),
        (
            "replace", "With every place of one text replaced by another, or only so many of them.",
            #""a-b-c".replace("-", "/") == "a/b/c""#
        ),
        (
            "split", "Cut at a separator, into so many parts at most if a number is given.",
            #""a,b".split(",") == ["a", "b"]"#
        ),
        (
            "join", "The texts of a list as one, with a separator between them.",
            #"["a", "b"].join(", ") == "a, b""#
        ),
    ]
}
