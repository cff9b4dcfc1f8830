@testable import BotTransport
import Testing
import Values

@Suite struct HostQueueTests {
    private func at(_ milliseconds: Int64) -> TimeSpan { .milliseconds(milliseconds) }

    @Test func `starts are at least the gap apart and in the order of asking`() {
        var queue = HostQueue<Int>(policies: HostPolicies())
        (1...4).forEach { queue.join($0, host: "school") }
        #expect(queue.admit(now: at(0)) == [1])
        #expect(queue.nextTurn == at(200))
        #expect(queue.admit(now: at(199)) == [])
        #expect(queue.admit(now: at(200)) == [2])
        // Two are under way: only the end of one brings the next turn.
        #expect(queue.nextTurn == nil)
        #expect(queue.admit(now: at(10_000)) == [])
        queue.finish(host: "school")
        #expect(queue.admit(now: at(10_001)) == [3])
        queue.finish(host: "school")
        #expect(queue.admit(now: at(10_100)) == [])
        #expect(queue.admit(now: at(10_201)) == [4])
    }

    @Test func `a host that is full delays no other`() {
        var queue = HostQueue<String>(policies: HostPolicies(byHost: ["slow": HostPolicy(connections: 1, gap: .zero)]))
        queue.join("a", host: "slow")
        queue.join("b", host: "slow")
        queue.join("c", host: "quick")
        #expect(Set(queue.admit(now: .zero)) == ["a", "c"])
        #expect(queue.admit(now: at(1)) == [])
        queue.finish(host: "slow")
        #expect(queue.admit(now: at(2)) == ["b"])
    }

    @Test func `a host keeps its gap after its last request has ended`() {
        var queue = HostQueue<Int>(policies: HostPolicies())
        queue.join(1, host: "school")
        #expect(queue.admit(now: at(0)) == [1])
        queue.finish(host: "school")
        #expect(queue.admit(now: at(10)) == [])
        queue.join(2, host: "school")
        #expect(queue.admit(now: at(20)) == [])
        #expect(queue.admit(now: at(200)) == [2])
    }

    @Test func `who is withdrawn leaves the line and costs no turn`() {
        var queue = HostQueue<Int>(policies: HostPolicies(usual: HostPolicy(connections: 1, gap: .zero)))
        (1...3).forEach { queue.join($0, host: "school") }
        #expect(queue.admit(now: .zero) == [1])
        #expect(queue.withdraw { $0 == 2 } == 2)
        #expect(queue.withdraw { $0 == 2 } == nil)
        queue.finish(host: "school")
        #expect(queue.admit(now: .zero) == [3])
    }

    @Test func `an unlimited host lets all go at once`() {
        var queue = HostQueue<Int>(policies: HostPolicies(usual: .unlimited))
        (1...100).forEach { queue.join($0, host: "school") }
        #expect(queue.admit(now: .zero) == Array(1...100))
    }
}
