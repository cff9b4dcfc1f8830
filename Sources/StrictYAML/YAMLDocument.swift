public import Values

/// A YAML file, read strictly: its nodes with their places, and everything that is wrong with it.
///
/// The subset: one document, no directives, tags, anchors, aliases, merge keys or keys other than texts of one line; UTF-8 up to
/// 256 KiB, nested at most 64 deep; no tabs in indentation.
public struct YAMLDocument: Sendable {
    public let source: SourceText
    /// The tree, nil after a syntax error. After other errors it is there, so that its reader can complain of the rest in the
    /// same go; it must not be *used* unless `isUsable`. An empty file is an empty scalar.
    public let root: YAMLNode?
    /// In the order of the file.
    public let complaints: [Complaint]

    /// Whether nothing worse than a warning was found.
    public var isUsable: Bool { root != nil && !complaints.contains { $0.severity == .error } }

    /// Reads a file's bytes. Nothing is thrown: what is wrong is in `complaints`.
    ///
    /// - Parameter file: how the file is called in complaints.
    public static func read(bytes: [UInt8], file: String) -> YAMLDocument {
        let source = SourceText(bytes, file: file)
        let objections = EncodingCheck.complaints(about: source)
        guard objections.isEmpty else { return YAMLDocument(source: source, root: nil, complaints: objections) }

        let stream = EventReader.read(source)
        var builder = TreeBuilder(stream.events, source: source)
        let root = builder.document()
        var complaints = builder.complaints.all
        if let fault = stream.fault {
            let known = Set(complaints.map { source.lineIndex(of: $0.span.lowerBound) })
            let complaint = SyntaxDiagnosis(source: source, fault: fault, knownLines: known).complaint
            // What was complained of on the same line is the cause; the parser only stumbled over it.
            if !known.contains(source.lineIndex(of: complaint.span.lowerBound)) { complaints.append(complaint) }
            return YAMLDocument(source: source, root: nil, complaints: inOrder(complaints))
        }
        var layout = LayoutCheck(source: source)
        layout.check(root)
        return YAMLDocument(source: source, root: root, complaints: inOrder(complaints + layout.complaints.all))
    }

    /// Sorted by place; what two checks found alike is said once, and too much is cut.
    private static func inOrder(_ complaints: [Complaint]) -> [Complaint] {
        var seen: Set<Complaint> = []
        let ordered = complaints.enumerated()
            .sorted { ($0.element.span.lowerBound, $0.offset) < ($1.element.span.lowerBound, $1.offset) }
            .map(\.element)
            .filter { seen.insert($0).inserted }
        guard ordered.count >= ComplaintList.most, let last = ordered.prefix(ComplaintList.most).last else {
            return ordered
        }
        let end = Complaint(at: last.span, "more is wrong than is shown", cures: ["mend what is shown first"])
        return ordered.prefix(ComplaintList.most) + [end]
    }
}
