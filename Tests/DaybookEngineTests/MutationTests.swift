import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookPages
import DaybookTestSupport
import Testing

/// What turns red when a sync or a comparison of checks is taken out of the code. Each was taken
/// out by hand and everything run: `crash`, `damage`, `syscalls` and `powercut` are campaigns of
/// `Tools/fault`.
///
/// Syncs of files
/// - `GroupCommit.sync`, the commit's: crash
/// - `Log.seal`, before a roll: crash
/// - `Log.close`, after the cut: `a clean close is clean after a power cut, too`
/// - `SegmentFile.create`: crash
/// - `ManifestFile.point`, CURRENT: crash
/// - `FileSystem.replaceAtomically`, the manifest: crash
/// - `LogRecovery.cutTornTail`: `what recovery did is not undone by a power cut`
/// - `LogRecovery.rewriteUnsyncedTail`: crash, after a kill
/// - `LogRecovery.finishCut`: `what recovery did is not undone by a power cut`
/// - `Quarantine.keep`: `bytes that are cut are in quarantine first`
/// - `SegmentBuilder.finish`: crash
/// - `SnapshotShelf.write`: `a snapshot that was written survives a power cut`
/// - `Log.refresh`: `a follower shows nothing that a power cut could take`
///
/// Syncs of directories
/// - `ManifestFile.point`, CURRENT: crash
/// - `FileSystem.replaceAtomically`, the manifest and whatever it is the first to name: crash
/// - `LogDirectory.openForWriting`, CURRENT once more:
///   `a kill and then a power cut lose nothing that was acknowledged`
/// - `Quarantine.keep`: `bytes that are cut are in quarantine first`
/// - `Quarantine.move`, either of the two is enough for the twin in memory, and both together are missed by
///   `a segment of an unknown number is put away, not removed`
/// - `SnapshotShelf.write`: `a snapshot that was written survives a power cut`
/// - `FileSystem.createDirectory`: `a directory is synced by the call for names`
/// - `fsync` and not `fdatasync` for names: nothing; ext4 was seen to keep them either way
///
/// Comparisons of checks
/// - a frame as it is read by location (`Segment.frame`), as it is scanned (`SegmentScanner`), and its header
///   (`FrameHeader.decode`): damage
/// - the padding of a frame, the header of a segment, the hash of a manifest in CURRENT and in itself, the
///   length of a sealed segment: the test of that name below
/// - what a compaction wrote (`Segment.requireContent`): `a compaction that wrote other bytes than it meant fails`
/// - the place that a snapshot resumes at (`TailWalk`): `a snapshot over frames that changed is corruption`
/// - a dictionary: `a damaged dictionary is corruption`
/// - parts and groups of a snapshot: damage
/// - its header and trailer: `header and trailer of a snapshot belong together`
/// - store, number and name of a segment: `a segment of another store, number or first sequence is refused`
/// - generation and name of a manifest: `a manifest under the name of another generation is refused`
/// - the chain alone: `a frame of another future of the same store is refused`
/// - not reached by any damage, for a snapshot's place was compared before: the check at the end of
///   `Tail.completeFromFile`, which stays as the other half of a pair
///
/// Rules
/// - the torn-tail rule (`durableClaim`), the rewriting of an unsynced tail, a failed sync that
///   poisons: damage, crash, syscalls
@Suite struct MutationTests {
    private static func small(_ options: inout EngineOptions) {
        options.log.segmentSizeBytes = 2 << 10
        options.log.preallocationStepBytes = 1 << 10
        options.snapshotChangeCountMin = .max
    }

    /// A store with sealed segments, a snapshot and an active segment.
    private func filled(
        _ fileSystem: any FileSystem, count: Int = 24
    ) throws -> NoteStore {
        let notes = try NoteStore(fileSystem, Self.small)
        for number in 0..<count {
            try notes.put("note \(number) " + String(repeating: "x", count: 150))
        }
        return notes
    }

    // MARK: Syncs

    @Test func `a clean close is clean after a power cut, too`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        try filled(fileSystem).closeProven()
        try fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let again = try NoteStore(image.makeFileSystem(), Self.small)
            #expect(again.engine.openReport.recovery.wasClosedCleanly, "\(image)")
            try again.closeProven()
        }
    }

    @Test func `a snapshot that was written survives a power cut`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try filled(fileSystem)
        let sequence = try notes.engine.writeSnapshot()
        try fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let again = try NoteStore(image.makeFileSystem(), Self.small)
            #expect(again.engine.openReport.snapshotSequence == sequence, "\(image)")
            #expect(again.engine.openReport.rejectedSnapshots.isEmpty, "\(image)")
            try again.closeProven()
        }
        try notes.closeProven()
    }

    /// A store whose last frame is torn, on a recording file system; and the torn bytes.
    private func torn() throws -> (fileSystem: MemoryFileSystem, bytes: [UInt8]) {
        let fileSystem = MemoryFileSystem()
        let notes = try filled(fileSystem, count: 3)
        let offset = notes.engine.log.end.offset
        try notes.put("torn " + String(repeating: "y", count: 150))
        let path = try #require(fileSystem.paths("segment-").last)
        var contents = fileSystem.contents
        contents[path]?[offset + 100] ^= 0xFF
        let kept = try #require(contents[path])
        let end = try #require(kept.lastIndex { $0 != 0 })
        return (
            MemoryFileSystem(contents: contents, recording: true), Array(kept[offset...end])
        )
    }

    @Test func `bytes that are cut are in quarantine first`() throws {
        let (fileSystem, bytes) = try torn()
        let recovered = try NoteStore(fileSystem, Self.small)
        #expect(recovered.engine.openReport.recovery.tornBytes == bytes.count)
        for operation in 0...fileSystem.operationCount {
            try fileSystem.visitCrashImages(after: operation, seed: 1, randomCount: 2) { image in
                let files = image.makeFileSystem().contents
                let isThere = files.values.contains { file in
                    file.count >= bytes.count && file.contains(bytes)
                }
                try #require(isThere, "\(image)")
            }
        }
        try recovered.closeProven()
    }

    @Test(arguments: [true, false])
    func `what recovery did is not undone by a power cut`(isTorn: Bool) throws {
        // A torn tail is cut; without one, the last commits move to another segment.
        let killed = MemoryFileSystem()
        let notes = try filled(killed, count: 3)
        let fileSystem =
            isTorn
            ? try torn().fileSystem
            : MemoryFileSystem(contents: killed.contents, recording: true)
        try notes.closeProven()
        let recovered = try NoteStore(fileSystem, Self.small)
        let names = fileSystem.paths("segment-")
        let sizes = names.map { fileSystem.contents[$0]?.count }
        fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 4
        ) { image in
            let files = image.makeFileSystem().contents
            #expect(names.map { files[$0]?.count } == sizes, "\(image)")
        }
        try recovered.closeProven()
    }

    @Test func `a segment of an unknown number is put away, not removed`() throws {
        let base = MemoryFileSystem()
        try filled(base).closeProven()
        var files = base.contents
        let name = StoreFileName.segment(firstSequence: 900, number: 900).text
        let bytes = try #require(base.paths("segment-").last.flatMap { files[$0] })
        files[NoteStore.path + "/" + name] = bytes
        let fileSystem = MemoryFileSystem(contents: files, recording: true)
        let notes = try NoteStore(fileSystem, Self.small)
        fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 4
        ) { image in
            let found = image.makeFileSystem().contents
            #expect(found[NoteStore.path + "/quarantine/" + name] == bytes, "\(image)")
            #expect(found[NoteStore.path + "/" + name] == nil, "\(image)")
        }
        try notes.closeProven()
    }

    @Test func `a follower shows nothing that a power cut could take`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore(fileSystem) { $0.durability = .manual }
        try notes.put("one")
        try notes.engine.sync()
        let follower = try NoteStore(fileSystem, access: .read)
        try notes.put("two")
        try follower.engine.refresh()
        let seen = try follower.all()
        #expect(seen.count == 2)
        try fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let again = try NoteStore(image.makeFileSystem())
            #expect(try again.all() == seen, "\(image)")
            try again.closeProven()
        }
        try follower.engine.close()
        try notes.closeProven()
    }

    // MARK: Checks

    /// The closed store with one byte of a file changed.
    private func damaged(
        _ prefix: String, at offset: Int, isLast: Bool = true
    ) throws -> MemoryFileSystem {
        let fileSystem = MemoryFileSystem()
        try filled(fileSystem).closeProven()
        let paths = fileSystem.paths(prefix)
        let path = try #require(isLast ? paths.last : paths.first)
        return fileSystem.afterKill(changing: path) {
            $0[offset < 0 ? $0.count + offset : offset] ^= 4
        }
    }

    @Test func `the header of a segment is checked though its time is used by nobody`() throws {
        let found = try damaged("segment-", at: 50)
        expectError(.corruption) { _ = try NoteStore(found, Self.small) }
    }

    @Test func `the padding of a frame is zero`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("a")
        var scanner = try notes.engine.log.scan(from: nil)
        var length = 0
        while let frame = try scanner.next() { length = frame.header.storedLength }
        // One letter more, where this frame happens to need no padding.
        try notes.put(LogFormat.padding(after: length) > 0 ? "b" : "bc")
        let end = notes.engine.log.end.offset
        try notes.closeProven()
        let path = try #require(fileSystem.paths("segment-").last)
        let found = fileSystem.afterKill(changing: path) {
            $0[end - LogFormat.trailerLength - 1] ^= 1
        }
        expectError(.corruption) { _ = try NoteStore(found) }
    }

    /// A closed store whose active segment is new, and that segment's path and header.
    private func withEmptyActiveSegment() throws -> (
        fileSystem: MemoryFileSystem, path: String, header: SegmentHeader
    ) {
        let fileSystem = MemoryFileSystem()
        let notes = try filled(fileSystem, count: 4)
        _ = try notes.engine.compact(.all, sealsActive: true)
        let log = notes.engine.log
        let header = SegmentHeader(
            store: log.store, number: log.manifest.activeNumber,
            firstSequence: log.manifest.activeFirstSequence,
            createdMicroseconds: log.manifest.createdMicroseconds)
        try notes.closeProven()
        let path = NoteStore.path + "/" + log.manifest.activeFileName.text
        #expect(fileSystem.contents[path] == header.encoded().bytes.bytes)
        return (fileSystem, path, header)
    }

    @Test func `a segment of another store, number or first sequence is refused`() throws {
        let (fileSystem, path, header) = try withEmptyActiveSegment()
        var others = [header, header, header]
        others[0].store = StoreIdentity(high: 1, low: 2)
        others[1].number += 1
        others[2].firstSequence += 1
        for other in others {
            // Without the snapshot, which knows what the header's check was.
            var files = fileSystem.contents.filter { !$0.key.contains("/snapshot-") }
            files[path] = other.encoded().bytes.bytes
            let found = MemoryFileSystem(contents: files)
            expectError(.corruption) { _ = try NoteStore(found, Self.small) }
        }
    }

    @Test func `a manifest under the name of another generation is refused`() throws {
        let fileSystem = MemoryFileSystem()
        try filled(fileSystem).closeProven()
        let file = ManifestFile(fileSystem: fileSystem, directory: NoteStore.path)
        var manifest = try #require(try file.load())
        let real = try #require(fileSystem.paths("manifest-").last)
        manifest.generation += 7
        try file.commit(manifest)
        // Whole, and named by CURRENT with its hash; but moved to where an older one stood.
        let current = NoteStore.path + "/CURRENT"
        let line = String(decoding: try #require(fileSystem.contents[current]), as: UTF8.self)
        let oldName = try #require(real.split(separator: "/").last)
        let newName = StoreFileName.manifest(generation: manifest.generation).text
        let bytes = manifest.encoded().bytes
        let moved = MemoryFileSystem(
            contents: fileSystem.contents.merging([
                real: bytes, current: Array(line.replacing(newName, with: oldName).utf8),
            ]) { _, new in new })
        expectError(.corruption) { _ = try NoteStore(moved, Self.small) }
    }

    @Test func `a frame of another future of the same store is refused`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("the past")
        try notes.closeProven()
        func future(_ letter: String) throws -> (MemoryFileSystem, lastFrame: Range<Int>) {
            let copy = fileSystem.afterKill()
            let notes = try NoteStore(copy)
            try notes.put("one " + letter)
            let start = notes.engine.log.end.offset
            try notes.put("two " + letter)
            let end = notes.engine.log.end.offset
            try notes.closeProven()
            return (copy, start..<end)
        }
        let (one, frame) = try future("a")
        let (other, otherFrame) = try future("b")
        try #require(frame == otherFrame)
        let path = try #require(one.paths("segment-").last)
        let bytes = try #require(other.contents[path])
        let found = one.afterKill(changing: path) { $0.replaceSubrange(frame, with: bytes[frame]) }
        expectError(.corruption) { _ = try NoteStore(found) }
    }

    @Test func `the hash of a manifest stands in itself and in CURRENT`() throws {
        let fileSystem = MemoryFileSystem()
        try filled(fileSystem).closeProven()
        let file = ManifestFile(fileSystem: fileSystem, directory: NoteStore.path)
        var manifest = try #require(try file.load())
        let bytes = manifest.encoded().bytes
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let damaged = changed
            expectError(.corruption) { _ = try Manifest.decode(damaged.span, file: "it") }
        }
        // Whole in itself, but not the one that CURRENT means.
        manifest.historyFloor = 1
        let other = manifest.encoded().bytes
        let path = try #require(fileSystem.paths("manifest-").last)
        let found = fileSystem.afterKill(changing: path) { $0 = other }
        expectError(.corruption) { _ = try NoteStore(found, Self.small) }
    }

    @Test func `a sealed segment of another length is refused at opening`() throws {
        let fileSystem = MemoryFileSystem()
        try filled(fileSystem).closeProven()
        let path = try #require(fileSystem.paths("segment-").first)
        for change in [-8, 8] {
            let found = fileSystem.afterKill(changing: path) { bytes in
                if change < 0 {
                    bytes.removeLast(-change)
                } else {
                    bytes += [UInt8](repeating: 0, count: 8)
                }
            }
            expectError(.corruption) { _ = try NoteStore(found, Self.small) }
        }
    }

    @Test func `a compaction that wrote other bytes than it meant fails`() throws {
        let notes = try filled(MemoryFileSystem())
        let entry = try #require(notes.engine.log.manifest.sealed.first)
        try notes.engine.log.verify(entry)
        var other = entry
        other.hash ^= 1
        let wrong = other
        expectError(.corruption) { try notes.engine.log.verify(wrong) }
        try notes.closeProven()
    }

    @Test func `a snapshot over frames that changed is corruption`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for number in 0..<5 { try notes.put("note \(number)") }
        let end = notes.engine.log.end.offset
        try notes.engine.writeSnapshot()
        let path = try #require(fileSystem.paths("segment-").last)
        let found = fileSystem.afterKill(changing: path) { $0[end - 1] ^= 1 }
        expectError(.corruption) { _ = try NoteStore(found) }
        try notes.closeProven()
    }

    @Test func `a damaged dictionary is corruption`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try filled(fileSystem)
        let samples = (0..<200).map { Array("a sample of words number \($0) and more".utf8) }
        let dictionary = try #require(ZstdDictionary.train(samples: samples, capacityBytes: 4096))
        try notes.engine.log.adopt(dictionary)
        try notes.closeProven()
        let path = try #require(fileSystem.paths("dictionary-").first)
        let found = fileSystem.afterKill(changing: path) { $0[$0.count - 9] ^= 1 }
        expectError(.corruption) { _ = try NoteStore(found, Self.small) }
    }

    @Test func `header and trailer of a snapshot belong together`() throws {
        func snapshot(_ key: UInt64) throws -> [UInt8] {
            let fileSystem = MemoryFileSystem()
            let space = PageSpace()
            space.begin(sequence: key)
            try space.put(1, key, WordValue(first: key, second: key))
            space.publish(space.end())
            let file = try fileSystem.open("/s", .create)
            _ = try space.capture().write(to: file, metadata: [1])
            return try file.read(try file.size(), at: 0)
        }
        let (one, other) = (try snapshot(1), try snapshot(2))
        try #require(one.count == other.count)
        func open(_ bytes: [UInt8]) throws {
            let fileSystem = MemoryFileSystem(contents: ["/s": bytes])
            _ = try PageSpace.open(snapshot: try fileSystem.open("/s", .read))
        }
        try open(one)
        // The header of the one before the groups, metadata, directory and trailer of the other.
        expectError(.corruption) { try open(Array(one[..<64] + other[64...])) }
        // Each bit of header and trailer counts.
        for index in Array(0..<64) + Array((one.count - 80)..<one.count) {
            var changed = one
            changed[index] ^= 1
            let damaged = changed
            expectError(.corruption) { try open(damaged) }
        }
    }
}
