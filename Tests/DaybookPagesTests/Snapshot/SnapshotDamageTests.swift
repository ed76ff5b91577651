import DaybookBytes
import DaybookTestSupport
import Testing

@testable import DaybookPages
import DaybookTesting

struct SnapshotDamageTests {
    /// A small space with trees of all kinds and a long key, and its snapshot.
    private func makeSnapshot() throws -> (model: ModelTree, bytes: [UInt8]) {
        var history = RandomHistory(keys: .dense, seed: 11)
        for _ in 0..<2 { try history.commit(60, removing: 10) }
        let file = CountingFile()
        _ = try history.space.capture().write(to: file, metadata: Array("metadata".utf8))
        return (history.model, file.bytes)
    }

    /// Reads the whole snapshot; throws if it is damaged.
    private func readAll(_ file: CountingFile) throws -> (ModelTree, [UInt8]) {
        let (space, contents) = try PageSpace.open(snapshot: file)
        var model = ModelTree()
        try space.withPinned { reader throws in
            for entry in try ModelTree.words(reader) { model.words[entry.key] = entry.value }
            model.pairs = Set(try ModelTree.pairs(reader))
            for entry in try ModelTree.bytes(reader) { model.bytes[entry.key] = entry.value }
        }
        return (model, contents.metadata)
    }

    private func isSame(_ one: ModelTree, _ two: ModelTree) -> Bool {
        one.words == two.words && one.pairs == two.pairs && one.bytes == two.bytes
    }

    @Test func `a flipped bit anywhere is an error and never a wrong result`() throws {
        let (model, bytes) = try makeSnapshot()
        let whole = try readAll(CountingFile(bytes))
        #expect(isSame(whole.0, model))
        let file = CountingFile(bytes)
        for offset in bytes.indices {
            let bit = UInt8(1 << (offset % 8))
            file.damage(at: offset) { $0 ^= bit }
            let error = #expect(throws: DaybookError.self, "byte \(offset)") { try readAll(file) }
            let isTyped = error?.code == .corruption && error?.details["snapshot"] != nil
            if !isTyped { #expect(isTyped, "byte \(offset): \(String(describing: error))") }
            file.damage(at: offset) { $0 ^= bit }
        }
    }

    @Test func `a file truncated anywhere is an error`() throws {
        let (_, bytes) = try makeSnapshot()
        for length in bytes.indices
        where length < 200 || length % 13 == 0 || length > bytes.count - 200 {
            let error = #expect(throws: DaybookError.self) {
                try readAll(CountingFile(Array(bytes[0..<length])))
            }
            #expect(error?.code == .corruption, "length \(length)")
        }
    }

    @Test func `zeros instead of a part are an error`() throws {
        let (_, bytes) = try makeSnapshot()
        for start in stride(from: 0, to: bytes.count - 64, by: 64) {
            var damaged = bytes
            damaged.replaceSubrange(start..<(start + 64), with: repeatElement(0, count: 64))
            #expect(throws: DaybookError.self) { try readAll(CountingFile(damaged)) }
        }
        #expect(throws: DaybookError.self) {
            try readAll(CountingFile([UInt8](repeating: 0, count: bytes.count)))
        }
    }

    @Test func `the start of one snapshot does not match the end of another`() throws {
        let (_, bytes) = try makeSnapshot()
        var history = RandomHistory(keys: .dense, seed: 11)
        for _ in 0..<3 { try history.commit(150, removing: 10) }
        let file = CountingFile()
        _ = try history.space.capture().write(to: file, metadata: [])
        let header = SnapshotFormat.Header.length
        let mixed = Array(file.bytes[0..<header]) + bytes[header...]
        let error = #expect(throws: DaybookError.self) { try readAll(CountingFile(mixed)) }
        #expect(error?.details["snapshot"] == "trailer")
    }

    @Test func `an unreadable group is an error, and the other groups stay readable`() throws {
        let space = PageSpace()
        space.begin(sequence: 1)
        for key in 1...50_000 as ClosedRange<UInt64> {
            try space.put(1, key, WordValue(first: key, second: 0))
        }
        space.publish(space.end())
        let file = CountingFile()
        _ = try space.capture().write(to: file, metadata: [])
        let opened = try PageSpace.open(snapshot: file).space
        _ = try opened.working.get(1, 50_000)
        // A leaf contains 169 entries, and leaves were created in order.
        let key: UInt64 = 14_400
        let entry = try #require(opened.loader?.entry(of: Int(key / 169 / 16)))
        file.damage(at: entry.offset + entry.storedLength / 2) { $0 ^= 1 }
        let error = #expect(throws: DaybookError.self) {
            try opened.withPinned { reader throws in try reader.get(1, key) }
        }
        #expect(error?.code == .corruption)
        #expect(error?.details["snapshot"] == "group")
        #expect(error?.details["group"] == "5")
        #expect(try opened.withPinned { reader throws in try reader.get(1, 50_000) } != nil)
        // A change in that group fails as a whole, and other changes succeed.
        opened.begin(sequence: 2)
        #expect(throws: DaybookError.self) {
            try opened.put(1, key, WordValue(first: 0, second: 0))
        }
        try opened.put(1, 50_001, WordValue(first: 0, second: 0))
        opened.publish(opened.end())
        #expect(try opened.working.count(1) == 50_001)
        // A snapshot does not copy the damage.
        let copyError = #expect(throws: DaybookError.self) {
            try opened.capture().write(to: CountingFile(), metadata: [])
        }
        #expect(copyError?.details["snapshot"] == "group")
    }

    @Test func `a newer format is rejected with its own code`() throws {
        var (_, bytes) = try makeSnapshot()
        bytes[SnapshotFormat.Header.version] = 2
        let checksum = XXH64.hash(bytes.span.extracting(0..<SnapshotFormat.Header.checksum))
        withUnsafeBytes(of: checksum.littleEndian) { checksum in
            let start = SnapshotFormat.Header.checksum
            bytes.replaceSubrange(start..<(start + 8), with: checksum)
        }
        let error = #expect(throws: DaybookError.self) { try readAll(CountingFile(bytes)) }
        #expect(error?.code == .formatTooNew)
    }

    @Test func `a file of another kind is rejected`() throws {
        let text = Array(String(repeating: "not a snapshot ", count: 100).utf8)
        let error = #expect(throws: DaybookError.self) { try readAll(CountingFile(text)) }
        #expect(error?.code == .corruption)
        #expect(throws: DaybookError.self) { try readAll(CountingFile()) }
    }

    /// Checksums do not protect from a forged file, so the content is validated, too: no group may
    /// lead outside a page or into an endless descent.
    @Test(arguments: Seeds.first(2)) func `forged groups are rejected or read without a trap`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var history = RandomHistory(keys: .dense, seed: 11)
        for _ in 0..<2 { try history.commit(150, removing: 10) }
        var encoder = GroupEncoder()
        let version = history.space.publishedVersion
        let masks = history.space.capture().liveMasks
        var refused = 0
        for _ in 0..<200 {
            let group = masks.indices.randomElement(using: &generator) ?? 0
            encoder.removeAll()
            for index in 0..<16 where masks[group] & (1 << UInt16(index)) != 0 {
                encoder.append(history.space.table.knownPage(UInt32(group * 16 + index)))
            }
            var raw = encoder.writer.bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                raw[Int.random(in: 0..<raw.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let file = CountingFile()
            try forge(group, raw, of: history.space, masks, version, in: file)
            do {
                let space = try PageSpace.open(snapshot: file).space
                var forged = RandomHistory(space, keys: .dense, seed: seed)
                try forged.disturb()
                _ = try space.capture().write(to: CountingFile(), metadata: [])
                try space.checkStructure(space.publishedVersion)
            } catch is DaybookError {
                refused += 1
            }
        }
        #expect(refused > 60, "seed \(seed)")
    }

    /// Writes a snapshot in which one group has other bytes, with valid checksums.
    private func forge(
        _ group: Int, _ raw: [UInt8], of space: PageSpace, _ masks: [UInt16],
        _ version: PageVersion, in file: CountingFile
    ) throws {
        var writer = SnapshotWriter(file)
        let checksum = try writer.writeHeader(version)
        var directory = SnapshotDirectory()
        var encoder = GroupEncoder()
        for other in masks.indices where masks[other] != 0 {
            encoder.removeAll()
            for index in 0..<16 where masks[other] & (1 << UInt16(index)) != 0 {
                encoder.append(space.table.knownPage(UInt32(other * 16 + index)))
            }
            let bytes = other == group ? raw : encoder.writer.bytes
            let stored = try Zstd.compress(bytes.span, level: 1)
            let entry = try writer.append(
                stored,
                SnapshotDirectory.Entry(
                    group: other, liveMask: masks[other], storedMask: masks[other], offset: 0,
                    storedLength: stored.count, rawLength: bytes.count,
                    checksum: XXH64.hash(stored.span)))
            directory.entries.append(entry)
        }
        _ = try writer.finish(directory, metadata: [], headerChecksum: checksum)
    }
}
