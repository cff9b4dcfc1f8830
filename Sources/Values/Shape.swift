/// The declared form of a value: what a provider promises of its records, and what conditions and texts are checked against.
public indirect enum Shape: Sendable, Hashable {
    /// Nothing is known before it is looked at: free JSON.
    case any
    case bool
    case int
    case uint
    case double
    case string
    case bytes
    case timestamp
    case duration
    case list(Shape)
    /// Text keys, all values of one shape.
    case map(Shape)
    case record(RecordShape)
}

/// A map with a fixed set of fields, such as a lesson.
///
/// Two record shapes of one name are the same record: names are unique in an installation.
public struct RecordShape: Sendable {
    /// `lesson`, `student`, `event`.
    public let name: String
    /// What it is, in one line for the reference page.
    public let documentation: String
    public let fields: [FieldShape]

    public init(_ name: String, _ documentation: String = "", fields: [FieldShape]) {
        self.name = name
        self.documentation = documentation
        self.fields = fields
    }

    /// The field of a name; nil where it is not declared.
    public func field(_ name: String) -> FieldShape? { fields.first { $0.name == name } }
}

extension RecordShape: Hashable {
    public static func == (left: RecordShape, right: RecordShape) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// One field of a record.
public struct FieldShape: Sendable, Hashable {
    public let name: String
    public let shape: Shape
    /// Whether a record may lack it. Such a field must be guarded wherever it is read; all others are always there.
    public let isOptional: Bool
    /// All texts that it can have, or that the elements of its list can have; empty where any text may stand in it.
    public let values: [String]
    /// What it says, in one line, with unit and zone where it has one.
    public let documentation: String

    public init(
        _ name: String,
        _ shape: Shape,
        optional isOptional: Bool = false,
        oneOf values: [String] = [],
        _ documentation: String = ""
    ) {
        self.name = name
        self.shape = shape
        self.isOptional = isOptional
        self.values = values
        self.documentation = documentation
    }
}

extension Shape {
    /// The shape in words for people: `list(string)`, `lesson`.
    public var name: String {
        switch self {
        case .any: "anything"
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .list(let element): "list(\(element.name))"
        case .map(let value): "map(string, \(value.name))"
        case .record(let record): record.name
        }
    }
}
