import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
@testable import DaybookLog
import DaybookTestSupport
import Testing

/// Sealed segments whose blocks are packed, so that a read decodes one record.
@Suite struct PackedBlockTests {
    private static let count = 3000

    private func store(
        _ fileSystem: MemoryFileSystem = MemoryFileSystem(), cacheBytes: Int = 0
    ) throws -> NoteStore {
        try NoteStore(fileSystem) { options in
            options.log.frameCacheBudgetBytes = cacheBytes
        }
    }

    /// Twenty of two hundred characters of three bytes: a token each, and little more than a byte
    /// each after compression.
    private static func text(_ number: Int) -> String {
        var generator = SeededGenerator(seed: UInt64(number))
        let scalars = (0..<20).map { _ in UInt32(0x4E00 + (generator.next() >> 20) % 200) }
        return String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
    }

    /// A compacted store of notes, all of which were put twice.
    private func compacted(
        _ fileSystem: MemoryFileSystem = MemoryFileSystem(), cacheBytes: Int = 0
    ) throws -> NoteStore {
        let notes = try store(fileSystem, cacheBytes: cacheBytes)
        for number in 1...Self.count { try notes.put(Self.text(number)) }
        for number in 1...Self.count { try notes.put(Self.text(-number + 9000), id: .init(number)) }
        _ = try notes.engine.compact(.all, sealsActive: true)
        return notes
    }

    /// The headers of the sealed frames of records.
    private func headers(_ engine: Engine) throws -> [FrameHeader] {
        var headers: [FrameHeader] = []
        for entry in engine.log.manifest.sealed {
            var scanner = try engine.log.scan(entry)
            while let frame = try scanner.next() { headers.append(frame.header) }
        }
        return headers
    }

    @Test func `blocks with current versions are packed, and superseded versions compressed`()
        throws
    {
        let notes = try compacted()
        let headers = try headers(notes.engine)
        let half = UInt64(Self.count)
        let superseded = headers.filter { $0.lastSequence <= half }
        let current = headers.filter { $0.firstSequence > half }
        #expect(superseded.count > 10 && superseded.allSatisfy { $0.codec == .transformedZstd })
        #expect(current.count > 10 && current.allSatisfy { $0.codec == .packed })
        #expect(current.allSatisfy { $0.dictionary == LogFormat.Dictionary.id })
        for number in 1...Self.count {
            #expect(try notes.text(UInt64(number)) == Self.text(-number + 9000))
        }
        let report = try notes.engine.verify()
        #expect(report.findings.isEmpty)
        try notes.closeProven()
    }

    /// Texts of random words that repeat within a text, so that only a compressor shortens them.
    private static func longTexts(_ count: Int) -> [String] {
        var generator = SeededGenerator(seed: 5)
        return (0..<count).map { _ in
            let words = (0..<12).map { _ in String(generator.next(), radix: 36) }
            return Array(repeating: words.joined(separator: " "), count: 9).joined(separator: "\n")
        }
    }

    @Test func `long texts are compressed, because packing would take more space`() throws {
        let notes = try store()
        for text in Self.longTexts(300) { try notes.put(text) }
        _ = try notes.engine.compact(.all, sealsActive: true)
        let headers = try headers(notes.engine)
        #expect(headers.count > 10 && headers.allSatisfy { $0.codec != .packed })
        try notes.closeProven()
    }

    @Test func `a full cache keeps packed blocks, and a large one decodes them at the second read`()
        throws
    {
        let files = MemoryFileSystem()
        try compacted(files).closeProven()
        func usedBytes(cacheBytes: Int, readCount: Int) throws -> Int {
            let notes = try store(files, cacheBytes: cacheBytes)
            for _ in 0..<readCount {
                for number in 1...Self.count {
                    #expect(try notes.text(UInt64(number)) == Self.text(-number + 9000))
                }
            }
            let used = notes.engine.log.cache.usedBytes
            try notes.engine.close()
            return used
        }
        let raw = try headers(store(files).engine).filter { $0.codec == .packed }
            .reduce(0) { $0 + $1.rawLength }
        #expect(try usedBytes(cacheBytes: 8 << 20, readCount: 1) > raw)
        let budget = raw / 2
        #expect(try usedBytes(cacheBytes: budget, readCount: 2) <= budget)
    }

    @Test func `one record is decoded from a block that the cache cannot hold`() throws {
        let notes = try compacted()
        let (payload, offset) = try notes.engine.log.record(at: location(notes, of: 7))
        #expect(offset == 0)
        #expect(payload.count < 100)
        #expect(try notes.engine.log.frame(at: location(notes, of: 7)).bytes.count > 1 << 10)
        try notes.closeProven()
    }

    @Test func `a file that is opened again uses the table that the cache retains`() throws {
        let notes = try compacted(cacheBytes: 1 << 20)
        let log = notes.engine.log
        let place = try location(notes, of: 7)
        let entry = try #require(log.manifest.sealed.first)
        let segment = try #require(log.segment(entry.number))
        func table() throws -> TokenTable { try segment.dictionary(log.codec).tokens }
        let first = try ObjectIdentifier(table())
        let frame = try log.frame(at: place, recordCount: 1)
        // The first call only notices that the file was used.
        _ = segment.closeUnlessUsed()
        #expect(segment.closeUnlessUsed())
        #expect(segment.slot.withLock { $0.dictionary == nil && $0.tokens != nil })
        #expect(try ObjectIdentifier(table()) == first)
        #expect(try frame.record(at: place.recordOffset).payload.count < 100)
        try notes.closeProven()
    }

    private func location(_ notes: NoteStore, of id: UInt64) throws -> Location {
        let entry = try notes.engine.readingCommitted { reader throws(DaybookError) in
            try reader.get(IndexTree.objects(of: notes.entity), id)
        }
        return Location(rawValue: ObjectEntry(try #require(entry)).location)
    }

    @Test func `a damaged table of tokens is corruption, and a repair reads its copy`() throws {
        let files = MemoryFileSystem()
        let notes = try compacted(files)
        let entry = try #require(notes.engine.log.manifest.sealed.first)
        let all = try notes.all()
        try notes.engine.close()
        let path = NoteStore.path + "/" + entry.fileName.text
        let file = try files.open(path, .readWrite)
        let offset = LogFormat.SegmentHeader.length + LogFormat.FrameHeader.length + 40
        var byte = try file.read(1, at: offset)
        byte[0] ^= 1
        try file.write(byte.span, at: offset)
        let again = try store(files)
        let error = expectError(.corruption) { _ = try again.text(5) }
        #expect(error?.details["segment"] == String(entry.number))
        #expect(error?.details["offset"] == String(LogFormat.SegmentHeader.length))
        try again.engine.close()
        let salvage = try LogSalvage(NoteStore.path, files)
        let segment = try #require(salvage.segments.first { $0.number == entry.number })
        var scanner = SalvageScanner(segment, again.engine.log.codec)
        var recordCount = 0
        while let part = try scanner.next() {
            if case .frame(let frame) = part { recordCount += Int(frame.header.recordCount) }
        }
        #expect(recordCount == Int(entry.recordCount))
        #expect(all.count == Self.count)
    }
}
