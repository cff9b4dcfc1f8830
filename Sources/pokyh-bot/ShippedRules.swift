/// The rule files of `rules/`, built into the program: the demo runs the very files that people read.
///
/// The folder beside this file is a link to the one at the top of the repository; SwiftPM embeds what is in it.
enum ShippedRules {
    static let files: [(name: String, bytes: [UInt8])] = [
        ("cancellations.yaml", PackageResources.cancellations_yaml),
        ("changes.yaml", PackageResources.changes_yaml),
        ("grades.yaml", PackageResources.grades_yaml),
        ("mensa.yaml", PackageResources.mensa_yaml),
        ("messages.yaml", PackageResources.messages_yaml),
        ("reminders.yaml", PackageResources.reminders_yaml),
    ]
}
