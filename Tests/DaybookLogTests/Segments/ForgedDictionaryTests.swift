import DaybookBytes
@testable import DaybookLog
import DaybookTestSupport
import Testing

/// Segments whose frames pass their checks and whose dictionary cannot be used.
@Suite struct ForgedDictionaryTests {
    private static let store = StoreIdentity(high: 0x1234, low: 0x5678)
    private static let path = "/segment"
    private let fileSystem = MemoryFileSystem()

    private struct Forged {
        var kind = FrameKind.dictionary
        var codec = FrameCodec.raw
        var dictionary: UInt16 = 0
        var stored: [UInt8]
        var rawLength: Int?
    }

    /// A segment of these frames, and the offset of the last one.
    private func segment(_ frames: [Forged]) throws -> (segment: Segment, last: Int) {
        let header = SegmentHeader(
            store: Self.store, number: 1, firstSequence: 1, createdMicroseconds: 1)
        let (start, check) = header.encoded()
        var bytes = start
        let seed = Self.store.seed(segment: 1)
        var encoder = FrameEncoder(seed: seed, check: check)
        var last = 0
        for frame in frames {
            last = bytes.count
            let header = FrameHeader(
                kind: frame.kind, codec: frame.codec, dictionary: frame.dictionary,
                storedLength: frame.stored.count,
                rawLength: frame.rawLength ?? frame.stored.count, recordCount: 1,
                firstSequence: 1, lastSequence: 1, durableSequence: 0, timeMicroseconds: 0,
                endsTransaction: true)
            encoder.append(frame.stored.span, header, to: &bytes)
        }
        let file = try fileSystem.open("/" + header.fileName.text, .replace)
        try file.write(bytes.span, at: 0)
        return (try Segment.open(header, in: "", fileSystem, .read), last)
    }

    private let codec = PayloadCodec(transform: nil)
    private let content = Array("words that many payloads have in common, and some more".utf8)

    /// A frame of records that needs the dictionary.
    private func needy() throws -> Forged {
        let payload = content + content + [1, 2, 3]
        let dictionary = try ZstdDictionary(id: 1, bytes: content)
        return Forged(
            kind: FrameKind.records, codec: .zstd, dictionary: LogFormat.Dictionary.id,
            stored: try Zstd.compress(payload.span, level: 3, dictionary: dictionary),
            rawLength: payload.count)
    }

    private func expectDamage(_ first: [Forged], _ why: String) throws {
        let (segment, last) = try segment(first + [try needy()])
        let error = expectError(.corruption) { _ = try segment.frame(at: last, codec) }
        #expect(error?.message.contains(why) == true, "\(error?.message ?? "")")
        #expect(error?.details["segment"] == "1")
        #expect(error?.details["offset"] == String(LogFormat.SegmentHeader.length))
    }

    @Test func `a frame with its dictionary is read`() throws {
        let packed = try Zstd.compress(content.span, level: 3)
        for dictionary in [
            Forged(stored: content),
            Forged(codec: .zstd, stored: packed, rawLength: content.count),
        ] {
            let (segment, last) = try segment([dictionary, try needy()])
            #expect(try segment.frame(at: last, codec).payload == content + content + [1, 2, 3])
        }
    }

    @Test func `a frame that needs a dictionary in a segment without one is corruption`() throws {
        try expectDamage([], "there is none")
        try expectDamage([Forged(kind: FrameKind.records, stored: content)], "there is none")
    }

    @Test func `a dictionary that needs a dictionary is corruption`() throws {
        try expectDamage(
            [Forged(dictionary: LogFormat.Dictionary.id, stored: content)], "there is none")
    }

    @Test func `a dictionary that does not decompress is corruption`() throws {
        let packed = try Zstd.compress(content.span, level: 3)
        try expectDamage(
            [Forged(codec: .zstd, stored: Array(packed.dropLast(5)), rawLength: content.count)],
            "its dictionary is damaged")
        try expectDamage(
            [Forged(codec: .zstd, stored: packed, rawLength: content.count + 1)],
            "its dictionary is damaged")
    }

    @Test func `a dictionary that is too long is corruption before it is decompressed`() throws {
        let long = [UInt8](repeating: 0, count: LogFormat.Dictionary.lengthMax + 1)
        let packed = try Zstd.compress(long.span, level: 3)
        try expectDamage(
            [Forged(codec: .zstd, stored: packed, rawLength: long.count)], "bytes long")
    }

    @Test func `bytes that only begin like a trained dictionary are corruption`() throws {
        // The magic number of trained dictionaries.
        try expectDamage(
            [Forged(stored: [0x37, 0xA4, 0x30, 0xEC] + content)], "its dictionary is damaged")
    }

    @Test func `another dictionary than the frame's is corruption or gives other bytes`() throws {
        // The check of the frame covers its stored bytes only, so the raw length decides.
        let (segment, last) = try segment([Forged(stored: [1, 2, 3]), try needy()])
        expectError(.corruption) { _ = try segment.frame(at: last, codec) }
    }

    @Test func `a dictionary in a segment that is not compacted is corruption`() throws {
        var log = try LogFixture(fileSystem)
        try log.append("one")
        let end = log.log.end
        var encoder = FrameEncoder(
            seed: log.log.store.seed(segment: end.segment), check: end.check)
        var bytes = ByteWriter(capacity: 256)
        let header = FrameHeader(
            kind: FrameKind.dictionary, codec: .raw, storedLength: content.count,
            rawLength: content.count, recordCount: 0, firstSequence: 1, lastSequence: 1,
            durableSequence: 0, timeMicroseconds: 0, endsTransaction: true)
        encoder.append(content.span, header, to: &bytes)
        let path = LogFixture.path + "/" + log.log.manifest.activeFileName.text
        log.log.abandon()
        let file = try fileSystem.open(path, .readWrite)
        try file.write(bytes.span, at: end.offset)
        let error = expectError(.corruption) { _ = try LogFixture(fileSystem) }
        #expect(error?.details["offset"] == String(end.offset))
    }
}
