import DaybookBytes
@testable import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct SequenceRangesTests {
    @Test(arguments: Seeds.first(50))
    func `ranges contain exactly the inserted numbers`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ranges = SequenceRanges()
        var model: Set<UInt64> = []
        for _ in 0..<30 {
            let lower = UInt64.random(in: 0...60, using: &generator)
            let range = lower...lower + UInt64.random(in: 0...6, using: &generator)
            ranges.insert(range)
            model.formUnion(range)
            let wrong = (0...70 as ClosedRange<UInt64>).filter {
                ranges.contains($0) != model.contains($0)
            }
            #expect(wrong.isEmpty, "seed \(seed)")
        }
    }

    @Test func `the smallest and the largest sequence are valid members`() {
        var ranges = SequenceRanges()
        ranges.insert(UInt64.max...UInt64.max)
        #expect(ranges.contains(.max) && !ranges.contains(.max - 1))
        ranges.insert(0...0)
        #expect(ranges.contains(0) && !ranges.contains(1))
        ranges.insert(1...UInt64.max - 1)
        var whole = SequenceRanges()
        whole.insert(0...UInt64.max)
        #expect(ranges == whole)
    }
}
