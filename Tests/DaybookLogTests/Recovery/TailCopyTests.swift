import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// Recovery writes frames without a known sync again, at the same place, and keeps a copy of them
/// in the manifest meanwhile.
@Suite struct TailCopyTests {
    private let segment = "/log/" + StoreFileName.segment(firstSequence: 1, number: 1).text
    private let texts = (1...5).map { "text \($0)" }

    /// A log with five transactions, the last three of which no claim covers.
    private func log(_ fileSystem: MemoryFileSystem) throws {
        var log = try LogFixture(fileSystem)
        try log.append(count: 2)
        try log.log.durability?.wait(for: 2)
        try log.append(count: 3)
        try log.log.durability?.wait(for: 5)
        log.log.abandon()
    }

    @Test func `unsynced frames are written again in place before any append`() throws {
        let fileSystem = MemoryFileSystem()
        try log(fileSystem)
        let before = try #require(fileSystem.contents[segment])
        var again = try LogFixture(fileSystem)
        #expect(again.report.rewrittenFrameCount == 3)
        #expect(again.log.manifest.sealed.isEmpty && again.log.manifest.activeNumber == 1)
        #expect(again.log.manifest.durableSequence == 5)
        #expect(fileSystem.contents[segment] == before)
        try again.append("six")
        #expect(try again.texts() == texts + ["six"])
        again.log.abandon()
        #expect(try LogFixture(fileSystem).report.rewrittenFrameCount == 1)
    }

    @Test func `frames that a claim covers are not written again`() throws {
        let fileSystem = MemoryFileSystem()
        try log(fileSystem)
        try LogFixture(fileSystem).log.abandon()
        let names = Set(fileSystem.contents.keys)
        let again = try LogFixture(fileSystem)
        #expect(again.report.rewrittenFrameCount == 0)
        #expect(Set(fileSystem.contents.keys) == names)
        again.log.abandon()
    }

    // The commits returned, so they survive a power failure while recovery writes them again, even
    // one that damages the bytes being written.
    @Test func `a power failure during recovery loses no commit that returned`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        try log(fileSystem)
        let first = fileSystem.operationCount
        var again = try LogFixture(fileSystem)
        try again.append("six")
        try again.log.durability?.wait(for: 6)
        again.log.abandon()
        var count = 0
        for operation in first...fileSystem.operationCount {
            try fileSystem.visitCrashImages(after: operation, seed: 7, randomCount: 20) { image in
                count += 1
                let disk = image.makeFileSystem()
                let seen = try LogFixture(disk, isReadOnly: true).texts()
                #expect(Array(seen.prefix(5)) == texts, "\(image)")
                var next = try LogFixture(disk)
                #expect(try next.texts() == seen, "\(image)")
                try next.append("and on")
                try next.log.close()
                #expect(try LogFixture(disk).texts() == seen + ["and on"], "\(image)")
            }
        }
        #expect(count > 100)
    }

    @Test func `a tail longer than one copy is written in several steps`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        var long = try LogFixture(fileSystem)
        try long.append("text 1a", "text 1b", "text 1c")
        try long.append(count: 4)
        try long.log.durability?.wait(for: 5)
        long.log.abandon()
        let texts = ["text 1a", "text 1b", "text 1c"] + (2...5).map { "text \($0)" }
        let first = fileSystem.operationCount
        let again = try LogFixture(fileSystem) { $0.tailCopyBytesMax = 150 }
        #expect(again.report.rewrittenFrameCount == 7)
        #expect(try again.texts() == texts)
        again.log.abandon()
        // The last of several copies is removed.
        #expect(
            try LogDirectory.openForReading(LogFixture.path, fileSystem).manifest.tailCopy == nil)
        #expect(try LogFixture(fileSystem).report.rewrittenFrameCount == 0)
        for operation in first...fileSystem.operationCount {
            try fileSystem.visitCrashImages(after: operation, seed: 7, randomCount: 20) { image in
                let disk = image.makeFileSystem()
                let next = try LogFixture(disk) { $0.tailCopyBytesMax = 150 }
                #expect(try next.texts() == texts, "\(image)")
                next.log.abandon()
                #expect(try LogFixture(disk).texts() == texts, "\(image)")
            }
        }
    }

    @Test(arguments: [UInt64(0), 1])
    func `a copy does not hide frames written after the end`(claim: UInt64) throws {
        // A power failure left the first of several copies, and not the rest of the transaction
        // that begins in it.
        let fileSystem = MemoryFileSystem()
        var notes = try LogFixture(fileSystem)
        try notes.append("one")
        let end = notes.log.end.offset
        try notes.append("two, first half", "two, second half")
        let all = try #require(fileSystem.contents[segment])
        notes.log.abandon()
        let half = notes.log.manifest
        var torn = half
        torn.generation += 1
        torn.tailCopy = .init(sequence: 2, offset: end, bytes: Array(all[end..<(end + 96)]))
        let image = fileSystem.afterKill(changing: segment) { bytes in
            bytes.replaceSubrange(end..., with: [UInt8](repeating: 0, count: bytes.count - end))
        }
        try ManifestFile(fileSystem: image, directory: LogFixture.path).commit(torn)
        let reader = try LogFixture(image, isReadOnly: true)
        #expect(try reader.texts() == ["one"])
        var again = try LogFixture(image, durableClaim: claim)
        #expect(try again.texts() == ["one"])
        try again.append("another two")
        try again.log.durability?.wait(for: 2)
        #expect(try again.texts() == ["one", "another two"])
        again.log.abandon()
        #expect(try LogFixture(image).texts() == ["one", "another two"])
        #expect(try reader.log.refresh(applied: 1) == .appended)
        #expect(try reader.texts() == ["one", "another two"])
    }

    @Test func `frames that change after the scan are not written again`() throws {
        let fileSystem = MemoryFileSystem()
        try log(fileSystem)
        let bytes = try #require(fileSystem.contents[segment])
        let last = try #require(bytes.lastIndex { $0 != 0 })
        var codes: Set<DaybookError.Code> = []
        for count in 0..<12 {
            let image = fileSystem.afterKill()
            let disk = FadingDisk(image, path: segment, byte: last - 12, soundReadCount: count)
            do {
                let report = try LogFixture(disk).report
                #expect(report.tornBytes > 0 || report.rewrittenFrameCount == 3)
            } catch let error as DaybookError {
                codes.insert(error.code)
            }
        }
        #expect(codes == [.corruption])
    }

    @Test func `a thousand endings without a close leave one segment`() throws {
        let fileSystem = MemoryFileSystem()
        for round in 1...1000 {
            var log = try LogFixture(fileSystem)
            #expect(log.log.lastSequence == UInt64(round - 1))
            try log.append("text \(round)")
            log.log.abandon()
        }
        let last = try LogFixture(fileSystem)
        #expect(try last.texts() == (1...1000).map { "text \($0)" })
        #expect(fileSystem.contents.count <= 4)
        #expect(last.log.manifest.nextSegmentNumber == 2)
    }
}

/// A disk that changes one byte of a file after some reads of it.
private final class FadingDisk: ForwardingFileSystem {
    let base: any FileSystem
    private let path: String
    private let byte: Int
    private let soundReadCount: Atomic<Int>

    init(_ base: any FileSystem, path: String, byte: Int, soundReadCount: Int) {
        self.base = base
        self.path = path
        self.byte = byte
        self.soundReadCount = Atomic(soundReadCount)
    }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let file = try base.open(path, mode)
        return path == self.path ? FadingFile(file, self) : file
    }

    private final class FadingFile: ForwardingFile {
        let base: any File
        private let disk: FadingDisk

        init(_ base: any File, _ disk: FadingDisk) {
            self.base = base
            self.disk = disk
        }

        func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
            var bytes = try base.read(count, at: offset)
            let place = disk.byte - offset
            guard bytes.indices.contains(place) else { return bytes }
            let left = disk.soundReadCount.subtract(1, ordering: .relaxed).oldValue
            if left <= 0 { bytes[place] ^= 1 }
            return bytes
        }
    }
}
