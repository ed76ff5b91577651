import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct FrameCacheTests {
    /// A frame for a key; every byte depends on the key.
    private func frame(_ key: UInt64, length: Int = 1000) -> InflatedFrame {
        InflatedFrame(bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: key), count: length))
    }

    @Test func `cached frames are found and others are not`() {
        let cache = FrameCache(budgetBytes: 1 << 20)
        for key in UInt64(0)..<100 { cache.insert(frame(key), at: key) }
        for key in UInt64(0)..<100 { #expect(cache.find(key)?.bytes == frame(key).bytes) }
        #expect(cache.find(100) == nil)
        #expect(cache.usedBytes >= 100_000)
    }

    @Test func `the cache never exceeds its budget`() {
        let cache = FrameCache(budgetBytes: 256 << 10)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let key = generator.next() % 3000
            let length = Int(generator.next() % 3000)
            cache.insert(frame(key, length: length), at: key)
            let asked = generator.next() % 3000
            if let letter = cache.find(asked)?.bytes.first {
                #expect(letter == UInt8(truncatingIfNeeded: asked))
            }
        }
        #expect(cache.usedBytes <= 256 << 10)
        #expect(cache.usedBytes > 100 << 10)
    }

    @Test func `the cost of a frame includes its allocation and its entry`() {
        // Frames of compacted blocks are small, so their overhead matters.
        var roomy = [UInt8](repeating: 1, count: 100)
        roomy.reserveCapacity(5000)
        #expect(FrameCache.cost(of: .inflated(InflatedFrame(bytes: roomy))) > 5000)
        let entry = MemoryLayout<FrameCache.Entry>.stride
        #expect(FrameCache.overheadBytes >= 32 + 16 + 2 * entry + 16)
        let cache = FrameCache(budgetBytes: 1 << 20)
        for key in UInt64(0)..<50_000 { cache.insert(frame(key, length: 1), at: key) }
        let cached = (UInt64(0)..<50_000).count { cache.find($0) != nil }
        #expect(cached <= (1 << 20) / FrameCache.overheadBytes)
        #expect(cached > (1 << 20) / (FrameCache.overheadBytes + 64))
    }

    @Test func `a used frame outlives an unused one`() {
        let cache = FrameCache(budgetBytes: 16 * 4000)
        for key in UInt64(0)..<2000 {
            cache.insert(frame(key), at: key)
            _ = cache.find(7)
        }
        #expect(cache.find(7) != nil)
        #expect(cache.find(8) == nil)
    }

    @Test func `a full cache admits a frame that was read before`() {
        let cache = FrameCache(budgetBytes: 16 * 8000)
        #expect(cache.admits(1))
        for key in UInt64(0)..<1000 { cache.insert(frame(key), at: key) }
        #expect(!cache.admits(5000))
        #expect(cache.admits(5000))
        // A scan over many more frames than fit: few of their marks are equal by chance.
        let admittedCount = (UInt64(10_000)..<30_000).count { cache.admits($0) }
        #expect(admittedCount < 10)
        // Later marks have overwritten the earlier ones.
        #expect(!cache.admits(10_000))
    }

    @Test func `reads of a long log keep the frames in the cache`() throws {
        var log = try LogFixture(MemoryFileSystem()) { $0.frameCacheBudgetBytes = 256 << 10 }
        var places: [Location] = []
        for number in 0..<400 {
            let frames = try log.append("text \(number)", String(repeating: "y", count: 2000))
            places.append(frames.location(frame: 0, recordOffset: 3))
        }
        let cached = places.filter { log.log.cache.find($0.frameKey) != nil }
        #expect(cached.count > 20)
        for (number, place) in places.enumerated() {
            let (payload, offset) = try log.log.record(at: place)
            #expect(offset == 3 && LogFixture.text(payload) == "text \(number)")
        }
        let keptCount = cached.count { log.log.cache.find($0.frameKey) != nil }
        #expect(keptCount * 10 > cached.count * 8)
    }

    @Test func `an oversized frame and an empty budget cause no trap`() {
        let cache = FrameCache(budgetBytes: 16_000)
        cache.insert(frame(1, length: 100_000), at: 1)
        #expect(cache.find(1) == nil)
        let none = FrameCache(budgetBytes: -5)
        none.insert(frame(1, length: 0), at: 1)
        #expect(none.find(1) == nil)
        #expect(none.usedBytes == 0)
    }

    @Test func `concurrent readers and writers get the frame of their key`() throws {
        let cache = FrameCache(budgetBytes: 200 << 10)
        try onThreads(4) { number in
            var generator = SeededGenerator(seed: UInt64(number))
            for _ in 0..<5000 {
                let key = generator.next() % 500
                if let found = cache.find(key) {
                    guard found.bytes[0] == UInt8(truncatingIfNeeded: key) else {
                        throw WrongFrame()
                    }
                } else {
                    cache.insert(self.frame(key, length: 700), at: key)
                }
            }
        }
        #expect(cache.usedBytes <= 200 << 10)
    }

    @Test func `reads without a cache give the same results`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem) { $0.frameCacheBudgetBytes = 0 }
        var places: [Location] = []
        for number in 0..<30 {
            let frames = try log.append(
                "text \(number)", String(repeating: "y", count: number * 4000))
            places.append(frames.location(frame: 0, recordOffset: 3))
        }
        for (number, place) in places.enumerated() {
            let frame = try log.log.frame(at: place)
            #expect(LogFixture.text(frame.bytes) == "text \(number)")
        }
        #expect(log.log.cache.usedBytes == 0)
    }

    @Test func `a long transaction evicts no frames`() throws {
        var log = try LogFixture(MemoryFileSystem())
        try log.append("short")
        let usedBytes = log.log.cache.usedBytes
        #expect(usedBytes > 0)
        let half = String(repeating: "y", count: Log.cachedBatchLengthMax / 2 + 1)
        let frames = try log.append(half, half)
        #expect(log.log.cache.usedBytes == usedBytes)
        // A read caches a frame of the transaction.
        let place = frames.location(frame: 1, recordOffset: 0)
        #expect(LogFixture.text(try log.log.frame(at: place).bytes) == half)
        #expect(log.log.cache.usedBytes > usedBytes + half.utf8.count)
    }

    @Test func `a location without a frame is corruption`() throws {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem)
        let frames = try log.append("text")
        for place in [
            Location(segment: 9, frameOffset: 64, recordOffset: 0),
            Location(segment: 1, frameOffset: 0, recordOffset: 0),
            Location(segment: 1, frameOffset: 72, recordOffset: 0),
            Location(segment: 1, frameOffset: Location.frameOffsetMax, recordOffset: 0),
            Location(segment: 1, frameOffset: log.log.end.offset, recordOffset: 0),
        ] {
            let error = expectError(.corruption) { _ = try log.log.frame(at: place) }
            #expect(error?.details["segment"] != nil, "\(place)")
            // Also if the cache does not admit the frame.
            let uncached = try LogFixture(fileSystem, isReadOnly: true) {
                $0.frameCacheBudgetBytes = 0
            }
            let other = expectError(.corruption) { _ = try uncached.log.record(at: place) }
            #expect(other?.details["segment"] != nil, "\(place)")
        }
        let found = try log.log.frame(at: frames.location(frame: 0, recordOffset: 0))
        #expect(LogFixture.text(found.bytes) == "text")
    }
}

private struct WrongFrame: Error {}

extension CachedFrame {
    /// The payload; empty if it cannot be decoded.
    var bytes: [UInt8] { (try? payload.bytes) ?? [] }
}
