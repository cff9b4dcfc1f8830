import BotCore
import Digests
import Values

/// Something to tell about the bot's own health, before it is an event.
struct HealthNotice: Sendable, Hashable {
    /// One of `HealthSchema`'s kinds; the part before the dot is the type of its record.
    var kind: String
    var name: String
    var error: String
    var failures: Int
    var since: Timestamp
    var duration: TimeSpan
    /// Numbers the notices about one subject, so that each has an id of its own.
    var revision: Int64
    var account = ""
    var rule = ""
    /// The event or moment at which a rule failed.
    var event = ""
    /// Of a rule, whether a version of it runs.
    var runs = true
    /// What it is about, if not the subject as a whole: the message that cannot be delivered.
    var message = ""

    var type: String { String(kind.prefix { $0 != "." }) }

    /// Starts the id of every event about health, so that messages about them can be told from all others.
    static let idPrefix = "health-"

    func event(at now: Timestamp) -> Event {
        var fields: ValueMap = [
            "name": .string(name),
            "error": .string(error),
            "failures": .int(Int64(failures)),
            "since": .timestamp(since),
            "duration": .duration(duration),
        ]
        if type == "source" { fields["account"] = .string(account) }
        if type == "sink" { fields["rule"] = .string(rule) }
        if type == "rule" {
            fields["event"] = .string(event)
            fields["runs"] = .bool(runs)
        }
        let id = Self.idPrefix + ContentID.make([kind, name, String(revision), message])
        return Event(
            id: id,
            worldID: id,
            kind: kind,
            at: now,
            source: type == "source" ? name : "",
            account: account,
            student: .nobody,
            record: Record(key: name, type: type, fields: fields),
            old: nil,
            changes: [],
            revision: revision
        )
    }
}

extension Message {
    /// Whether it tells of the bot's own health and of nothing else.
    var isHealth: Bool { !events.isEmpty && events.allSatisfy { $0.hasPrefix(HealthNotice.idPrefix) } }
}

extension Health {
    /// How many failures in a row are told: one or two are the weather.
    static let threshold = 3

    /// One more failure.
    mutating func fail(_ error: PluginError, at now: Timestamp) {
        failures += 1
        since = since ?? now
        self.error = error.message
        evidence = error.evidence ?? evidence
    }

    /// Notes that a row of failures is told as `kind`; nil if it is told already, as this or as something worse.
    mutating func tell(_ kind: String, name: String, account: String = "", at now: Timestamp) -> HealthNotice? {
        guard told != kind else { return nil }
        told = kind
        revision += 1
        let start = since ?? now
        return HealthNotice(
            kind: kind,
            name: name,
            error: error,
            failures: failures,
            since: start,
            duration: max(.zero, now - start),
            revision: revision,
            account: account
        )
    }

    /// All is well again; a notice if the failures had been told.
    mutating func recover(_ kind: String, name: String, account: String = "", at now: Timestamp) -> HealthNotice? {
        let notice: HealthNotice? =
            if told != nil {
                HealthNotice(
                    kind: kind,
                    name: name,
                    error: "",
                    failures: failures,
                    since: since ?? now,
                    duration: max(.zero, now - (since ?? now)),
                    revision: revision + 1,
                    account: account
                )
            } else { nil }
        self = Health(revision: revision + (notice == nil ? 0 : 1))
        return notice
    }
}
