import Foundation
public import StrictYAML
public import Values

/// A file as it was read from disk: this room does no reading itself.
public struct SourceFile: Sendable {
    /// As people call it, for complaints.
    public var path: String
    /// In NFC, as all that sources tell is: expressions compare texts code point by code point, and a name typed on another machine may be
    /// composed differently.
    public var bytes: [UInt8]
    /// Why it could not be read; then it has no bytes.
    public var problem: Complaint?

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = Self.composed(bytes)
    }

    /// Bytes that are no UTF-8 stay as they are, to be complained of.
    private static func composed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else {
            return bytes
        }
        return Array(text.precomposedStringWithCanonicalMapping.utf8)
    }

    /// A file, or a folder of files, that is named and cannot be read.
    ///
    /// - Parameters:
    ///   - reason: `there is no such file or folder`.
    ///   - cures: how to mend it, a line each.
    public init(path: String, unreadable reason: String, cures: [String]) {
        self.init(path: path, bytes: [])
        problem = Complaint(at: 0..<0, "this cannot be read: \(reason)", cures: cures)
    }
}

/// What is wrong with one file.
public struct FileComplaints: Sendable {
    public var source: SourceText
    public var complaints: [Complaint]
    /// What follows for the rest, by the complaint it is printed under: `rule 'x' is not active; all other rules are.`
    public var closings: [Complaint: String]

    public init(source: SourceText, complaints: [Complaint], closings: [Complaint: String] = [:]) {
        self.source = source
        self.complaints = complaints
        self.closings = closings
    }

    public var hasErrors: Bool { complaints.contains { $0.severity == .error } }

    /// The complaints as people read them, `file:line:column` first.
    ///
    /// Of a file that is wrong from end to end only the first ones: nobody reads thousands.
    public var text: String {
        let ordered = complaints.sorted { $0.span.lowerBound < $1.span.lowerBound }
        let shown = ordered.prefix(Self.mostShown)
        let rest = ordered.count - shown.count
        let more = rest == 0 ? "" : "\(source.file): \(rest.counted("complaint")) more; mend these first\n"
        return ComplaintPrinter(source).text(Array(shown), closing: { closings[$0] }) + more
    }

    private static let mostShown = 500
}
