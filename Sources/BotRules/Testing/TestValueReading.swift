import StrictYAML
import Values

/// Values of a test, read by what their fields are declared to be.
enum TestValueReading {
    static func value(_ node: YAMLNode, _ shape: Shape, _ zone: Zone, _ complaints: inout [Complaint]) -> Value? {
        switch shape {
        case .bool: return node.asBool(&complaints).map { .bool($0) }
        case .int, .uint: return node.asInt(&complaints).map { .int($0) }
        case .double: return node.asNumber(&complaints).map { .double($0) }
        case .timestamp: return instant(node, zone, &complaints).map { .timestamp($0) }
        case .duration: return node.asDuration(&complaints).map { .duration($0) }
        case .list(let element):
            return node.asList(&complaints).map { .list($0.compactMap { value($0, element, zone, &complaints) }) }
        case .map(let inner):
            return node.asMapping(&complaints).map { pairs in
                .map(
                    ValueMap(
                        pairs.compactMap { pair in
                            value(pair.value, inner, zone, &complaints).map { (.string(pair.name), $0) }
                        }
                    )
                )
            }
        case .record(let record): return map(node, record, zone, &complaints)
        case .string, .bytes: return text(node, &complaints)
        case .any: return anything(node, &complaints)
        }
    }

    private static func text(_ node: YAMLNode, _ complaints: inout [Complaint]) -> Value? {
        if let scalar = node.scalar, scalar.style.isQuoted || scalar.style.isBlock { return .string(scalar.text) }
        return node.asText(&complaints).map { .string($0) }
    }

    private static func map(
        _ node: YAMLNode,
        _ record: RecordShape,
        _ zone: Zone,
        _ complaints: inout [Complaint]
    ) -> Value? {
        guard let pairs = node.asMapping(known: record.fields.map(\.name), &complaints) else { return nil }
        var fields = ValueMap()
        for pair in pairs {
            guard let field = record.field(pair.name) else { continue }
            if let value = value(pair.value, field.shape, zone, &complaints) { fields[pair.name] = value }
        }
        return .map(fields)
    }

    private static func anything(_ node: YAMLNode, _ complaints: inout [Complaint]) -> Value? {
        switch node.content {
        case .sequence(let items): return .list(items.compactMap { anything($0, &complaints) })
        case .mapping(let pairs):
            return .map(
                ValueMap(
                    pairs.compactMap { pair in
                        anything(pair.value, &complaints).map { (.string(pair.name), $0) }
                    }
                )
            )
        case .scalar, .refused: return text(node, &complaints)
        }
    }

    /// `2026-12-01T07:50` in the source's zone, `2026-12-01` for its midnight, or an instant with its offset.
    private static func instant(_ node: YAMLNode, _ zone: Zone, _ complaints: inout [Complaint]) -> Timestamp? {
        if let text = node.scalar?.text {
            if let instant = Timestamp(rfc3339: text) { return instant }
            if let date = CalendarDate(text) { return zone.instant(of: date, at: .midnight) }
        }
        return node.asDateAndTime(&complaints).map { zone.instant(of: $0.date, at: $0.time) }
    }

    /// What a record has in the fields that a test does not tell of.
    struct Standards {
        /// The day of the record's times, as far as they are told.
        let date: CalendarDate?
        private let instant: Timestamp
        /// When it is over: an hour after its time, the end of its day, or an hour from now, as far as these are told.
        private let end: Timestamp
        private let ends: Set<String>

        /// - Parameter ends: the fields at which news of the record are stale.
        init(given: ValueMap, ends: Set<String>, zone: Zone, now: Timestamp) {
            let told = given["start"]?.timestamp ?? given.lazy.compactMap { $0.value.timestamp }.first
            let day = given["date"]?.string.flatMap { CalendarDate($0) }
            let endOfDay = day.map { zone.instant(of: $0.adding(days: 1), at: .midnight) }
            end = told.map { $0 + .hours(1) } ?? endOfDay ?? now + .hours(1)
            self.ends = ends
            instant = told ?? day.map { zone.instant(of: $0, at: .midnight) } ?? now
            date = day ?? told.map { zone.date(at: $0) }
        }

        /// Nil for a field that may be missing.
        func value(for field: FieldShape) -> Value? {
            if field.isOptional { return nil }
            switch field.shape {
            case .bool: return .bool(false)
            case .int: return .int(0)
            case .uint: return .uint(0)
            case .double: return .double(0)
            case .string where field.name == "date": return .string(date?.description ?? "")
            case .string: return .string("")
            case .bytes: return .bytes([])
            case .timestamp: return .timestamp(ends.contains(field.name) ? end : instant)
            case .duration: return .duration(.zero)
            case .list: return .list([])
            case .map, .record: return .map(ValueMap())
            case .any: return .string("")
            }
        }
    }
}
