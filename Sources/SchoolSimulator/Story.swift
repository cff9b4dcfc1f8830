public import Values

/// A day at school, told by commands: what `pokyh-bot demo` plays on a compressed clock.
public struct Story: Sendable {
    /// One thing that happens.
    public struct Step: Sendable {
        /// Since the story's start, on the school's clock.
        public let offset: TimeSpan
        /// What to show people while it happens, in one line: `Mathematics is cancelled`.
        public let title: String
        /// What makes it happen; nil for a moment at which only the clock matters, such as a due reminder.
        public let command: SimulatorCommand?
    }

    /// The school's present when the story begins.
    public let start: Timestamp
    /// In their order.
    public let steps: [Step]
    /// How long the story is on the school's clock; everything that it causes is due by then.
    public let length: TimeSpan

    /// What the steps' offsets count from, for a bot that is ready at an hour: the start, or so much later that the first step is still to come. Steps that
    /// all came at once would not be told apart, and the story would end before they are told.
    public func beginning(onceReadyAt now: Timestamp) -> Timestamp {
        max(start, now - (steps.first?.offset ?? .minutes(0)))
    }

    /// A morning of 3A-INF: a cancellation, a replacement, a moved lesson, a room change, a mark, a message and a reminder
    /// that falls due.
    ///
    /// Days are named `next`, so that it can begin on any day with a lesson of each subject in the weeks after it; for a canteen
    /// post it must begin on a school day before the post's time.
    public static func demo(startingAt start: Timestamp) -> Story {
        let table: [(minutes: Int64, title: String, line: String)] = [
            (20, "Anna's mathematics lesson is cancelled", "cancel MAT next because \"Lehrkraft erkrankt\""),
            (25, "German is replaced by English", "replace DEU next with ENG"),
            (30, "Computer science moves to the afternoon", "move INF next to 15:05"),
            (35, "Italian moves to another room", "room ITA next T205"),
            (40, "Anna gets a mark in mathematics", "grade anna MAT 8.5 for Bruchrechnung as oral"),
            (
                45, "The office writes to all families",
                "message \"Wandertag am Freitag\" \"Treffpunkt ist um 8 Uhr am Bahnhof.\""
            ),
            (
                50, "A classmate sets a reminder for the class",
                "reminder 30 \"Mathe-Hausaufgabe S. 45\" saying \"Nr. 3 a–c\""
            ),
        ]
        var steps = table.compactMap { row -> Step? in
            // Every line is parsed by a test of this room; a line that is not understood would only be left out.
            guard let command = try? SimulatorCommand.parse(row.line) else { return nil }
            return Step(offset: .minutes(row.minutes), title: row.title, command: command)
        }
        steps.append(Step(offset: .minutes(80), title: "The reminder falls due", command: nil))
        return Story(start: start, steps: steps, length: .minutes(95))
    }
}
