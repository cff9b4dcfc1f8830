import CBench
import Foundation
import Values

/// `bot-bench json FILE SECONDS`: how fast a document becomes a `Value`, beside Foundation's JSONSerialization in the same run.
enum JSONBench {
    static let subcommands = [BotBench.Subcommand(name: "json", usage: "FILE SECONDS", run: speeds)]

    private static let rounds = 5

    @Sendable private static func speeds(_ arguments: [String]) -> Int32 {
        guard arguments.count == 2, let seconds = Double(arguments[1]), seconds > 0 else {
            print("usage: bot-bench json FILE SECONDS")
            return 64
        }
        guard let bytes = contents(of: arguments[0]) else {
            print("cannot read \(arguments[0])")
            return 66
        }
        let data = Data(bytes)
        guard let value = try? Value(json: bytes), let theirs = try? JSONSerialization.jsonObject(with: data),
            let again = try? JSONSerialization.data(withJSONObject: theirs), (try? Value(json: Array(again))) == value
        else {
            print("\(arguments[0]): the two readers do not read the same")
            return 65
        }
        // In turn, so that a machine that slows down slows both.
        var best = (read: Double.infinity, foundation: Double.infinity, written: Double.infinity)
        let slice = seconds / Double(rounds * 3)
        for _ in 0..<rounds {
            best.read = min(best.read, time(slice) { keep(try? Value(json: bytes)) })
            best.foundation = min(best.foundation, time(slice) { keep(try? JSONSerialization.jsonObject(with: data)) })
            best.written = min(best.written, time(slice) { keep(value.json) })
        }
        let compact = value.json.utf8.count
        print("document   \(bytes.count) bytes, \(count(of: value)) values; \(compact) bytes written compactly")
        print(
            "read       \(rate(bytes.count, best.read)) MB/s  \(allocations { keep(try? Value(json: bytes)) }) allocations"
        )
        print("Foundation \(rate(bytes.count, best.foundation)) MB/s")
        print("written    \(rate(compact, best.written)) MB/s  \(allocations { keep(value.json) }) allocations")
        return 0
    }

    private static func count(of value: Value) -> Int {
        switch value {
        case .list(let list): list.reduce(1) { $0 + count(of: $1) }
        case .map(let map): map.pairs.reduce(1) { $0 + count(of: $1.value) }
        default: 1
        }
    }

    /// Seconds of this thread's processor time for one call.
    private static func time(_ seconds: Double, _ body: () -> Void) -> Double {
        body()
        let start = cbench_thread_nanoseconds()
        var calls = 0
        var spent = 0.0
        repeat {
            for _ in 0..<10 { body() }
            calls += 10
            spent = Double(cbench_thread_nanoseconds() - start) / 1e9
        } while spent < seconds
        return spent / Double(calls)
    }

    private static func allocations(_ body: () -> Void) -> UInt64 {
        let before = cbench_allocations()
        body()
        return cbench_allocations() - before
    }

    private static func rate(_ bytes: Int, _ seconds: Double) -> String {
        String(format: "%6.1f", Double(bytes) / seconds / 1e6)
    }

    /// Keeps the optimiser from leaving out what is measured.
    @inline(never)
    private static func keep<Anything>(_ value: Anything) { withExtendedLifetime(value) {} }
}
