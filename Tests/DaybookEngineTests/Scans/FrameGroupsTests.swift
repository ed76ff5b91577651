@testable import DaybookEngine
import DaybookLog
import DaybookPages
import DaybookRecords
import DaybookTesting
import Testing

@Suite struct FrameGroupsTests {
    /// Entries of rows in these frames.
    private func entries(_ frames: [Int]) -> [WordEntry] {
        frames.enumerated().map { index, frame in
            let location = Location(segment: 1, frameOffset: 64 + 8 * frame, recordOffset: 0)
            let entry = ObjectEntry(location: location.rawValue, sequence: 1, isRemoved: false)
            return WordEntry(key: UInt64(index), value: entry.value)
        }
    }

    @Test func `rows in the order of their frames are not scattered`() {
        // Large rows: each small frame has two of them, or one.
        for perFrame in [1, 2, 50] {
            let entries = entries((0..<200).map { $0 / perFrame * 300 })
            #expect(!FrameGroups.areScattered(entries, count: 200))
        }
    }

    @Test func `rows that were written at random are scattered`() {
        var generator = SeededGenerator(seed: 4)
        let entries = entries((0..<200).map { _ in Int(generator.next() % 4_000_000) })
        #expect(FrameGroups.areScattered(entries, count: 200))
        #expect(!FrameGroups.areScattered(entries, count: 15))
    }

    @Test func `rows far apart are scattered, also in the order of their frames`() {
        // As found by an index.
        let entries = entries((0..<200).map { $0 * 50_000 })
        #expect(FrameGroups.areScattered(entries, count: 200))
    }
}
