import CEL
import Values

/// One shape for what several sources declare under one name.
enum ShapeMerging {
    /// A record with the fields of all shapes. A field that not all of them have, or that one of them marks so, is optional; one that they
    /// declare differently may hold anything.
    static func merged(_ shapes: [RecordShape], named name: String, allOptional: Bool = false) -> RecordShape {
        var order: [String] = []
        var fields: [String: [FieldShape]] = [:]
        for field in shapes.flatMap(\.fields) {
            if fields[field.name] == nil { order.append(field.name) }
            fields[field.name, default: []].append(field)
        }
        let merged = order.compactMap { fieldName -> FieldShape? in
            guard let all = fields[fieldName], let first = all.first else { return nil }
            let isOptional = allOptional || all.count < shapes.count || all.contains { $0.isOptional }
            let shape = all.allSatisfy { $0.shape == first.shape } ? first.shape : .any
            return FieldShape(fieldName, shape, optional: isOptional, oneOf: values(of: all), first.documentation)
        }
        return RecordShape(name, shapes.first?.documentation ?? "", fields: merged)
    }
}

extension ShapeMerging {
    /// What fields of one name can be together; anything where one of them can be anything.
    private static func values(of fields: [FieldShape]) -> [String] {
        guard fields.allSatisfy({ !$0.values.isEmpty }) else { return [] }
        var seen: Set<String> = []
        return fields.flatMap(\.values).filter { seen.insert($0).inserted }
    }
}

extension Shape {
    /// The shape of what an expression of this type gives; `any` for what only expressions know.
    init(_ type: CELType) {
        switch type {
        case .bool: self = .bool
        case .int: self = .int
        case .uint: self = .uint
        case .double: self = .double
        case .string: self = .string
        case .bytes: self = .bytes
        case .timestamp: self = .timestamp
        case .duration: self = .duration
        case .list(let element): self = .list(Shape(element))
        case .map(.string, let value): self = .map(Shape(value))
        case .record(let shape): self = .record(shape)
        default: self = .any
        }
    }
}
