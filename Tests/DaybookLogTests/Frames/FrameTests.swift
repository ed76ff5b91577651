import DaybookBytes
@testable import DaybookLog
import Testing

@Suite struct FrameTests {
    private let header = FrameHeader(
        kind: FrameKind.records, codec: .zstd, storedLength: 100, rawLength: 321,
        recordCount: 9, firstSequence: 41, lastSequence: 43, durableSequence: 40,
        timeMicroseconds: 1_700_000_000_000_000, endsTransaction: true, keys: KeyRange(3...99))

    private func bytes(of header: FrameHeader, seed: UInt64 = 5) -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        header.write(to: &writer, seed: seed)
        return writer.bytes
    }

    // Bytes with a valid check may still contain numbers that no log writes.
    @Test func `index entries without a sequence are corruption`() throws {
        let sparseIndex = [SparseIndexEntry(offset: 64, firstSequence: 1)]
        let good = sparseIndex.encoded()
        #expect(try [SparseIndexEntry](reading: good.span) == sparseIndex)
        let bad = [SparseIndexEntry(offset: 64, firstSequence: 0)].encoded()
        expectError(.corruption) { _ = try [SparseIndexEntry](reading: bad.span) }
        // The highest key overflows; there is a range without a lowest key.
        for keys: [UInt64] in [[9, .max], [0, 5]] {
            var writer = ByteWriter(capacity: 64)
            for number in [1, 64, 1] + keys { writer.varint(number) }
            expectError(.corruption) { _ = try [SparseIndexEntry](reading: writer.span) }
        }
    }

    @Test func `an index entry has the keys of all frames up to the next entry`() throws {
        var sparseIndex: [SparseIndexEntry] = []
        let frames: [(offset: Int, keys: ClosedRange<UInt64>)] = [
            (64, 7...9), (4_000, 2...3), (70_000, 1...1), (70_400, 90...99),
        ]
        for (offset, keys) in frames {
            sparseIndex.note(
                offset: offset, firstSequence: UInt64(offset), keys: KeyRange(keys))
        }
        #expect(sparseIndex.map(\.offset) == [64, 70_000])
        #expect(sparseIndex.map(\.keys) == [KeyRange(2...9), KeyRange(1...99)])
        #expect(try [SparseIndexEntry](reading: sparseIndex.encoded().span) == sparseIndex)
    }

    @Test func `a location out of range is corruption`() throws {
        var log = try LogFixture(MemoryFileSystem())
        try log.append("one")
        var scanner = try log.log.scan(from: nil)
        var frame = try #require(try scanner.next())
        #expect(try frame.location(recordOffset: Location.recordOffsetMax).slot == 1)
        expectError(.corruption) {
            _ = try frame.location(recordOffset: Location.recordOffsetMax + 1)
        }
        frame.offset = Location.frameOffsetMax + LogFormat.alignment
        expectError(.corruption) { _ = try frame.location(recordOffset: 0) }
    }

    @Test func `a frame header round-trips`() throws {
        let bytes = bytes(of: header)
        #expect(bytes.count == LogFormat.FrameHeader.length)
        #expect(try FrameHeader.decode(bytes.span, seed: 5) == header)
        #expect(header.frameLength % LogFormat.alignment == 0)
    }

    @Test func `a header with a flipped bit is rejected`() throws {
        let bytes = bytes(of: header)
        for bit in 0..<(bytes.count * 8) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(try FrameHeader.decode(damaged.span, seed: 5) == nil, "bit \(bit)")
        }
    }

    @Test func `a header of another store or segment is rejected`() throws {
        #expect(try FrameHeader.decode(bytes(of: header).span, seed: 6) == nil)
        let store = StoreIdentity(high: 1, low: 2)
        #expect(store.seed(segment: 1) != store.seed(segment: 2))
        #expect(store.seed(segment: 1) != StoreIdentity(high: 9, low: 2).seed(segment: 1))
    }

    @Test func `too few bytes are no header`() throws {
        let bytes = bytes(of: header)
        for count in 0..<bytes.count {
            #expect(try FrameHeader.decode(bytes.span.extracting(0..<count), seed: 5) == nil)
        }
    }

    @Test func `a header with numbers that could overflow is rejected`() throws {
        var first = header
        first.firstSequence = 0
        #expect(try FrameHeader.decode(bytes(of: first).span, seed: 5) == nil)
        var last = header
        last.lastSequence = .max
        #expect(try FrameHeader.decode(bytes(of: last).span, seed: 5) == nil)
        for keys: [UInt64] in [[3, 2], [0, 2]] {
            var writer = ByteWriter(capacity: LogFormat.FrameHeader.length)
            writer.append(bytes(of: header).span.extracting(0..<64))
            for key in keys { writer.uint64(key) }
            let check = XXH64.hash(
                writer.span.extracting(8..<LogFormat.FrameHeader.length), seed: 5)
            writer.patch(
                uint32: UInt32(truncatingIfNeeded: check),
                at: LogFormat.FrameHeader.headerCheckOffset)
            #expect(try FrameHeader.decode(writer.span, seed: 5) == nil)
        }
    }

    @Test func `a header with another dictionary than the segment's is a newer format`() throws {
        var header = header
        header.dictionary = LogFormat.Dictionary.id
        #expect(try FrameHeader.decode(bytes(of: header).span, seed: 5) == header)
        header.dictionary += 1
        let bytes = bytes(of: header)
        expectError(.formatTooNew) { _ = try FrameHeader.decode(bytes.span, seed: 5) }
    }

    @Test func `an unknown codec is a newer format`() throws {
        var bytes = bytes(of: header)
        bytes[17] = 200  // the codec
        let check = XXH64.hash(bytes.span.extracting(8..<LogFormat.FrameHeader.length), seed: 5)
        for index in 0..<4 {
            bytes[4 + index] = UInt8(truncatingIfNeeded: check >> (8 * UInt64(index)))
        }
        expectError(.formatTooNew) { _ = try FrameHeader.decode(bytes.span, seed: 5) }
    }

    @Test func `frames are chained: each check depends on all frames before`() throws {
        var one = FrameEncoder(seed: 5, check: 77)
        var other = FrameEncoder(seed: 5, check: 78)
        var left = ByteWriter(capacity: 256)
        var right = ByteWriter(capacity: 256)
        let payload: [UInt8] = Array(1...13)
        var header = header
        header.codec = .raw
        header.rawLength = payload.count
        for _ in 0..<2 {
            one.append(payload.span, header, to: &left)
            other.append(payload.span, header, to: &right)
            #expect(one.check != other.check)
        }
        let first = left.span.extracting(0..<(left.count / 2))
        var stored = header
        stored.storedLength = payload.count
        #expect(first.count == stored.frameLength)
        let isIntact = Segment.isIntact(first, stored, after: 77)
        let isForeign = Segment.isIntact(first, stored, after: 78)
        #expect(isIntact && !isForeign)
    }

    @Test func `locations pack the slot of the segment, frame and record`() {
        let slotCount = SegmentNumber.slotCount
        for segment in [1, 77, slotCount - 1, slotCount + 77, 9 * slotCount + 77] {
            for frame in [0, 64, Location.frameOffsetMax] {
                for record in [0, 1, Location.recordOffsetMax] {
                    let place = Location(segment: segment, frameOffset: frame, recordOffset: record)
                    #expect(UInt64(place.slot) == segment % slotCount)
                    #expect(Location.slot(ofFrameKey: place.frameKey) == place.slot)
                    #expect(
                        Location(segment: segment, frameOffset: frame, recordOffset: 5)
                            .record(at: record) == place)
                    #expect(place.frameOffset == frame)
                    #expect(place.recordOffset == record)
                    #expect(Location(rawValue: place.rawValue) == place)
                }
            }
        }
        #expect(LogFormat.segmentCapacityFits)
    }

    @Test func `file names round-trip, and foreign names are rejected`() {
        let names: [StoreFileName] = [
            .lock, .current, .manifest(generation: 12), .segment(firstSequence: 5, number: 3),
            .snapshot(sequence: .max, number: 2), .quarantine,
            .temporary(of: "CURRENT"),
        ]
        for name in names { #expect(StoreFileName(name.text) == name) }
        let foreign = [
            "", "-", "segment", "segment-1-2", "segment-00000000000000000001-1", "manifest-12",
            "snapshot--1", "snapshot-00000000000000000001", "notes.txt", "CURRENT.tmp.tmp.x",
            ".DS_Store", "segment-+1-000001",
        ]
        for text in foreign { #expect(StoreFileName(text) == nil, "\(text)") }
    }
}

extension LogFormat {
    /// Whether every frame of the largest segment has a location.
    static var segmentCapacityFits: Bool { Location.frameOffsetMax >= 2 * (1 << 30) - 64 }
}
