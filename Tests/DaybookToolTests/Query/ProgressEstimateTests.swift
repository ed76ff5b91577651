import Testing

@testable import DaybookCommand

/// The rate and the time left of a progress bar, with given times.
@Suite struct ProgressEstimateTests {
    /// Returns an estimate after steps of 0.1 s, each of which completes the given part.
    private func estimate(_ parts: [Double], begin: Double = 0) -> ProgressEstimate {
        var estimate = ProgressEstimate()
        var fraction = 0.0
        for (index, part) in parts.enumerated() {
            fraction += part
            estimate.add(fraction, at: begin + Double(index) * 0.1)
        }
        return estimate
    }

    private func isClose(_ value: Double?, _ expected: Double, within tolerance: Double) -> Bool {
        value.map { abs($0 - expected) <= tolerance } ?? false
    }

    @Test func `there is no estimate in the first second, and none without progress`() {
        #expect(ProgressEstimate().speed == nil)
        #expect(estimate([0]).speed == nil)
        #expect(estimate(Array(repeating: 0.01, count: 10)).secondsLeft == nil)
        #expect(estimate(Array(repeating: 0, count: 50)).speed == nil)
        #expect(estimate(Array(repeating: 0, count: 50)).text(workBytes: 100) == "")
    }

    @Test(arguments: [0.0, 1_000.0])
    func `a constant speed is estimated exactly`(_ begin: Double) {
        let constant = estimate([0] + Array(repeating: 0.01, count: 50), begin: begin)
        #expect(isClose(constant.speed, 0.1, within: 0.0001))
        #expect(isClose(constant.secondsLeft, 5, within: 0.01))
        #expect(constant.text(workBytes: 123_000_000) == "12.3 MB/s  5 s left")
        #expect(constant.text(workBytes: nil) == "5 s left")
    }

    @Test func `the work before the first call does not count`() {
        var late = ProgressEstimate()
        late.add(0.5, at: 10)
        late.add(0.6, at: 12)
        #expect(isClose(late.speed, 0.05, within: 0.0001))
        #expect(isClose(late.secondsLeft, 8, within: 0.01))
    }

    @Test func `one slow step changes the estimate little, and a lasting change in seconds`() {
        let steady = Array(repeating: 0.002, count: 100)
        let paused = estimate([0] + steady + [0])
        #expect(isClose(paused.speed, 0.02, within: 0.001))
        let slower = estimate([0] + steady + Array(repeating: 0.001, count: 150))
        #expect(isClose(slower.speed, 0.01, within: 0.002))
    }

    @Test func `an operation that begins its next stage keeps its speed`() {
        var estimate = estimate([0] + Array(repeating: 0.01, count: 100))
        let before = estimate.speed ?? 0
        estimate.add(0, at: 10.1)
        #expect(isClose(estimate.speed, before, within: before / 20))
        #expect(isClose(estimate.secondsLeft, 10, within: 1))
    }

    @Test(
        arguments: [
            (0.0, "0.0 kB/s"), (-5, "0.0 kB/s"), (1_234, "1.2 kB/s"), (999_949, "999.9 kB/s"),
            (999_950, "1.0 MB/s"), (12_340_000, "12.3 MB/s"), (2_500_000_000, "2.5 GB/s"),
            (1e15, "999.9 GB/s"), (.infinity, "999.9 GB/s"),
        ] as [(Double, String)])
    func `a rate has one decimal`(_ bytes: Double, _ text: String) {
        #expect(ProgressEstimate.rate(bytesPerSecond: bytes) == text)
    }

    @Test(
        arguments: [
            (0.0, "0 s left"), (0.2, "1 s left"), (59, "59 s left"), (59.5, "1 min left"),
            (61, "2 min left"), (3_540, "59 min left"), (3_541, "1 h 0 min left"),
            (7_500, "2 h 5 min left"), (1e12, "99 h 59 min left"), (.infinity, "99 h 59 min left"),
        ] as [(Double, String)])
    func `a time is rounded up`(_ seconds: Double, _ text: String) {
        #expect(ProgressEstimate.time(secondsLeft: seconds) == text)
        #expect(text.count + 12 <= ProgressEstimate.textWidthMax)
    }
}
