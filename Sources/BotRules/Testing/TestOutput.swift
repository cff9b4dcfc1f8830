import Values

/// Reports for machines.
extension TestReport {
    /// Test Anything Protocol, version 13 (https://testanything.org/tap-version-13-specification.html).
    public var tap: String {
        var lines = ["TAP version 13", "1..\(results.count)"]
        for (number, result) in results.enumerated() {
            let name = "\(result.file): \(result.name)".split(whereSeparator: \.isNewline).joined(separator: " ")
            // A number sign would begin a directive.
            let safe = name.split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\\#")
            lines.append("\(result.passed ? "ok" : "not ok") \(number + 1) - \(safe)")
            for failure in result.failures {
                lines += failure.split(separator: "\n", omittingEmptySubsequences: false).map { "  # \($0)" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The XML that continuous integration reads: one `testsuite` for each file, `testcase` and `failure` inside.
    public var junit: String {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites tests=\"\(results.count)\" failures=\"\(failed)\">",
        ]
        var files: [String] = []
        for result in results where !files.contains(result.file) { files.append(result.file) }
        for file in files {
            let own = results.filter { $0.file == file }
            let failures = own.count { !$0.passed }
            lines.append(
                "  <testsuite name=\"\(Self.escaped(file))\" tests=\"\(own.count)\" failures=\"\(failures)\">"
            )
            for result in own { lines += Self.testCase(result) }
            lines.append("  </testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private static func testCase(_ result: TestResult) -> [String] {
        let head =
            "    <testcase name=\"\(escaped(result.name))\" classname=\"\(escaped(result.file))\" line=\"\(result.line)\""
        if result.passed { return [head + "/>"] }
        let first = result.failures.first?.split(separator: "\n").first.map(String.init) ?? ""
        let text = escaped(result.failures.joined(separator: "\n"))
        return [head + ">", "      <failure message=\"\(escaped(first))\">\(text)</failure>", "    </testcase>"]
    }

    /// Text for XML 1.0, which has no way to write most control characters: they become blanks.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
