import BotCore
import Values

/// Something that was told and is no longer so.
struct OpenCorrection: Sendable {
    let told: ToldEvent
    /// What says that it is no longer so.
    let event: Event
    let receiver: ToldEvent.Receiver
}

/// What was told and is no longer true.
extension PolicyRun {
    /// Compares everything that is remembered with what has happened.
    ///
    /// - Parameter own: ids of the events that the rule itself tells now: they need no correction beside them.
    mutating func compare(with events: [Event], own: Set<String>) {
        let contradiction = Contradiction(vocabulary: telling.vocabulary, schedule: rule.onRecordTimes)
        var open: [(told: ToldEvent, event: Event)] = []
        for event in events {
            let overtaken = memory.withdraw { earlier in
                contradiction.isOvertaken(earlier.event, by: event)
            }
            for earlier in overtaken {
                note(earlier.id, .skipped, "not told: \(event.kind) has come meanwhile (\(event.id))")
            }
            dropCorrections(that: event, contradiction)
            for told in memory.told {
                let verdict = contradiction.verdict(on: .init(told), of: event)
                if verdict == .stands { continue }
                memory.told.removeAll { $0.id == told.id }
                if verdict == .withdrawn { withdrawn += told.receivers.compactMap(\.message) }
                if verdict == .withdrawn, rule.isEnabled, rule.policies.follows, !own.contains(event.id) {
                    open.append((told, event))
                }
            }
        }
        renew(with: events, contradiction)
        correct(open)
    }

    /// What is so again needs no correction of what was told of it.
    private mutating func dropCorrections(that event: Event, _ contradiction: Contradiction) {
        let needless = memory.corrections.filter {
            contradiction.verdict(on: .init($0.told), of: event) == .superseded
        }
        memory.corrections.removeAll { entry in needless.contains { $0.told.id == entry.told.id } }
        for entry in needless {
            note(entry.event.id, .skipped, "the correction is not told: \(event.kind) has come meanwhile (\(event.id))")
        }
    }

    mutating func releaseCorrections() {
        let now = now
        let due = memory.corrections.filter { $0.due <= now }
        memory.corrections.removeAll { $0.due <= now }
        correct(due.map { ($0.told, $0.event) })
    }

    /// Tells those who were told that it is no longer so.
    private mutating func correct(_ entries: [(told: ToldEvent, event: Event)]) {
        var isSilent = false
        var open = entries
        if let quiet = rule.policies.quiet, rule.message.priority != .high, let end = quiet.end(at: now) {
            switch quiet.then {
            case .hold:
                for (told, event) in entries {
                    memory.corrections.append(.init(event: event, told: told, due: end))
                    note(event.id, .waiting, "the correction is held by quiet hours until \(shown(end))")
                }
                open = []
            case .drop:
                for (_, event) in entries { note(event.id, .skipped, "the correction is dropped by quiet hours") }
                open = []
            case .silent: isSilent = true
            }
        }
        var order: [Recipient] = []
        var byRecipient: [Recipient: [OpenCorrection]] = [:]
        for (told, event) in open {
            for receiver in told.receivers {
                if byRecipient[receiver.recipient] == nil { order.append(receiver.recipient) }
                byRecipient[receiver.recipient, default: []].append(
                    OpenCorrection(told: told, event: event, receiver: receiver)
                )
            }
        }
        for recipient in order { correct(byRecipient[recipient] ?? [], to: recipient, isSilent: isSilent) }
    }

    /// What one message has told is corrected in one, and so is what would be a flood.
    private mutating func correct(_ corrections: [OpenCorrection], to recipient: Recipient, isSilent: Bool) {
        if corrections.count > EventTelling.mostSingle {
            let heading = StandardTexts.manyHeading(corrections.count, in: recipient.locale)
            return tell(corrections, of: heading, to: recipient, isSilent: isSilent)
        }
        var rest = corrections
        while let first = rest.first {
            let together = rest.filter { $0.receiver.message == nil && $0.receiver.title == first.receiver.title }
            if first.receiver.message == nil, together.count > 1 {
                rest.removeAll { correction in together.contains { $0.told.id == correction.told.id } }
                tell(together, of: first.receiver.title, to: recipient, isSilent: isSilent)
            } else {
                rest.removeFirst()
                tell(first, isSilent: isSilent)
            }
        }
    }

    private mutating func tell(_ correction: OpenCorrection, isSilent: Bool) {
        let (told, event, receiver) = (correction.told, correction.event, correction.receiver)
        let made = telling.correction(of: told, by: event, to: receiver, isSilent: isSilent)
        send(made, [correction], to: receiver.recipient)
    }

    private mutating func tell(
        _ corrections: [OpenCorrection],
        of title: String,
        to recipient: Recipient,
        isSilent: Bool
    ) {
        let made = telling.correction(of: corrections, titled: title, to: recipient, isSilent: isSilent)
        send(made, corrections, to: recipient)
    }

    private mutating func send(
        _ made: (message: Message?, failures: [String]),
        _ corrections: [OpenCorrection],
        to recipient: Recipient
    ) {
        let failures = made.failures.joined(separator: "; ")
        if let message = made.message, !rule.isDryRun { messages.append(message) }
        for correction in corrections {
            let event = correction.event
            if !failures.isEmpty { note(event.id, .failed, failures) }
            guard let message = made.message else { continue }
            if rule.isDryRun {
                note(event.id, .dryRun, "would be sent: \(recipient.sink): \(message.title.plain)")
            } else {
                note(event.id, .told, "corrects \(correction.told.id) through \(recipient.sink)")
            }
        }
    }
}
