import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookRecords
import DaybookTestSupport
import Testing

/// Compacted segments of small blocks that share a dictionary.
@Suite struct SmallBlockTests {
    private static let backup = "/kept/backup"

    private static func options(_ options: inout EngineOptions) {
        options.log.segmentSizeBytes = 64 << 10
        options.log.frameCacheBudgetBytes = 0
        options.blockPayloadBytes = 512
    }

    /// Returns a compacted store with updates, removals and dictionaries.
    private func compacted(
        _ fileSystem: any FileSystem, sampleBytes: Int = 32 << 10
    ) throws -> NoteStore {
        let notes = try NoteStore(fileSystem) { options in
            Self.options(&options)
            options.dictionarySampleBytes = sampleBytes
        }
        for number in 1...2500 {
            try notes.put(Self.text(number))
            if number % 7 == 0 { try notes.put(Self.text(-number), id: UInt64(number / 2)) }
            if number % 11 == 0 { try notes.remove(UInt64(number / 3)) }
        }
        _ = try notes.engine.compact(.all, sealsActive: true)
        return notes
    }

    private static func text(_ number: Int) -> String {
        let words = ["amber", "birch", "cobalt", "delta", "ember", "falcon", "garnet", "harbor"]
        let chosen = (0..<6).map { words[abs(number &* 31 &+ $0 &* number) % words.count] }
        return "note \(number) about \(chosen.joined(separator: "-"))"
    }

    /// The kinds of the first frames of the sealed segments.
    private func firstKinds(_ engine: Engine) throws -> [UInt8] {
        try engine.log.manifest.sealed.map { entry in
            let segment = try #require(engine.log.segment(entry.number))
            return try segment.checkedFrame(at: LogFormat.SegmentHeader.length).header.kind
        }
    }

    @Test func `small blocks with a dictionary answer like blocks without one`() throws {
        let notes = try compacted(MemoryFileSystem())
        let plain = try compacted(MemoryFileSystem(), sampleBytes: 0)
        #expect(try firstKinds(notes.engine).contains(FrameKind.dictionary))
        #expect(try !firstKinds(plain.engine).contains(FrameKind.dictionary))
        #expect(notes.engine.log.lengthBytes < plain.engine.log.lengthBytes * 9 / 10)
        #expect(try notes.all() == plain.all())
        #expect(try notes.engine.stateHash() == plain.engine.stateHash())
        let report = try notes.engine.verify()
        #expect(report.findings.isEmpty)
        try notes.closeProven()
        try plain.closeProven()
    }

    @Test func `blocks with a dictionary are compacted again`() throws {
        let files = MemoryFileSystem()
        let notes = try compacted(files)
        let all = try notes.all()
        let sequence = try notes.engine.visibleSequence
        _ = try notes.engine.compact(.since(sequence / 2))
        #expect(try notes.all() == all)
        _ = try notes.engine.compact(.latest)
        #expect(try notes.all() == all)
        #expect(try firstKinds(notes.engine).contains(FrameKind.dictionary))
        try notes.closeProven()
        let again = try NoteStore(files, Self.options)
        #expect(try again.all() == all)
        try again.closeProven()
    }

    @Test func `backups and followers read segments with a dictionary`() throws {
        let files = MemoryFileSystem()
        let notes = try compacted(files)
        _ = try notes.engine.backup(to: Self.backup)
        for number in 3000..<3600 { try notes.put(Self.text(number)) }
        let follower = try NoteStore(files, access: .read, Self.options)
        _ = try notes.engine.compact(.all, sealsActive: true)
        let all = try notes.all()
        _ = try notes.engine.backup(to: Self.backup)
        #expect(try Engine.verify(Self.backup, files).findings.isEmpty)
        let kept = try NoteStore(files, path: Self.backup, access: .read, Self.options)
        #expect(try kept.all() == all)
        try kept.engine.close()
        try follower.engine.refresh()
        #expect(try follower.all() == all)
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test func `a damaged dictionary is reported by reads and by verification`() throws {
        let files = MemoryFileSystem()
        let notes = try compacted(files)
        let index = try #require(try firstKinds(notes.engine).firstIndex(of: FrameKind.dictionary))
        let entry = notes.engine.log.manifest.sealed[index]
        let id = try #require(
            try (1...2500).first { id in
                let row = try notes.engine.row(notes.entity, UInt64(id))
                return (row?.sequence ?? 0) > entry.firstSequence
                    && (row?.sequence ?? 0) < entry.lastSequence
            })
        try notes.engine.close()
        let path = NoteStore.path + "/" + entry.fileName.text
        let file = try files.open(path, .readWrite)
        var byte = try file.read(1, at: 200)
        byte[0] ^= 1
        try file.write(byte.span, at: 200)
        let report = try Engine.verify(NoteStore.path, files)
        #expect(!report.findings.isEmpty)
        let again = try NoteStore(files, Self.options)
        let error = expectError(.corruption) { _ = try again.text(UInt64(id)) }
        #expect(error?.details["segment"] == String(entry.number))
        #expect(error?.details["offset"] == String(LogFormat.SegmentHeader.length))
        try again.engine.close()
    }

    @Test func `a large value has a block of its own`() throws {
        let notes = try NoteStore(MemoryFileSystem()) { options in
            Self.options(&options)
            options.blockPayloadBytes = 4 << 10
        }
        var expected: [UInt64: String] = [:]
        for number in 0..<120 {
            let isLarge = number % 17 == 5
            let text = isLarge ? String(repeating: "\(number) ", count: 30_000) : "\(number)"
            expected[try notes.put(text)] = text
        }
        _ = try notes.engine.compact(.all, sealsActive: true)
        #expect(try notes.all() == expected)
        var scanner = try notes.engine.log.scan(from: nil)
        var largeCount = 0
        while let frame = try scanner.next() {
            guard frame.payload.count > 8 << 10 else { continue }
            largeCount += 1
            #expect(frame.header.recordCount == 1)
        }
        #expect(largeCount == 7)
        try notes.closeProven()
    }

    /// Nobody reads one link by its location, and long blocks compress better.
    @Test func `links have long blocks, and objects between them short ones`() throws {
        let graph = try GraphStore(MemoryFileSystem()) { $0.blockPayloadBytes = 1 << 10 }
        func put(_ range: Range<Int>) throws -> [UInt64] {
            try graph.engine.write { transaction in
                try range.map { try graph.put("node \($0)", in: transaction) }
            }
        }
        var nodes = try put(0..<300)
        try graph.engine.write { transaction in
            for (place, node) in nodes.enumerated() {
                for step in 1...40 {
                    _ = try transaction.changes.link(
                        graph.number(.friends), node, nodes[(place + step) % nodes.count])
                }
            }
        }
        nodes += try put(300..<600)
        _ = try graph.engine.compact(.all, sealsActive: true)
        var lengths: (links: [Int], others: [Int]) = ([], [])
        var scanner = try graph.engine.log.scan(from: nil)
        while let frame = try scanner.next() {
            var kinds: Set<Record.Kind> = []
            var reader = RecordReader(frame.payload.span)
            while let record = try reader.next() { kinds.insert(record.kind) }
            if kinds.contains(where: \.isOfObject) {
                lengths.others.append(frame.payload.count)
            } else {
                lengths.links.append(frame.payload.count)
            }
        }
        #expect(lengths.others.count > 8 && lengths.others.allSatisfy { $0 < 2 << 10 })
        #expect(lengths.links.max() ?? 0 >= 64 << 10)
        #expect(lengths.links.count < 8)
        #expect(try graph.rows().count == nodes.count)
        #expect(try graph.engine.verify().findings.isEmpty)
        try graph.engine.proveReplay()
        try graph.engine.close()
    }
}
