import BotCore
import BotTransport
import Values

/// Writes the log to standard error, a line at a time, every known secret masked. Times are those of the bot's zone, with their offset.
struct LogWriter: Sendable {
    var terminal: Terminal
    var redactor: Redactor
    var clock: any WallClock
    var zone: Zone
    var least: Log.Level

    var log: Log {
        Log(least: least) { level, line in
            // One entry is one line, whatever is in it.
            let clean = redactor.mask(line).map { $0.isNewline ? " " : $0 }
            let now = clock.now
            let stamp = now.textWithMilliseconds(offset: zone.offset(at: now))
            terminal.error("\(stamp) \(Self.word(level)) \(String(clean))")
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
