import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// What turns red when a sync or a comparison of checks is taken out of the code. Each was taken
/// out by itself, until something turned red: `crash` (30,000 images), `damage` (quick) and
/// `syscalls` are campaigns of `Tools/fault`, the names are tests. Where it says "nothing" or "not
/// reached", that is the tests of engine, log and bytes, and these campaigns with all such syncs
/// and comparisons out at once; of the waits, those tests and `crash` alone. The tests of the
/// store and of the command were not run for them, save those of verifying and copying.
///
/// Syncs of files
/// - `GroupCommit.lead`, the commit's: crash
/// - `Log.seal`, before a roll: `a clean close is clean after a power cut, too`
/// - `Log.close`, after the cut: `a clean close is clean after a power cut, too`
/// - `SegmentFile.create`: crash
/// - `FileSystem.write`, of CURRENT and of a manifest alone: crash
/// - `LogRecovery.cutTail`: `what recovery did is not undone by a power cut`
/// - `LogRecovery.rewriteUnsyncedTail`: crash, after a kill, and that same test
/// - `LogRecovery.finishCut`: that same test
/// - `LogRecovery.run`, of a reader: `a reader that opens syncs what no sync is known to cover`
/// - `Quarantine.keep`: `bytes that are cut are in quarantine first`
/// - `SegmentBuilder.finish`: crash
/// - `SnapshotStore.fill`: `a snapshot that was written survives a power cut`
/// - `Log.followActiveSegment` as `follow` calls it: `a follower shows nothing that a power cut
///   could take`
/// - as `adopt` calls it for the segment that the writer goes on in: `a follower that goes on in a
///   new segment shows nothing of it unsynced`
/// - as `adopt` calls it for the one before: nothing, for whoever seals a segment syncs it before a
///   manifest says so
/// - the timer of `.interval`: `syncs at intervals do not wait for maintenance`
/// - `RealFile.sync`: `each error number has its code`; and `fdatasync` below it: `both syncs ask
///   the operating system`. (`F_FULLFSYNC` was not tried: it is of Darwin.)
///
/// Waits for the commit's sync
/// - `Engine.awaitVisibility`: `the padding of a frame is zero`, and many others
/// - `Engine.writeCapture`: crash
/// - `Engine.noteCompaction`: nothing; the moving of entries and the snapshot wait again, before
///   the manifest
/// - `Engine.rebuild` and what installs a compaction's blocks: nothing; only a commit whose sync
///   is under way at that moment, and fails, would have been seen too early
///
/// Syncs of directories
/// - `ManifestFile.point`, CURRENT: crash
/// - `FileSystem.replaceAtomically`, the manifest and whatever it is the first to name: crash
/// - `LogDirectory.openForWriting`, CURRENT once more:
///   `a kill and then a power cut lose nothing that was acknowledged`
/// - `LogDirectory.openForReading`, the same for a reader:
///   `a reader that opens makes the names durable that it goes by`
/// - `Quarantine.keep`: `bytes that are cut are in quarantine first`
/// - `Quarantine.move`, each of the two: `what is moved to quarantine is made durable at both ends`
/// - `SnapshotStore.write`: `a snapshot that was written survives a power cut`
/// - `Log.discard`: `segments that a compaction replaced do not come back after a power cut`
/// - `RealFileSystem.createDirectory`, `RealFileSystem.syncDirectory`: `a directory is synced by
///   the call for names`
/// - `fsync` and not `fdatasync` for names: nothing; ext4 was seen to keep them either way
///
/// Comparisons of checks
/// - a frame as it is read by location (`Segment.frame`): damage; as it is scanned
///   (`SegmentScanner`): damage, and `a torn tail is truncated after the last whole transaction and quarantined`
/// - a frame that ends a scan too early (`LogScanner`): `damage in the middle of a scan names its
///   place, and nothing behind it is given`
/// - the header of a frame (`FrameHeader.decode`): `a header with a flipped bit is rejected`; damage
///   misses it, for the check of the whole frame is compared after
/// - the padding of a frame, the header of a segment, the hash of a manifest in CURRENT and in
///   itself, the length of a sealed segment: the test of that name in `CheckMutationTests`
/// - what a compaction wrote (`Segment.requireContent`): `a compaction that wrote other bytes than
///   it meant fails`; and that it asks (`SegmentBuilder.finish`): `a compaction on a disk that
///   keeps other bytes changes nothing`
/// - what a compressor or a transform made (`PayloadCodec.gives`): `a transform that does not give
///   the payload back is not used`
/// - the place that a snapshot resumes at (`TailScanner`): `a snapshot over frames that changed is
///   corruption`
/// - the end that a store was closed with (`LogRecovery.run`): `a whole segment of another future
///   of the same store is refused`
/// - metadata and groups of a snapshot: `a flipped bit anywhere is an error, and never another
///   answer`; its directory: `directory and trailer of a snapshot belong together`, which damage
///   misses, for zstd and the groups' checks notice what it does there
/// - its header and trailer, each: `header and trailer of a snapshot belong together`
/// - its store: `a snapshot of another store is passed over`, and, where it is verified,
///   `a snapshot of another store is repairable and never used`
/// - store, number and name of a segment, each: `a segment of another store, number or first
///   sequence is refused`
/// - generation and name of a manifest: `a manifest under the name of another generation is
///   refused`
/// - the chain alone: `a frame of another future of the same store is refused`
/// - a sealed file's hash in a verification: `verification reads what no scan reads, the seal of a
///   segment, too`
/// - the hash of the state and of each snapshot's in a verification, and their objects' places:
///   `verification finds trees that no replay checks, by what they say and where they lead`
/// - a replay of the log and the live state (`ReplayCheck`): `an index entry that leads to another
///   object's record is noticed`
/// - the rows in the hash of a state, and whose they are (`StateRows`): `another row, or the same
///   rows of other objects, make another hash`
/// - the ends of `Tail.completeFromFile` and of `Tail.copyFrames`: `frames that fail their check
///   are neither sealed nor copied`
/// - of a copy that is read back, the bytes and the state (`Engine.checkedHash`): `a copy that has
///   other bytes, or another state, does not become a store`
///
/// Rules
/// - the torn-tail rule (`durableClaim`): damage, and `damage that a later frame claims
///   to be durable is corruption`
/// - the rewriting of an unsynced tail: syscalls, and `frames that no sync covered are
///   written anew before any are added`; crash, with 30,000 images, misses it
/// - a failed sync that poisons: `a failed sync fails all waiting and all later commits` and
///   syscalls do not come to an end
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

    @Test func `what is moved to quarantine is made durable at both ends`() throws {
        let fileSystem = SyncedDirectories(base: MemoryFileSystem())
        try fileSystem.createDirectory("/store")
        try fileSystem.open("/store/a", .create).close()
        try Quarantine(fileSystem: fileSystem, directory: "/store").move("a")
        let synced = fileSystem.paths.withLock { $0 }
        #expect(synced.contains("/store") && synced.contains("/store/quarantine"))
        #expect(try fileSystem.list("/store/quarantine") == ["a"])
    }

    /// Expects that whatever a power cut leaves now has these notes.
    private func expectKept(_ seen: [UInt64: String], by fileSystem: MemoryFileSystem) throws {
        try fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let again = try NoteStore(image.makeFileSystem())
            #expect(try again.all() == seen, "\(image)")
            try again.closeProven()
        }
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
        try expectKept(seen, by: fileSystem)
        try follower.engine.close()
        try notes.closeProven()
    }

    @Test func `a follower that goes on in a new segment shows nothing of it unsynced`() throws {
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

    @Test func `segments that a compaction replaced do not come back after a power cut`() throws {
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

/// Remembers which directories were synced by name.
private final class SyncedDirectories: ForwardingFileSystem {
    let base: any FileSystem
    let paths = Mutex<Set<String>>([])

    init(base: any FileSystem) { self.base = base }

    func syncDirectory(_ path: String) throws(DaybookError) {
        paths.withLock { _ = $0.insert(path) }
        try base.syncDirectory(path)
    }
}
