import BotCore
import BotTransport
import Values

/// Writes the log to standard error, a line at a time, every known secret masked.
struct LogWriter: Sendable {
    var terminal: Terminal
    var redactor: Redactor
    var clock: any WallClock
    var least: Log.Level

    var log: Log {
        Log { level, line in
            guard level >= least else { return }
            // One entry is one line, whatever is in it.
            let clean = redactor.mask(line).map { $0.isNewline ? " " : $0 }
            terminal.error("\(clock.now.rfc3339) \(Self.word(level)) \(String(clean))")
        }
    }

    private static func word(_ level: Log.Level) -> String {
        switch level {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}
