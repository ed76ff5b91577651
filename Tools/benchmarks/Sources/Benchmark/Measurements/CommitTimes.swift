import Daybook
import Foundation
import Synchronization

/// The times at which each commit was requested, became durable, and was delivered to a subscriber.
final class CommitTimes: Sendable {
    private struct Times {
        var began: [ContinuousClock.Instant?]
        var returned: [ContinuousClock.Instant?]
        var delivered: [ContinuousClock.Instant?]
    }

    private let times: Mutex<Times>

    init(count: Int) {
        let none = [ContinuousClock.Instant?](repeating: nil, count: count)
        times = Mutex(Times(began: none, returned: none, delivered: none))
    }

    func began(_ number: Int) { times.withLock { $0.began[number] = .now } }
    func returned(_ number: Int) { times.withLock { $0.returned[number] = .now } }
    func delivered(_ number: Int) {
        times.withLock { if $0.delivered[number] == nil { $0.delivered[number] = .now } }
    }

    func report() {
        let times = times.withLock { $0 }
        line("put returned, durable", times.began, times.returned)
        line("change delivered", times.began, times.delivered)
    }

    private func line(
        _ name: String, _ from: [ContinuousClock.Instant?], _ to: [ContinuousClock.Instant?]
    ) {
        let delays = zip(from, to).compactMap { from, to in
            from.flatMap { from in to.map { ($0 - from) / .microseconds(1) } }
        }.sorted()
        guard !delays.isEmpty else { return }
        func part(_ fraction: Double) -> String {
            String(format: "%.0f", delays[Int(fraction * Double(delays.count - 1))])
        }
        Output.line(
            "| \(name), after the call of put | p50 \(part(0.5)) µs | p99 \(part(0.99)) µs |"
                + " \(delays.count) commits |")
    }
}
