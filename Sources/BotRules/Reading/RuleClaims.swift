import StrictYAML
import Values

/// An id as it stands in a rule file: ids are unique over all files, since they key a rule's memory.
struct RuleClaim {
    let id: String
    /// Where the id stands.
    let span: Range<Int>
    /// The same as people read it: `rules/grades.yaml:3:9`.
    let address: String
    /// Nil where the rule has errors.
    let rule: Rule?
}

/// Settles whose an id is that stands in several places.
enum RuleClaims {
    /// Leaves each id to one rule, and complains of it at all others.
    ///
    /// The file that had it before keeps it, even while it cannot be read: a new file must not take the place of a good rule. Where no file
    /// had it, the first one gets it.
    ///
    /// - Parameter known: the file that each id was last read from.
    /// - Returns: where each id stands now, and the file that has it.
    static func settle(
        _ readings: inout [RuleFileReading],
        known: [String: String]
    ) -> (addresses: [String: String], homes: [String: String]) {
        let unreadable = readings.filter { !$0.isReadable }.map(\.file)
        var homes = known.filter { _, file in unreadable.contains { file == $0 || file.hasPrefix($0 + "/") } }
        // A mistake may have swallowed what follows it, as in a file that is being written.
        let doubtful = Set(readings.filter(\.hasErrors).map(\.file))
        let lost = known.filter { doubtful.contains($0.value) }
        for reading in readings {
            for claim in reading.claims where known[claim.id] == reading.file { homes[claim.id] = reading.file }
        }
        for reading in readings {
            for claim in reading.claims where homes[claim.id] == nil { homes[claim.id] = reading.file }
        }
        var addresses: [String: String] = [:]
        for reading in readings {
            for claim in reading.claims where homes[claim.id] == reading.file && addresses[claim.id] == nil {
                addresses[claim.id] = claim.address
            }
        }
        for place in readings.indices {
            for claim in readings[place].claims where addresses[claim.id] != claim.address {
                let complaint = complaint(about: claim, addresses[claim.id], homes[claim.id] ?? "")
                readings[place].refuse(claim, complaint)
            }
        }
        return (addresses, homes.merging(lost) { own, _ in own })
    }

    private static func complaint(about claim: RuleClaim, _ address: String?, _ home: String) -> Complaint {
        guard let address else {
            let cure = "mend that file, which keeps its rules meanwhile, or give this one another id"
            let what = "the rule id '\(claim.id)' is that of a rule in \(home), which cannot be read now"
            return Complaint(at: claim.span, what, cures: [cure])
        }
        let cure = "its first use is at \(address); ids are unique over all files, since they key a rule's memory"
        return Complaint(at: claim.span, "the rule id '\(claim.id)' is used twice", cures: [cure])
    }
}
