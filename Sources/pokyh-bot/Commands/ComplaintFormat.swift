import BotRules
import StrictYAML
import Values

/// Complaints of files for programs.
enum ComplaintFormat {
    /// One object for each complaint; lines and columns from 1, the end behind the last character.
    static func json(_ files: [FileComplaints]) -> String {
        let objects = files.flatMap { file in
            file.complaints.map { complaint -> Value in
                let start = file.source.place(of: complaint.span.lowerBound)
                let end = file.source.place(of: complaint.span.upperBound)
                return [
                    "file": .string(file.source.file), "line": .int(Int64(start.line)),
                    "column": .int(Int64(start.column)), "end_line": .int(Int64(end.line)),
                    "end_column": .int(Int64(end.column)), "severity": .string(complaint.severity.rawValue),
                    "message": .string(complaint.message), "cures": .list(complaint.cures.map { .string($0) }),
                ]
            }
        }
        return Value.list(objects).prettyJSON
    }

    /// A line for each complaint, which GitHub shows at its place in a change.
    ///
    /// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
    static func github(_ files: [FileComplaints]) -> [String] {
        files.flatMap { file in
            file.complaints.map { complaint in
                let place = file.source.place(of: complaint.span.lowerBound)
                let text = ([complaint.message] + complaint.cures).joined(separator: "\n")
                let path = escaped(direct(file.source.file), also: ":,")
                return
                    "::\(complaint.severity.rawValue) file=\(path),line=\(place.line),col=\(place.column)::\(escaped(text))"
            }
        }
    }

    /// `rules/a.yaml` for `Config/../rules/a.yaml`: annotations are matched with the paths of the repository.
    private static func direct(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// Percent signs and line ends, in properties also what separates them.
    private static func escaped(_ text: String, also separators: String = "") -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "%": return "%25"
            case "\r": return "%0D"
            case "\n": return "%0A"
            case ":" where separators.contains(":"): return "%3A"
            case "," where separators.contains(","): return "%2C"
            default: return String(scalar)
            }
        }.joined()
    }
}
