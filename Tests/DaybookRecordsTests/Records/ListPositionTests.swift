import DaybookRecords
import Testing

@Suite struct ListPositionTests {
    private func isRising(_ positions: [[UInt8]]) -> Bool {
        zip(positions, positions.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    }

    /// Valid in a record: not empty, not too long, without a trailing zero.
    private func isStorable(_ position: [UInt8]) -> Bool {
        !position.isEmpty && position.count <= RecordFormat.positionLengthBytesMax
            && position.last != 0
    }

    @Test func `positions anywhere are sorted, distinct and valid`() {
        var numbers = SeededNumbers()
        for _ in 0..<30 {
            var list: [[UInt8]] = []
            for _ in 0..<120 {
                let place = Int.random(in: 0...list.count, using: &numbers)
                let found = ListPosition.between(
                    place > 0 ? list[place - 1] : nil, place < list.count ? list[place] : nil,
                    count: Int.random(in: 0...9, using: &numbers))
                list.insert(contentsOf: found, at: place)
            }
            #expect(isRising(list), "seed \(numbers.seed)")
            #expect(list.allSatisfy(isStorable), "seed \(numbers.seed)")
        }
    }

    @Test func `positions fit between any two, whatever their bytes are`() {
        var numbers = SeededNumbers()
        func position() -> [UInt8] {
            let bytes: [UInt8] = [0, 0, 1, 0x7F, 0x80, 0xFE, 0xFF, 0xFF]
            let count = Int.random(in: 0...8, using: &numbers)
            return (0..<count).map { _ in bytes.randomElement(using: &numbers) ?? 0 }
                + [[1, 0x80, 0xFF].randomElement(using: &numbers) ?? 1]
        }
        for _ in 0..<20_000 {
            let (one, other) = (position(), position())
            guard one != other else { continue }
            let (low, high) = one.lexicographicallyPrecedes(other) ? (one, other) : (other, one)
            let count = Int.random(in: 1...4, using: &numbers)
            let inner = ListPosition.between(low, high, count: count)
            let above = ListPosition.between(high, nil, count: count)
            let below = ListPosition.between(nil, low, count: count)
            let all = below + [low] + inner + [high] + above
            #expect(inner.count == count && above.count == count && below.count == count)
            #expect(isRising(all), "seed \(numbers.seed): \(low), \(high)")
            #expect((below + inner + above).allSatisfy(isStorable), "seed \(numbers.seed)")
        }
    }

    @Test func `there are positions after the last number`() {
        for last: UInt8 in [0xFC, 0xFE, 0xFF] {
            let low = [UInt8](repeating: 0xFF, count: 5) + [last]
            let found = ListPosition.between(low, nil, count: 1000)
            #expect(found.count == 1000 && isRising([low] + found))
            #expect(found.allSatisfy(isStorable))
        }
    }

    @Test func `a list that grows at its ends keeps positions of six bytes`() {
        for isAtEnd in [true, false] {
            var last: [UInt8]?
            var longest = 0
            for _ in 0..<1_000_000 {
                let next =
                    isAtEnd
                    ? ListPosition.between(last, nil, count: 1)[0]
                    : ListPosition.between(nil, last, count: 1)[0]
                longest = max(longest, next.count)
                if let last {
                    let (low, high) = isAtEnd ? (last, next) : (next, last)
                    guard low.lexicographicallyPrecedes(high) else {
                        Issue.record("\(next) follows \(last)")
                        return
                    }
                }
                last = next
            }
            #expect(longest == 6)
        }
    }

    @Test func `positions that are created together are short`() {
        let ends = ListPosition.between(nil, nil, count: 2)
        let found = ListPosition.between(ends[0], ends[1], count: 10_000)
        #expect(isRising([ends[0]] + found + [ends[1]]))
        // A fraction of two bytes distinguishes 65,536 places.
        #expect(found.allSatisfy { $0.count <= 6 + 3 })
    }

    @Test(arguments: [true, false])
    func `eight insertions at the same place lengthen a position by one byte`(isBehindLow: Bool) {
        let ends = ListPosition.between(nil, nil, count: 2)
        var list = [ends[0], ends[1]]
        for _ in 0..<1_000 {
            let place = isBehindLow ? 1 : list.count - 1
            let found = ListPosition.between(list[place - 1], list[place], count: 1)
            list.insert(contentsOf: found, at: place)
        }
        #expect(isRising(list))
        #expect(list.allSatisfy { $0.count <= 6 + 1_000 / 7 + 1 })
        #expect(list.allSatisfy(isStorable))
    }
}
