import DaybookBytes
@testable import DaybookLog
import DaybookTestSupport
import Synchronization
import Testing

/// A log of many segments keeps few files open.
@Suite struct OpenFilesTests {
    private static func few(_ options: inout LogOptions) {
        options.segmentSizeBytes = 1 << 10
        options.openFileCountMax = 3
        options.frameCacheBudgetBytes = 0
    }

    private func log(_ fileSystem: any FileSystem, count: Int = 200) throws -> Log {
        var log = try LogFixture(fileSystem, Self.few)
        try log.append(count: count)
        return log.log
    }

    @Test(arguments: [false, true])
    func `a log opens files when they are read and closes others`(isReadOnly: Bool) throws {
        let disk = OpenFileCounter(MemoryFileSystem())
        try log(disk).close()
        #expect(disk.openCount.load(ordering: .relaxed) == 0)
        let again = try LogFixture(disk, isReadOnly: isReadOnly, Self.few)
        #expect(again.log.manifest.sealed.count > 10)
        for _ in 0..<2 {
            #expect(try again.texts() == (1...200).map { "text \($0)" })
            // The active segment stays open, too.
            #expect(disk.openCount.load(ordering: .relaxed) <= 4)
            #expect(again.log.files.count <= 3)
        }
    }

    @Test func `rolls close the files of sealed segments`() throws {
        let disk = OpenFileCounter(MemoryFileSystem())
        let log = try log(disk)
        #expect(log.manifest.sealed.count > 10)
        #expect(disk.openCount.load(ordering: .relaxed) <= 4)
        try log.close()
    }

    @Test func `threads that read more segments than may be open read every frame`() throws {
        let disk = OpenFileCounter(MemoryFileSystem())
        let log = try log(disk)
        let places = try locations(log)
        try onThreads(4) { number in
            for round in 0..<200 {
                let (text, place) = places[(round * 37 + number * 11) % places.count]
                guard try log.frame(at: place).bytes == Array(text.utf8) else { throw Wrong() }
            }
        }
        // Each thread holds one file while it reads.
        #expect(disk.openCount.load(ordering: .relaxed) <= 4)
        try log.close()
    }

    @Test func `a segment that was never read stays readable when it is discarded`() throws {
        let disk = OpenFileCounter(MemoryFileSystem())
        try log(disk).close()
        let log = try LogFixture(disk, Self.few).log
        let places = try locations(log)
        let view = log.view()
        let numbers = log.manifest.sealed.map(\.number)
        log.discard(numbers)
        // No more than three stay open without a name; the others keep theirs until they are
        // released.
        #expect(disk.openCount.load(ordering: .relaxed) <= 7)
        for (text, place) in places { #expect(try log.frame(at: place).bytes == Array(text.utf8)) }
        log.release(numbers)
        var scanner = try LogScanner(log, from: nil, in: view)
        var count = 0
        while try scanner.next() != nil { count += 1 }
        #expect(count == 200)
    }

    @Test func `discarded segments that nobody reads are removed when they are released`() throws {
        let fileSystem = MemoryFileSystem()
        let log = try log(fileSystem)
        let numbers = log.manifest.sealed.map(\.number)
        log.discard(numbers)
        log.release(numbers)
        #expect(fileSystem.paths("segment-").count == 1)
    }

    private func locations(_ log: Log) throws -> [(String, Location)] {
        var found: [(String, Location)] = []
        var scanner = try log.scan(from: nil)
        while let frame = try scanner.next() {
            found.append((LogFixture.text(frame.payload), try frame.location(recordOffset: 0)))
        }
        return found
    }
}

private struct Wrong: Error {}

/// Counts the files that are open.
private final class OpenFileCounter: ForwardingFileSystem {
    let base: any FileSystem
    let openCount = Atomic(0)

    init(_ base: any FileSystem) { self.base = base }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        CountedFile(try base.open(path, mode), self)
    }

    private final class CountedFile: ForwardingFile {
        let base: any File
        private let disk: OpenFileCounter
        private let isOpen = Atomic(true)

        init(_ base: any File, _ disk: OpenFileCounter) {
            self.base = base
            self.disk = disk
            disk.openCount.add(1, ordering: .relaxed)
        }

        func close() {
            if isOpen.exchange(false, ordering: .relaxed) {
                disk.openCount.subtract(1, ordering: .relaxed)
            }
            base.close()
        }
    }
}
