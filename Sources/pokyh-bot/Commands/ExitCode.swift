/// How a command ends, for scripts and service managers; numbers above 1 follow `sysexits.h`.
enum ExitCode: Int32, CaseIterable {
    case fine = 0
    case somethingFailed = 1
    case usage = 64
    case state = 74
    case configuration = 78

    var meaning: String {
        switch self {
        case .fine: "all went well"
        case .somethingFailed: "something failed: a source, a delivery, a test"
        case .usage: "the command line makes no sense"
        case .state: "the state folder cannot be used"
        case .configuration: "the bot file or a rule file is wrong"
        }
    }
}
