import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct TornTailTests {
    private let segment = "/log/" + StoreFileName.segment(firstSequence: 1, number: 1).text

    @Test func `zeros after the last frame are a clean end`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append(count: 5)
        let size = try #require(fileSystem.contents[segment]).count
        #expect(size > log.log.end.offset)
        let again = try LogFixture(fileSystem.afterKill())
        #expect(try again.texts().count == 5)
        #expect(again.report.tornBytes == 0)
        #expect(again.report.quarantinedFile == nil)
    }

    @Test func `a torn tail is truncated after the last whole transaction and quarantined`() throws
    {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append(count: 3)
        let end = log.log.end.offset
        try log.append("first half", "second half")
        let full = log.log.end.offset
        for cut in (end + 1)..<full {
            let image = fileSystem.afterKill(changing: segment) { bytes in
                for index in cut..<bytes.count { bytes[index] = 0 }
            }
            var again = try LogFixture(image)
            #expect(again.report.lastSequence == 3, "cut at \(cut)")
            #expect(again.report.tornBytes > 0 && again.report.tornBytes <= cut - end)
            #expect(try again.texts() == ["text 1", "text 2", "text 3"])
            let name = try #require(again.report.quarantinedFile)
            let kept = try #require(image.contents["/log/quarantine/" + name])
            let original = try #require(fileSystem.contents[segment])
            #expect(kept == Array(original[end..<(end + kept.count)]))
            try again.append("new")
            #expect(try again.texts().last == "new")
        }
    }

    @Test func `two tails truncated at the same offset are both quarantined`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append(count: 3)
        try log.append("lost")
        var image = fileSystem
        for round in 1...3 {
            image = image.afterKill()
            let path = try #require(image.paths("segment-").last)
            image = image.afterKill(changing: path) { bytes in
                if let last = bytes.lastIndex(where: { $0 != 0 }) { bytes[last] = 0 }
            }
            var again = try LogFixture(image)
            let kept = image.paths("segment-").filter { $0.contains("quarantine") }
            #expect(kept.count == round)
            try again.append("lost again")
        }
    }

    @Test func `damage that a later frame claims to be durable is corruption`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append("one")
        let offset = log.log.end.offset
        try log.append("two")
        try log.log.durability?.wait(for: 2)
        try log.append("three, which says that two is durable")
        let image = fileSystem.afterKill(changing: segment) { $0[offset + 70] ^= 1 }
        let error = expectError(.corruption) { _ = try LogFixture(image) }
        #expect(error?.details["segment"] == "1")
        #expect(error?.details["offset"] == String(offset))
        #expect(error?.details["sequence"] == "1")
    }

    @Test func `damage that nothing claims to be durable is a torn tail`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append("one")
        let offset = log.log.end.offset
        try log.append("two")
        try log.append("three")
        let image = fileSystem.afterKill(changing: segment) { $0[offset + 70] ^= 1 }
        let again = try LogFixture(image)
        #expect(try again.texts() == ["one"])
        #expect(again.report.tornBytes > 0)
    }

    @Test func `a durable sequence from outside the log makes a torn tail corruption`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append(count: 2)
        let image = fileSystem.afterKill()
        expectError(.corruption) { _ = try LogFixture(image, durableClaim: 3) }
        #expect(try LogFixture(image, durableClaim: 2).texts().count == 2)
    }

    @Test func `frames of a skippable kind are skipped and kept`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append(count: 2)
        let stranger = FrameHeader(
            kind: 0x91, codec: .raw, storedLength: 0, rawLength: 9, recordCount: 1,
            firstSequence: 0, lastSequence: .max, durableSequence: 0, timeMicroseconds: 7,
            endsTransaction: false)
        let end = log.log.end
        var encoder = FrameEncoder(
            seed: StoreIdentity(high: 0x1234, low: 0x5678).seed(segment: 1), check: end.check)
        var frame = ByteWriter(capacity: 128)
        encoder.append([1, 2, 3].span, stranger, to: &frame)
        try log.log.durability?.wait(for: 2)
        log.log.abandon()
        let image = fileSystem.afterKill(changing: segment) { bytes in
            bytes.replaceSubrange(end.offset..<(end.offset + frame.count), with: frame.bytes)
        }
        let follower = try LogFixture(image, isReadOnly: true)
        #expect(follower.log.end.offset == end.offset + frame.count)
        for round in 0..<3 {
            var again = try LogFixture(image) { $0.segmentSizeBytes = 1 << 10 }
            #expect(again.report.tornBytes == 0)
            #expect(again.log.lastSequence == UInt64(2 + round * 20))
            try again.append(count: 20)
            #expect(try again.texts() == (1...(22 + round * 20)).map { "text \($0)" })
            if round == 1 { try again.log.close() } else { again.log.abandon() }
        }
        #expect(try follower.log.refresh(applied: 2) != .none)
        #expect(follower.log.lastSequence == 62)
    }

    @Test func `frames before a clean close are never a torn tail`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append(count: 2)
        try log.log.close()
        #expect(try LogFixture(fileSystem.afterKill()).report.wasClosedCleanly)
        let size = try #require(fileSystem.contents[segment]).count
        for place in [size - 1, size - 90, 70] {
            let image = fileSystem.afterKill(changing: segment) { $0[place] ^= 1 }
            expectError(.corruption) { _ = try LogFixture(image) }
        }
        let cut = fileSystem.afterKill(changing: segment) { $0.removeLast(8) }
        expectError(.corruption) { _ = try LogFixture(cut) }
    }

    @Test func `an opening recovers after a kill during recovery`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        try log.append(count: 4)
        try log.log.durability?.wait(for: 2)
        try log.append(count: 1)
        let torn = fileSystem.afterKill(changing: segment) { bytes in
            if let last = bytes.lastIndex(where: { $0 != 0 }) { bytes[last] ^= 1 }
        }
        var call = 0
        while true {
            call += 1
            let image = torn.afterKill()
            let failing = FaultFileSystem(
                image, failingCall: call, fault: .errno(5), persistence: .forever)
            let outcome = Result { _ = try LogFixture(failing) }
            if !failing.hasFailed { break }
            #expect(throws: DaybookError.self) { try outcome.get() }
            let again = try LogFixture(image.afterKill())
            #expect(try again.texts() == (1...4).map { "text \($0)" }, "call \(call)")
            let kept = image.afterKill().paths("segment-").count { $0.contains("quarantine") }
            #expect(kept <= 2)
        }
        #expect(call > 20)
    }
}
