import DaybookBytes
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct ByteSearchTests {
    private func end(_ pattern: [UInt8], in text: [UInt8], from start: Int = 0) -> Int? {
        ByteSearch(pattern).end(in: text.span, from: start)
    }

    /// Returns the end of the first occurrence, by trying every position.
    private func plainEnd(_ pattern: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        guard start + pattern.count <= text.count else { return nil }
        return (start...text.count - pattern.count).first { place in
            text[place...].starts(with: pattern)
        }.map { $0 + pattern.count }
    }

    @Test(arguments: Seeds.first(20))
    func `repetitive patterns are found at their first occurrence`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func random(_ counts: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: counts, using: &generator)).map { _ in
                UInt8.random(in: 0...1, using: &generator)
            }
        }
        var foundCount = 0
        for _ in 0..<200 {
            let (pattern, text) = (random(1...6), random(0...24))
            for start in 0...text.count {
                let found = end(pattern, in: text, from: start)
                if found != nil { foundCount += 1 }
                #expect(
                    found == plainEnd(pattern, in: text, from: start),
                    "seed \(seed): \(pattern) in \(text) from \(start)")
            }
        }
        #expect(foundCount > 100, "seed \(seed)")
    }

    @Test func `an empty pattern is found everywhere, and a nonempty one never in empty bytes`() {
        #expect(end([], in: [1, 2], from: 1) == 1)
        #expect(end([], in: []) == 0)
        #expect(end([1], in: []) == nil)
    }
}
