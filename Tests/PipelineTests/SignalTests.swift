import Dispatch
import Glibc
import Testing
import Values

@testable import SchoolSimulator
@testable import pokyh_bot

@Suite struct SignalTests {
    @Test(.timeLimit(.minutes(5)))
    func `a signal that comes as soon as signals are watched is heard, however busy the machine is`() async {
        await #expect(processExitsWith: .success) {
            for number in 0..<200 {
                let (signal, wish) = number.isMultiple(of: 2) ? (SIGHUP, SignalWatch.Wish.reload) : (SIGTERM, .stop)
                let watch = SignalWatch()
                kill(getpid(), signal)
                var heard = watch.stream.makeAsyncIterator()
                #expect(await heard.next() == wish)
            }
        }
    }

    @Test func `a wish to read the rules again that comes while the bot starts is heard when it has started`() async {
        await #expect(processExitsWith: .success) {
            SignalWatch.keepReload()
            kill(getpid(), SIGHUP)
            var heard = SignalWatch().stream.makeAsyncIterator()
            #expect(await heard.next() == .reload)
            // And once.
            var others = SignalWatch().stream.makeAsyncIterator()
            kill(getpid(), SIGTERM)
            #expect(await others.next() == .stop)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `once that is stopped while its sources hang does not look like a good run`() throws {
        let town = try FeedTown()
        defer { town.close() }
        let (asked, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        defer { end.signal() }
        town.far.on("/list") { _ in
            asked.signal()
            end.wait()
            return .json([])
        }
        let bot = try town.start("once")
        asked.wait()
        bot.signal(SIGTERM)
        let run = bot.wait()
        #expect(run.status == 1)
        #expect(run.errors.contains("stopped before"), "\(run.errors)")
    }
}
