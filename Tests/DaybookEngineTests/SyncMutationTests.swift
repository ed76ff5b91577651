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
/// - `Quarantine.move`, either of the two is enough for the twin in memory, and both together are
///   missed by `a segment of an unknown number is put away, not removed`
/// - `SnapshotShelf.write`: `a snapshot that was written survives a power cut`
/// - `FileSystem.createDirectory`: `a directory is synced by the call for names`
/// - `fsync` and not `fdatasync` for names: nothing; ext4 was seen to keep them either way
///
/// Comparisons of checks
/// - a frame as it is read by location (`Segment.frame`), as it is scanned (`SegmentScanner`), and
///   its header (`FrameHeader.decode`): damage
/// - the padding of a frame, the header of a segment, the hash of a manifest in CURRENT and in
///   itself, the length of a sealed segment: the test of that name in `CheckMutationTests`
/// - what a compaction wrote (`Segment.requireContent`): `a compaction that wrote other bytes than
///   it meant fails`
/// - the place that a snapshot resumes at (`TailWalk`): `a snapshot over frames that changed is
///   corruption`
/// - parts and groups of a snapshot: damage
/// - its header and trailer: `header and trailer of a snapshot belong together`
/// - store, number and name of a segment: `a segment of another store, number or first sequence is
///   refused`
/// - generation and name of a manifest: `a manifest under the name of another generation is
///   refused`
/// - the chain alone: `a frame of another future of the same store is refused`
/// - not reached by any damage, for a snapshot's place was compared before: the check at the end of
///   `Tail.completeFromFile`, which stays as the other half of a pair
///
/// Rules
/// - the torn-tail rule (`durableClaim`), the rewriting of an unsynced tail, a failed sync that
///   poisons: damage, crash, syscalls
@Suite struct SyncMutationTests {
    @Test func `a clean close is clean after a power cut, too`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        try NoteStore.filled(fileSystem).closeProven()
        try fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let again = try NoteStore(image.makeFileSystem(), NoteStore.small)
            #expect(again.engine.openReport.recovery.wasClosedCleanly, "\(image)")
            try again.closeProven()
        }
    }

    @Test func `a snapshot that was written survives a power cut`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore.filled(fileSystem)
        let sequence = try notes.engine.writeSnapshot()
        try fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let again = try NoteStore(image.makeFileSystem(), NoteStore.small)
            #expect(again.engine.openReport.snapshotSequence == sequence, "\(image)")
            #expect(again.engine.openReport.rejectedSnapshots.isEmpty, "\(image)")
            try again.closeProven()
        }
        try notes.closeProven()
    }

    /// A store whose last frame is torn, on a recording file system; and the torn bytes.
    private func torn() throws -> (fileSystem: MemoryFileSystem, bytes: [UInt8]) {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore.filled(fileSystem, count: 3)
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
        let recovered = try NoteStore(fileSystem, NoteStore.small)
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
        let notes = try NoteStore.filled(killed, count: 3)
        let fileSystem =
            isTorn
            ? try torn().fileSystem
            : MemoryFileSystem(contents: killed.contents, recording: true)
        try notes.closeProven()
        let recovered = try NoteStore(fileSystem, NoteStore.small)
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
        try NoteStore.filled(base).closeProven()
        var files = base.contents
        let name = StoreFileName.segment(firstSequence: 900, number: 900).text
        let bytes = try #require(base.paths("segment-").last.flatMap { files[$0] })
        files[NoteStore.path + "/" + name] = bytes
        let fileSystem = MemoryFileSystem(contents: files, recording: true)
        let notes = try NoteStore(fileSystem, NoteStore.small)
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
}
