import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// The tests and campaigns that fail if a sync or a checksum comparison is removed from the code.
/// Each one was removed separately until something failed: `crash` (30,000 images), `damage`
/// (quick) and `syscalls` are campaigns of `Tools/fault`; the names are tests. "Nothing" and "not
/// reached" mean the tests of engine, log and bytes, and these campaigns with all such syncs and
/// comparisons removed at once; for the waits, those tests and `crash` alone. The tests of the
/// store and of the command were not run for these cases, except those of verifying and copying.
///
/// Syncs of files
/// - `GroupCommit.lead`, the commit's: crash
/// - `Log.seal`, before a roll: `a clean close is clean after a power cut, too`
/// - `Log.close`, after the truncation: `a clean close is clean after a power cut, too`
/// - `SegmentFile.create`: crash
/// - `FileSystem.write`, of CURRENT and of a manifest alone: crash
/// - `LogRecovery.cutTail`: `a power cut after a recovery does not undo it`
/// - `LogRecovery.rewriteUnsyncedTail`: crash, after a kill, and the same test
/// - `LogRecovery.finishCut`: the same test
/// - `LogRecovery.run`, of a reader: `a reader that opens syncs commits that may not be durable`
/// - `Quarantine.keep`: `recovery quarantines bytes before it truncates them`
/// - `SegmentBuilder.finish`: crash
/// - `SnapshotStore.fill`: `a snapshot that was written survives a power cut`
/// - `Log.followActiveSegment`, called by `follow`: `a follower shows no commit that a power cut
///   could revert`
/// - called by `adopt` for the segment in which the writer continues: `a follower that continues in
///   a new segment shows no unsynced commit of it`
/// - called by `adopt` for the previous segment: nothing, because a writer syncs a sealed segment
///   before the manifest names it as sealed
/// - the timer of `.interval`: `interval syncs do not wait for maintenance`
/// - `RealFile.sync`: `each error number has its code`; and `fdatasync` below it: `both syncs call
///   the operating system`. (`F_FULLFSYNC`, on Darwin only, was not tried.)
///
/// Waits for the commit's sync
/// - `Engine.awaitVisibility`: `the padding of a frame is zero`, and many others
/// - `Engine.writeCapture`: crash
/// - `Engine.noteCompaction`: nothing; moving the entries and writing the snapshot wait again,
///   before the manifest
/// - `Engine.rebuild` and the installation of a compaction's blocks: nothing; the only effect is
///   that a commit whose sync is running at that time, and fails, would be visible too early
///
/// Syncs of directories
/// - `ManifestFile.point`, CURRENT: crash
/// - `FileSystem.replaceAtomically`, the manifest and the files that it names first: crash
/// - `LogDirectory.openForWriting`, CURRENT again: `a kill and then a power cut lose no
///   acknowledged commit`
/// - `LogDirectory.openForReading`, the same for a reader: `a reader that opens syncs the directory
///   whose names it uses`
/// - `Quarantine.keep`: `recovery quarantines bytes before it truncates them`
/// - `Quarantine.move`, both syncs: `a move to quarantine is durable in both directories`
/// - `SnapshotStore.write`: `a snapshot that was written survives a power cut`
/// - `Log.discard`: `segments that a compaction replaced do not reappear after a power cut`
/// - `RealFileSystem.createDirectory`, `RealFileSystem.syncDirectory`: `names are synced with the
///   call for directories`
/// - `fsync` instead of `fdatasync` for names: nothing; ext4 kept the names with either call
///
/// Comparisons of checksums
/// - a frame read by location (`Segment.frame`): damage; a scanned frame (`SegmentScanner`):
///   damage, and `a torn tail is truncated after the last whole transaction and quarantined`
/// - a frame that ends a scan too early (`LogScanner`): `damage during a scan names its position,
///   and no later frame is returned`
/// - the header of a frame (`FrameHeader.decode`): `a header with a flipped bit is rejected`;
///   damage does not detect it, because the checksum of the whole frame is compared later
/// - the padding of a frame, the header of a segment, the hash of a manifest in CURRENT and in
///   itself, the length of a sealed segment: the corresponding tests in `CheckMutationTests`
/// - the content that a compaction wrote (`Segment.requireContent`): `a compaction that wrote wrong
///   bytes fails`; and its call (`SegmentBuilder.finish`): `a compaction on a disk that stores
///   wrong bytes changes nothing`
/// - the output of a compressor or a transform (`PayloadCodec.gives`): `a transform that does not
///   restore the payload is not used`
/// - the position at which a snapshot resumes (`TailScanner`): `a snapshot over frames that changed
///   is corruption`
/// - the end at which a store was closed (`LogRecovery.run`): `a whole segment of a diverged
///   history of the same store is refused`
/// - metadata and groups of a snapshot: `a flipped bit anywhere is an error and never a wrong
///   result`; its directory: `the directory and the trailer of a snapshot must match`, which damage
///   does not detect, because zstd and the groups' checksums detect that damage
/// - its header and trailer, each: `the header and the trailer of a snapshot must match`
/// - its store: `a snapshot of another store is skipped`, and, when it is verified, `a snapshot
///   of another store is repairable and never used`
/// - store, number and name of a segment, each: `a segment of another store, number or first
///   sequence is refused`
/// - generation and name of a manifest: `a manifest under the name of another generation is
///   refused`
/// - the chain alone: `a frame of a diverged history of the same store is refused`
/// - a sealed file's hash in a verification: `verification reads everything, including the seal of
///   a segment`
/// - the hash of the state and of each snapshot's state in a verification, and the locations of
///   their objects: `verification finds wrong trees that no replay checks, by their content and
///   locations`
/// - a replay of the log and the live state (`ReplayCheck`): `an index entry with the location of
///   another object is detected`
/// - the rows in the hash of a state, and their objects (`StateRows`): `a different row, or the
///   same rows of other objects, give another hash`
/// - the end of `Tail.completeFromFile`: `frames that fail their checksum are not sealed`
/// - the end of `LogRecovery.rewriteUnsyncedTail`: `frames that change after the scan are not
///   written again`
/// - of a copy that is read back, the bytes and the state (`Engine.checkedHash`): `a copy with
///   other bytes or another state does not become a store`
///
/// Rules
/// - the torn-tail rule (`durableClaim`): damage, and `damage that a later frame claims to be
///   durable is corruption`
/// - rewriting an unsynced tail: syscalls, and `unsynced frames are written again in place before
///   any append`; crash, with 30,000 images, does not detect it
/// - a failed sync poisons the store: `a failed sync fails all waiting and all later commits`, and
///   syscalls does not end
///
/// `powercut` was not run.
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

    /// Returns a store whose last frame is torn, on a recording file system, and the torn bytes.
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

    @Test func `recovery quarantines bytes before it truncates them`() throws {
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
    func `a power cut after a recovery does not undo it`(isTorn: Bool) throws {
        // With a torn tail, the tail is cut. Otherwise the last commits move to another segment.
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

    @Test func `a segment with an unknown number is quarantined, not removed`() throws {
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

    @Test func `a move to quarantine is durable in both directories`() throws {
        let fileSystem = SyncedDirectories(base: MemoryFileSystem())
        try fileSystem.createDirectory("/store")
        try fileSystem.open("/store/a", .create).close()
        try Quarantine(fileSystem: fileSystem, directory: "/store").move("a")
        let synced = fileSystem.paths.withLock { $0 }
        #expect(synced.contains("/store") && synced.contains("/store/quarantine"))
        #expect(try fileSystem.list("/store/quarantine") == ["a"])
    }

    /// Expects that each state that a power cut may leave now contains these notes.
    private func expectKept(_ seen: [UInt64: String], by fileSystem: MemoryFileSystem) throws {
        try fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let again = try NoteStore(image.makeFileSystem())
            #expect(try again.all() == seen, "\(image)")
            try again.closeProven()
        }
    }

    @Test func `a follower shows no commit that a power cut could revert`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore(fileSystem) { $0.durability = .manual }
        try notes.put("one")
        try notes.engine.sync()
        let follower = try NoteStore(fileSystem, access: .read)
        try notes.put("two")
        try follower.engine.refresh()
        let seen = try follower.all()
        #expect(seen.count == 2)
        try expectKept(seen, by: fileSystem)
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test func `a follower that continues in a new segment shows no unsynced commit of it`() throws
    {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore(fileSystem) { $0.durability = .manual }
        try notes.put("one")
        try notes.engine.sync()
        let follower = try NoteStore(fileSystem, access: .read)
        try notes.engine.log.sealActiveSegment()
        try notes.put("two")
        try follower.engine.refresh()
        let seen = try follower.all()
        #expect(seen.count == 2)
        try expectKept(seen, by: fileSystem)
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test func `segments that a compaction replaced do not reappear after a power cut`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore.filled(fileSystem)
        let replaced = fileSystem.paths("segment-").dropLast()
        try #require(replaced.count > 2)
        _ = try notes.engine.compact(.all)
        fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let files = image.makeFileSystem().contents
            #expect(replaced.allSatisfy { files[$0] == nil }, "\(image)")
        }
        try notes.closeProven()
    }
}

/// Records the directories that were synced.
private final class SyncedDirectories: ForwardingFileSystem {
    let base: any FileSystem
    let paths = Mutex<Set<String>>([])

    init(base: any FileSystem) { self.base = base }

    func syncDirectory(_ path: String) throws(DaybookError) {
        paths.withLock { _ = $0.insert(path) }
        try base.syncDirectory(path)
    }
}
