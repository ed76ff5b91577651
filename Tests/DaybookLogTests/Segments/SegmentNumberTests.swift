import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Segment numbers never run out; slots are used again.
@Suite struct SegmentNumberTests {
    private static let slotCount = SegmentNumber.slotCount

    private func log(_ fileSystem: any FileSystem) throws -> LogFixture {
        try LogFixture(fileSystem) { $0.segmentSizeBytes = 1 << 10 }
    }

    @Test func `free numbers are consecutive and skip slots in use, and slot 0`() {
        let used: Set<UInt32> = [3, 4, 9]
        func free(_ count: Int, from first: UInt64) -> Range<UInt64>? {
            SegmentNumber.free(count, from: first) { used.contains($0) }
        }
        #expect(free(2, from: 1) == 1..<3)
        #expect(free(3, from: 1) == 5..<8)
        #expect(free(5, from: 1) == 10..<15)
        let end = Self.slotCount
        #expect(free(3, from: end - 3) == (end - 3)..<end)
        #expect(free(3, from: end - 2) == (end + 5)..<(end + 8))
        #expect(free(1, from: 7 * end) == (7 * end + 1)..<(7 * end + 2))
        #expect(free(Int(end), from: 1) == nil)
        #expect(free(1, from: SegmentNumber.limit - 1) == nil)
    }

    @Test func `without free slots there are no free numbers`() {
        let last = UInt32(Self.slotCount - 1)
        #expect(SegmentNumber.free(1, from: 77) { _ in true } == nil)
        #expect(SegmentNumber.free(2, from: 77) { $0 != 5 && $0 != last } == nil)
        let one = SegmentNumber.free(1, from: 77) { $0 != 5 }
        #expect(one == (Self.slotCount + 5)..<(Self.slotCount + 6))
    }

    @Test func `a log continues after the last slot, beside segments in the first slots`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try log(fileSystem)
        try log.append(count: 20)
        let old = log.log.manifest.sealed.map(\.number)
        #expect(old.first == 1)
        try log.log.commitManifest { $0.nextSegmentNumber = Self.slotCount - 2 }
        try log.append(count: 60)
        let numbers = log.log.manifest.sealed.map(\.number)
        #expect(numbers == numbers.sorted())
        #expect(numbers.starts(with: old))
        let slots = numbers.map { SegmentNumber.slot(of: $0) }
        #expect(Set(slots).count == slots.count && !slots.contains(0))
        #expect(numbers.contains(Self.slotCount - 1))
        #expect(numbers.contains { $0 > Self.slotCount })
        #expect(try log.texts() == (1...80).map { "text \($0)" })
        for entry in log.log.manifest.sealed { try log.log.verify(entry) }
        try log.log.close()
        let again = try LogFixture(fileSystem.afterKill())
        #expect(try again.texts() == (1...80).map { "text \($0)" })
        #expect(again.log.manifest.nextSegmentNumber > Self.slotCount)
    }

    // A compaction once reserved more numbers than remained, wrote the manifest and only then
    // checked: the manifest was inconsistent, and the store could not be opened again.
    @Test func `a reservation without free slots fails without effect`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try log(fileSystem)
        try log.append("one")
        let next = log.log.manifest.nextSegmentNumber
        let count = Int(Self.slotCount)
        let error = expectError(.outOfSpace) { _ = try log.log.takeSegmentNumbers(count) }
        #expect(error?.details["count"] == String(count))
        #expect(log.log.manifest.nextSegmentNumber == next)
        let numbers = try log.log.takeSegmentNumbers(count - 2)
        #expect(numbers.count == count - 2)
        try log.log.close()
        #expect(try LogFixture(fileSystem.afterKill()).texts() == ["one"])
    }

    @Test func `a reader that needs a replaced segment refuses another one in its slot`() throws {
        let fileSystem = MemoryFileSystem()
        var writer = try LogFixture(fileSystem)
        try writer.append(count: 3)
        try writer.log.sealActiveSegment()
        let reader = try LogFixture(fileSystem, isReadOnly: true)
        try replaceFirstSegment(of: writer.log, texts: try writer.texts())
        _ = try reader.log.refresh(applied: 3)
        #expect(reader.log.segment(1)?.number == 1)

        try writer.log.commitManifest { $0.nextSegmentNumber = Self.slotCount }
        try writer.append("text 4")
        try writer.log.sealActiveSegment()
        try writer.append("text 5")
        let number = writer.log.manifest.activeNumber
        #expect(number == Self.slotCount + 1)
        let error = expectError(.historyTruncated) { _ = try reader.log.refresh(applied: 3) }
        #expect(error?.details["segment"] == String(number))
        #expect(reader.log.segment(number) == nil)
        #expect(reader.log.segment(1)?.number == 1)

        reader.log.release(reader.log.leaveUnnamedSegments())
        #expect(try reader.log.refresh(applied: 3) == .appended)
        #expect(reader.log.segment(1) == nil)
        #expect(try reader.texts() == (1...5).map { "text \($0)" })
    }

    /// Replaces the first segment by a copy with the same frames, and releases it.
    private func replaceFirstSegment(of log: Log, texts: [String]) throws {
        let number = try log.takeSegmentNumbers(1).lowerBound
        var builder = try SegmentBuilder(
            log, number: number, firstSequence: 1, level: 3, sampleBytes: 0)
        for (index, text) in texts.enumerated() {
            let payload = LogFixture.payload(text, UInt64(index + 1))
            _ = try builder.append(payload, timeMicroseconds: 7)
        }
        let done = try builder.finish()
        log.admit(done.segment)
        try log.replace([1], with: [done.entry], historyFloor: 0)
        log.discard([1])
        log.release([1])
    }

    @Test func `the cache forgets the frames of a slot`() {
        let cache = FrameCache(budgetBytes: 1 << 20)
        func key(_ segment: UInt64, _ frame: Int) -> UInt64 {
            Location(segment: segment, frameOffset: 8 * frame, recordOffset: 0).frameKey
        }
        for segment in UInt64(1)...4 {
            for frame in 8..<40 {
                cache.insert(
                    InflatedFrame(bytes: [UInt8(segment), UInt8(frame)]), at: key(segment, frame))
            }
        }
        let usedBytes = cache.usedBytes
        cache.removeFrames(inSlot: 3)
        #expect(cache.usedBytes == usedBytes / 4 * 3)
        for segment in UInt64(1)...4 {
            for frame in 8..<40 {
                let expected = segment == 3 ? nil : [UInt8(segment), UInt8(frame)]
                #expect(cache.find(key(segment, frame))?.bytes == expected)
            }
        }
        cache.insert(InflatedFrame(bytes: [7]), at: key(3, 8))
        #expect(cache.find(key(Self.slotCount + 3, 8))?.bytes == [7])
    }
}
