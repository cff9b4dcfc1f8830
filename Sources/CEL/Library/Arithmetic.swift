import Values

/// `+ - * / %`, the prefixes `-` and `!` (cel-spec, "Arithmetic", "Overflow").
extension FunctionTable {
    mutating func addArithmetic() {
        let listOfA = CELType.list(.parameter("A"))
        add(
            "_+_",
            [
                .of(.int, .int, gives: .int), .of(.uint, .uint, gives: .uint), .of(.double, .double, gives: .double),
                .of(.string, .string, gives: .string), .of(.bytes, .bytes, gives: .bytes),
                .of(listOfA, listOfA, gives: listOfA),
                .of(.timestamp, .duration, gives: .timestamp), .of(.duration, .timestamp, gives: .timestamp),
                .of(.duration, .duration, gives: .duration),
            ],
            .binary(Arithmetic.sum)
        )
        add(
            "_-_",
            [
                .of(.int, .int, gives: .int), .of(.uint, .uint, gives: .uint), .of(.double, .double, gives: .double),
                .of(.timestamp, .timestamp, gives: .duration), .of(.timestamp, .duration, gives: .timestamp),
                .of(.duration, .duration, gives: .duration),
            ],
            .binary(Arithmetic.difference)
        )
        let numbers: [FunctionEntry.Overload] = [
            .of(.int, .int, gives: .int), .of(.uint, .uint, gives: .uint), .of(.double, .double, gives: .double),
        ]
        add("_*_", numbers, .binary(Arithmetic.product))
        add("_/_", numbers, .binary(Arithmetic.quotient))
        add("_%_", [.of(.int, .int, gives: .int), .of(.uint, .uint, gives: .uint)], .binary(Arithmetic.remainder))
        add(
            Operator.negate,
            [.of(.int, gives: .int), .of(.double, gives: .double), .of(.duration, gives: .duration)],
            .unary(Arithmetic.negated)
        )
        add(
            Operator.not,
            [.of(.bool, gives: .bool)],
            .unary { _, operand in
                if case .bool(let truth) = operand { return .bool(!truth) }
                return .noOverload(Operator.not, [operand])
            }
        )
        describe(Self.arithmeticDocumentation)
    }
}

enum Arithmetic {
    static let overflow = Datum.failure(.overflow, "the number leaves the 64 bits that whole numbers have")
    static let divisionByZero = Datum.failure(.divisionByZero, "division by zero")

    @Sendable static func sum(_ meter: inout Meter, _ left: Datum, _ right: Datum) -> Datum {
        switch (left, right) {
        case (.int(let one), .int(let other)): return whole(one.addingReportingOverflow(other))
        case (.uint(let one), .uint(let other)): return whole(one.addingReportingOverflow(other))
        case (.double(let one), .double(let other)): return .double(one + other)
        case (.string(let one), .string(let other)):
            guard meter.charge(length: one.utf8.count + other.utf8.count) else { return meter.failure }
            return .string(one + other)
        case (.bytes(let one), .bytes(let other)):
            guard meter.charge(length: one.count + other.count) else { return meter.failure }
            return .bytes(one + other)
        case (.list(let one), .list(let other)):
            guard meter.charge(length: one.count + other.count) else { return meter.failure }
            return .list(one.appending(other))
        case (.timestamp(let instant), .duration(let span)): return TimeArithmetic.moved(instant, by: span)
        case (.duration(let span), .timestamp(let instant)): return TimeArithmetic.moved(instant, by: span)
        case (.duration(let one), .duration(let other)): return TimeArithmetic.sum(one, other)
        default: return .noOverload("_+_", [left, right])
        }
    }

    @Sendable static func difference(_ meter: inout Meter, _ left: Datum, _ right: Datum) -> Datum {
        switch (left, right) {
        case (.int(let one), .int(let other)): whole(one.subtractingReportingOverflow(other))
        case (.uint(let one), .uint(let other)): whole(one.subtractingReportingOverflow(other))
        case (.double(let one), .double(let other)): .double(one - other)
        case (.timestamp(let one), .timestamp(let other)): TimeArithmetic.span(one - other)
        case (.timestamp(let instant), .duration(let span)): TimeArithmetic.moved(instant, by: -span)
        case (.duration(let one), .duration(let other)): TimeArithmetic.sum(one, -other)
        default: .noOverload("_-_", [left, right])
        }
    }

    @Sendable static func product(_ meter: inout Meter, _ left: Datum, _ right: Datum) -> Datum {
        switch (left, right) {
        case (.int(let one), .int(let other)): whole(one.multipliedReportingOverflow(by: other))
        case (.uint(let one), .uint(let other)): whole(one.multipliedReportingOverflow(by: other))
        case (.double(let one), .double(let other)): .double(one * other)
        default: .noOverload("_*_", [left, right])
        }
    }

    @Sendable static func quotient(_ meter: inout Meter, _ left: Datum, _ right: Datum) -> Datum {
        switch (left, right) {
        case (.int, .int(0)), (.uint, .uint(0)): divisionByZero
        case (.int(let one), .int(let other)): whole(one.dividedReportingOverflow(by: other))
        case (.uint(let one), .uint(let other)): .uint(one / other)
        case (.double(let one), .double(let other)): .double(one / other)
        default: .noOverload("_/_", [left, right])
        }
    }

    @Sendable static func remainder(_ meter: inout Meter, _ left: Datum, _ right: Datum) -> Datum {
        switch (left, right) {
        case (.int, .int(0)), (.uint, .uint(0)): .failure(.divisionByZero, "remainder of a division by zero")
        case (.int(let one), .int(let other)): whole(one.remainderReportingOverflow(dividingBy: other))
        case (.uint(let one), .uint(let other)): .uint(one % other)
        default: .noOverload("_%_", [left, right])
        }
    }

    @Sendable static func negated(_ meter: inout Meter, _ operand: Datum) -> Datum {
        switch operand {
        case .int(let value): whole(Int64(0).subtractingReportingOverflow(value))
        case .double(let value): .double(-value)
        case .duration(let span): TimeArithmetic.span(-span)
        default: .noOverload(Operator.negate, [operand])
        }
    }

    private static func whole(_ result: (partialValue: Int64, overflow: Bool)) -> Datum {
        result.overflow ? overflow : .int(result.partialValue)
    }
    private static func whole(_ result: (partialValue: UInt64, overflow: Bool)) -> Datum {
        result.overflow ? overflow : .uint(result.partialValue)
    }
}

/// Timestamps and durations within their ranges.
enum TimeArithmetic {
    /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the years that RFC 3339 can write (cel-spec, "Abstract types").
    static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    /// Durations have 64 bits of nanoseconds, about 292 years either way, as in cel-go.
    static let spanLimit: Int64 = 9_223_372_036

    static func instant(_ instant: Timestamp) -> Datum {
        guard seconds.contains(instant.seconds) else {
            return .failure(.outOfRange, "the timestamp is outside the years 1 to 9999")
        }
        return .timestamp(instant)
    }

    static func span(_ span: TimeSpan) -> Datum {
        let nanoseconds = Int64(span.nanoseconds)
        let (product, overflow) = span.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow, !product.addingReportingOverflow(nanoseconds).overflow else {
            return .failure(.outOfRange, "the duration is longer than 292 years")
        }
        return .duration(span)
    }

    static func moved(_ start: Timestamp, by span: TimeSpan) -> Datum { instant(start + span) }

    static func sum(_ one: TimeSpan, _ other: TimeSpan) -> Datum { span(one + other) }
}

extension FunctionTable {
    fileprivate static let arithmeticDocumentation: [(name: String, documentation: String, example: String)] = [
        (
            "_+_", "The sum; texts and lists one behind the other; a time moved by a length of time.",
            #""3A" + "-INF" == "3A-INF""#
        ),
        (
            "_-_", "The difference; between two times the length of time.",
            #"timestamp("2026-12-01T08:00:00Z") - timestamp("2026-12-01T07:50:00Z") == duration("10m")"#
        ),
        (
            "_*_", "The product.",
            "3 * 4 == 12"
        ),
        (
            "_/_", "The quotient; of whole numbers the whole part.",
            "7 / 2 == 3 && 7.0 / 2.0 == 3.5"
        ),
        (
            "_%_", "What is left over by a division of whole numbers.",
            "7 % 2 == 1"
        ),
        (
            "-_", "The number with the other sign.",
            "-(2 + 3) == -5"
        ),
        (
            "!_", "The opposite of true and false.",
            #"!("MAT" == "ENG")"#
        ),
    ]
}
