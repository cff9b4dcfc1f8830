/// A password, token or key. Printing, interpolating or dumping it shows dots; only `reveal` gives the text.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The text itself, for the one place that sends it.
    public func reveal() -> String { text }

    public var description: String { "•••" }
    public var debugDescription: String { "•••" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
