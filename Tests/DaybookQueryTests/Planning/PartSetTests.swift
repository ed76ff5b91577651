import DaybookTesting
import Testing

@testable import DaybookQuery

@Suite struct PartSetTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a set of parts equals a set of numbers`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Small numbers are in the first word, others need further words.
        let limit = [60, 64, 65, 130, 1000].randomElement(using: &generator) ?? 64
        func random() -> (PartSet, Set<Int>) {
            var (parts, numbers) = (PartSet(), Set<Int>())
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                let number = Int.random(in: 0..<limit, using: &generator)
                parts.insert(number)
                numbers.insert(number)
            }
            return (parts, numbers)
        }
        for _ in 0..<50 {
            let (one, other) = (random(), random())
            #expect(one.0.count == one.1.count)
            #expect((0..<limit + 64).allSatisfy { one.0.contains($0) == one.1.contains($0) })
            let both = (one.0.union(other.0), one.1.union(other.1))
            #expect((0..<limit + 64).allSatisfy { both.0.contains($0) == both.1.contains($0) })
            #expect(one.0.isSubset(of: other.0) == one.1.isSubset(of: other.1))
            #expect(one.0.isSubset(of: both.0) && other.0.isSubset(of: both.0))
        }
        #expect(PartSet(limit).contains(limit) && PartSet(limit).count == 1)
    }
}
