import DaybookBytes
@testable import DaybookLog
import DaybookTestSupport
import Testing

/// Searches for the frames of a transaction by the keys of their records.
@Suite struct SearchTests {
    private let disk = CountingDisk(MemoryFileSystem())

    /// Appends a transaction of frames of some 4 KiB, each with ten keys from a start.
    private func append(_ starts: [UInt64], to fixture: inout LogFixture) throws {
        let sequence = fixture.log.lastSequence + 1
        let text = String(repeating: "text", count: 1_000)
        let payloads = starts.enumerated().map { place, start in
            var payload = LogFixture.payload(
                "\(start) " + text, sequence, ends: place == starts.count - 1)
            payload.keys = KeyRange(start...(start + 9))
            return payload
        }
        _ = try fixture.log.append(payloads, timeMicroseconds: 1)
        try fixture.log.durability?.wait(for: sequence)
    }

    private func found(
        _ log: Log, _ sequence: UInt64, _ key: UInt64, withEarlier: Bool = false
    ) throws -> [String] {
        var scanner = try log.search(
            [WantedRecords(sequence: sequence, keys: KeyRange(key...key))],
            withEarlier: withEarlier, in: log.view())
        var texts: [String] = []
        while let frame = try scanner.next() {
            texts.append(String(LogFixture.text(frame.payload).prefix { $0 != " " }))
        }
        return texts
    }

    private func check(_ log: Log, sealed: Bool) throws {
        #expect((log.manifest.sealed.count == 1) == sealed)
        let bytes = try disk.readBytes {
            let texts = try found(log, 2, 1_005)
            #expect(texts == ["1000"])
        }
        // One entry of the directory covers 64 KiB.
        #expect(bytes < 150 << 10)
        #expect(try found(log, 2, 3_001) == [])
        #expect(try found(log, 3, 1_005) == ["1000"])
        #expect(try found(log, 1, 7) == ["5"])
        #expect(try found(log, 2, 7) == [])
        #expect(try found(log, 2, 15, withEarlier: true).contains("10"))
        let last = try disk.readBytes {
            let frame = try log.lastFrame(of: 2, in: log.view())
            #expect(frame?.header.endsTransaction == true)
            #expect(frame?.header.lastSequence == 2)
            #expect(frame.map { LogFixture.text($0.payload).hasPrefix("2990 ") } == true)
        }
        #expect(last < 150 << 10)
        let none = try log.lastFrame(of: 9, in: log.view())
        #expect(none == nil)
        try checkMany(log)
    }

    /// Searches for records of several transactions at once.
    private func checkMany(_ log: Log) throws {
        let wanted: [(sequence: UInt64, keys: ClosedRange<UInt64>)] = [
            (1, 1...9), (2, 105...115), (2, 2_991...2_991), (3, 1_000...1_999),
        ]
        var scanner = try log.search(
            wanted.map { WantedRecords(sequence: $0.sequence, keys: KeyRange($0.keys)) },
            in: log.view())
        var texts: [String] = []
        while let frame = try scanner.next() {
            texts.append(String(LogFixture.text(frame.payload).prefix { $0 != " " }))
        }
        #expect(texts == ["5", "100", "110", "2990", "1000"])
    }

    @Test(arguments: [0, 1 << 20])
    func `a record of a large transaction is found without reading the transaction`(
        cacheBytes: Int
    ) throws {
        var fixture = try LogFixture(disk) { $0.frameCacheBudgetBytes = cacheBytes }
        try append([5], to: &fixture)
        try append((1..<300).map { $0 * 10 }, to: &fixture)
        try append([2_000, 1_000, 3_000], to: &fixture)
        try check(fixture.log, sealed: false)
        try fixture.log.sealActiveSegment()
        try check(fixture.log, sealed: true)
        for entry in fixture.log.entries {
            let directory = try SegmentDirectory(of: entry, in: fixture.log)
            #expect((directory != nil) == (entry.sealOffset > 0))
            var scanner = try fixture.log.scan(entry)
            while var frame = try scanner.next() {
                #expect(directory?.covers(frame) == true)
                frame.header.keys.insert(90_000)
                #expect(directory?.covers(frame) == false)
            }
        }
    }

    @Test func `a search reads the headers of the frames between, and no cached frame`() throws {
        var fixture = try LogFixture(disk) { $0.frameCacheBudgetBytes = 0 }
        // The sparse index has one entry for these frames.
        try append((1..<15).map { $0 * 10 }, to: &fixture)
        let cold = try disk.readBytes {
            let texts = try found(fixture.log, 1, 145)
            #expect(texts == ["140"])
        }
        #expect(cold < 14 << 10 + 4 << 10 + 1 << 10)
        try fixture.log.close()
        let log = try LogFixture(disk).log
        var search = try log.search(
            [WantedRecords(sequence: 1, keys: KeyRange(145...145))], in: log.view())
        log.keep(try #require(try search.next()))
        let warm = try disk.readBytes {
            let texts = try found(log, 1, 145)
            #expect(texts == ["140"])
        }
        #expect(warm <= 14 << 10)
    }

    @Test func `damage of a frame fails a search only if the search needs the frame`() throws {
        let files = MemoryFileSystem()
        var fixture = try LogFixture(files)
        try append((1..<15).map { $0 * 10 }, to: &fixture)
        try fixture.log.sealActiveSegment()
        try fixture.log.close()
        let path = LogFixture.path + "/" + (try #require(fixture.log.entries.first)).fileName.text
        var scanner = try fixture.log.scan(from: nil)
        var frames: [LogScanner.Frame] = []
        while let frame = try scanner.next() { frames.append(frame) }
        let damaged = frames[5]
        for offset in [damaged.offset + 40, damaged.offset + 200] {
            let image = files.afterKill(changing: path) { $0[offset] ^= 0x10 }
            let log = try LogFixture(image).log
            let error = expectError(.corruption) { _ = try found(log, 1, 65) }
            #expect(error?.details["offset"] == String(damaged.offset))
            guard offset > damaged.offset + 100 else { continue }
            #expect(try found(log, 1, 55) == ["50"])
            #expect(try found(log, 1, 75) == ["70"])
        }
    }

    @Test func `a follower and a recovered log know the ranges of keys`() throws {
        var fixture = try LogFixture(disk)
        let follower = try LogFixture(disk, isReadOnly: true)
        try append([5], to: &fixture)
        try append((1..<300).map { $0 * 10 }, to: &fixture)
        try append([2_000, 1_000, 3_000], to: &fixture)
        _ = try follower.log.refresh(applied: 0)
        try check(follower.log, sealed: false)
        try fixture.log.close()
        try check(try LogFixture(disk, isReadOnly: true).log, sealed: false)
    }

    @Test func `a range of keys contains the inserted keys`() throws {
        var range = KeyRange.none
        #expect(range.isEmpty && !range.contains(0) && !range.contains(1))
        #expect(!range.overlaps(range) && range.contains(KeyRange.none))
        range.insert(7)
        range.formUnion(KeyRange(9...12))
        range.formUnion(.none)
        #expect(range == KeyRange(7...12))
        #expect(range.contains(7) && range.contains(12) && !range.contains(13))
        #expect(range.overlaps(KeyRange(12...20)) && !range.overlaps(KeyRange(13...20)))
        #expect(range.contains(KeyRange(8...9)) && !range.contains(KeyRange(8...13)))
        #expect(KeyRange(lowest: 3, highest: 2) == nil)
        #expect(KeyRange(lowest: 0, highest: 2) == nil)
        #expect(KeyRange(lowest: 0, highest: 0) == KeyRange.none)
    }
}
