import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// Backups that fail or are interrupted, and requests that a backup refuses.
@Suite struct BackupFailureTests {
    private static let path = "/kept/backup"

    /// A store, its content at the time of its backup, and its current content.
    private struct Story {
        let notes: NoteStore
        let older: [UInt64: String]
        let newer: [UInt64: String]
    }

    /// Makes a backup, then commits, rolls and compacts.
    private func story(_ files: any FileSystem) throws -> Story {
        let notes = try NoteStore(files, NoteStore.small)
        for number in 0..<8 { try notes.put("old \(number) " + String(repeating: "x", count: 300)) }
        try notes.engine.writeSnapshot()
        try notes.engine.backup(to: Self.path)
        let older = try notes.all()
        for number in 0..<4 { try notes.put("new \(number) " + String(repeating: "y", count: 300)) }
        _ = try notes.engine.compact(.all)
        for number in 0..<6 { try notes.put("now \(number) " + String(repeating: "z", count: 300)) }
        return Story(notes: notes, older: older, newer: try notes.all())
    }

    /// Returns the error code of a backup; nil if it succeeds.
    private func outcome(of engine: Engine) -> DaybookError.Code? {
        do throws(DaybookError) {
            try engine.backup(to: Self.path)
            return nil
        } catch {
            return error.code
        }
    }

    private func content(_ files: any FileSystem, _ path: String) throws -> [UInt64: String] {
        let notes = try NoteStore(files, path: path, access: .read, NoteStore.small)
        defer { try? notes.engine.close() }
        return try notes.all()
    }

    @Test(arguments: [FaultFileSystem.Persistence.once, .forever])
    func `a backup that fails at any call keeps the older backup, and the next backup succeeds`(
        persistence: FaultFileSystem.Persistence
    ) throws {
        let counter = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .errno(28), persistence: persistence)
        let unharmed = try story(counter)
        let firstCall = counter.callCount + 1
        try unharmed.notes.engine.backup(to: Self.path)
        let lastCall = counter.callCount
        try unharmed.notes.closeProven()
        #expect(lastCall > firstCall + 60)
        var failureCount = 0
        for call in firstCall...lastCall {
            let memory = MemoryFileSystem()
            let failing = FaultFileSystem(
                memory, failingCall: call, fault: .errno(28), persistence: persistence)
            let story = try story(failing)
            let code = outcome(of: story.notes.engine)
            // If the backup succeeded, a snapshot may be missing, or a file may stay until the next
            // backup.
            var allowed = code == nil ? [] : [story.older]
            if code == nil || code == .durabilityUnknown { allowed.append(story.newer) }
            #expect([nil, .outOfSpace, .durabilityUnknown].contains(code), "call \(call)")
            if code != nil { failureCount += 1 }
            #expect(failing.hasFailed)
            let found = memory.afterKill()
            #expect(allowed.contains(try content(found, Self.path)), "call \(call)")
            let again = try NoteStore(found, NoteStore.small)
            #expect(try again.all() == story.newer, "call \(call)")
            try again.engine.backup(to: Self.path)
            #expect(try content(found, Self.path) == story.newer, "call \(call)")
            #expect(try Engine.verify(Self.path, found).findings.isEmpty, "call \(call)")
            try again.closeProven()
            try? story.notes.engine.close()
        }
        #expect(failureCount > 30)
    }

    @Test func `a failed first backup leaves no files`() throws {
        for call in 1... {
            let memory = MemoryFileSystem()
            let notes = try NoteStore.filled(memory, count: 10)
            let files = memory.afterKill()
            let failing = FaultFileSystem(
                files, failingCall: call, fault: .errno(28), persistence: .once,
                counting: [.write, .sync, .rename, .link, .createDirectory])
            guard let reader = try? NoteStore(failing, access: .read, NoteStore.small) else {
                continue
            }
            let code = outcome(of: reader.engine)
            if failing.hasFailed { #expect(code == .outOfSpace || code == .durabilityUnknown) }
            if code == .outOfSpace {
                #expect(try files.kind(of: "/kept") == nil, "call \(call)")
            }
            try reader.engine.close()
            try notes.engine.close()
            if !failing.hasFailed {
                #expect(call > 8)
                break
            }
        }
    }

    @Test func `a power cut at any moment leaves the store and the older or the newer backup`()
        throws
    {
        let files = MemoryFileSystem(recording: true)
        let story = try story(files)
        let before = files.operationCount
        try story.notes.engine.backup(to: Self.path)
        let after = files.operationCount
        var imageCount = 0
        for operation in before...after {
            try files.visitCrashImages(after: operation, seed: 3, randomCount: 2) { image in
                imageCount += 1
                let found = image.makeFileSystem()
                let kept = try content(found, Self.path)
                #expect(kept == story.older || kept == story.newer, "\(image)")
                if operation == after { #expect(kept == story.newer, "\(image)") }
                #expect(try content(found, NoteStore.path) == story.newer, "\(image)")
            }
        }
        #expect(imageCount > 100)
        try story.notes.closeProven()
    }

    @Test
    func
        `a kill at any moment leaves the store and the older backup, and the next backup succeeds`()
        throws
    {
        let files = MemoryFileSystem(recording: true)
        let story = try story(files)
        let before = files.operationCount
        try story.notes.engine.backup(to: Self.path)
        for operation in before...files.operationCount {
            let found = files.afterKill(at: operation)
            let kept = try content(found, Self.path)
            #expect(kept == story.older || kept == story.newer, "operation \(operation)")
            let next = try NoteStore(found, NoteStore.small)
            try next.engine.backup(to: Self.path)
            #expect(try content(found, Self.path) == story.newer, "operation \(operation)")
            let report = try Engine.verify(Self.path, found)
            #expect(report.findings.isEmpty, "operation \(operation)")
            try next.closeProven()
        }
        try story.notes.closeProven()
    }

    @Test func `an interrupted first backup is not valid, and the next backup replaces it`() throws
    {
        let files = MemoryFileSystem(recording: true)
        let notes = try NoteStore.filled(files, count: 10)
        let expected = try notes.all()
        let before = files.operationCount
        try notes.engine.backup(to: Self.path)
        var emptyCount = 0
        for operation in before...files.operationCount {
            try files.visitCrashImages(after: operation, seed: 5, randomCount: 2) { image in
                let found = image.makeFileSystem()
                do {
                    #expect(try content(found, Self.path) == expected, "\(image)")
                } catch DaybookError.Code.fileNotFound {
                    emptyCount += 1
                } catch DaybookError.Code.notAStore {
                    emptyCount += 1
                }
                let reader = try NoteStore(found, access: .read, NoteStore.small)
                try reader.engine.backup(to: Self.path)
                #expect(try content(found, Self.path) == expected, "\(image)")
                try reader.engine.close()
            }
        }
        #expect(emptyCount > 50)
        try notes.closeProven()
    }

    @Test func `a damaged segment of the store prevents a backup, and the error names the segment`()
        throws
    {
        let memory = MemoryFileSystem()
        let story = try story(memory)
        let entry = try #require(story.notes.engine.log.manifest.sealed.last)
        let name = NoteStore.path + "/" + entry.fileName.text
        let file = try memory.open(name, .readWrite)
        try file.write([0xFF].span, at: 300)
        file.close()
        let error = expectError(.corruption) { try story.notes.engine.backup(to: Self.path) }
        #expect(error?.details["segment"] == String(entry.number))
        #expect(try content(memory, Self.path) == story.older)
        try story.notes.engine.close()
    }

    /// A file system that writes a wrong byte into each file whose name begins with a prefix.
    private struct WrongByteFileSystem: ForwardingFileSystem {
        let base: any FileSystem
        let prefix: String

        func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
            let file = try base.open(path, mode)
            return path.hasPrefix(prefix) && mode != .read ? LyingFile(file) : file
        }
    }

    private final class LyingFile: ForwardingFile {
        let base: any File

        init(_ base: any File) { self.base = base }

        func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
            var changed = bytes.array
            if !changed.isEmpty { changed[changed.count / 2] ^= 1 }
            try base.write(changed.span, at: offset)
        }
    }

    // The manifest was not read back: the backup counted as valid, but no process could open it.
    @Test(arguments: ["segment-", "manifest-"])
    func `a file that differs from the written bytes prevents a backup`(
        name: String
    ) throws {
        let memory = MemoryFileSystem()
        let story = try story(memory)
        let target = WrongByteFileSystem(base: memory, prefix: Self.path + "/" + name)
        let error = expectError(.backupInvalid) {
            try story.notes.engine.backup(to: Self.path, on: target)
        }
        #expect(error?.details["file"]?.hasPrefix(name) == true)
        #expect(try content(memory, Self.path) == story.older)
        try story.notes.engine.backup(to: Self.path)
        #expect(try content(memory, Self.path) == story.newer)
        try story.notes.closeProven()
    }

    // A process that waited for the lock of a failed first backup locked a file without a name, and
    // the next process locked a new file in its place: two processes wrote into one directory.
    @Test func `a lock on a removed lock file is not valid`() throws {
        let directory = TemporaryDirectory()
        try directory.place("other.txt", "")
        let path = directory.path + "/LOCK"
        let first = try RealFileSystem().lock(path, note: "first")
        var calls = SystemCalls.live
        let tryLock = calls.lockFile
        let waited = Mutex(0)
        calls.lockFile = { descriptor in
            // The first holder releases the lock between this opening of the file and its lock.
            if waited.withLock({
                $0 += 1; return $0
            }) == 1 {
                try? RealFileSystem().remove(path)
                first.release()
            }
            return tryLock(descriptor)
        }
        let second = try RealFileSystem(calls: calls).lock(path, note: "second")
        #expect(waited.withLock { $0 } == 2)
        #expect(try directory.names == ["LOCK", "other.txt"])
        let error = expectError(.locked) { _ = try RealFileSystem().lock(path, note: "third") }
        #expect(error?.message.contains("second") == true)
        second.release()
    }

    @Test func `a directory that is no backup of this store is refused and not changed`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files, count: 10)
        let other = try NoteStore(files, path: "/other", NoteStore.small)
        try other.put("of another store")
        try other.engine.backup(to: "/others")
        try files.createDirectory("/foreign")
        try files.open("/foreign/letter.txt", .create).close()
        try files.open("/file", .create).close()
        try notes.engine.backup(to: "/damaged")
        // One damaged copy of CURRENT, or of the manifest, would cost nothing.
        for name in try files.list("/damaged")
        where name == "CURRENT" || name.hasPrefix("manifest-") {
            let file = try files.open("/damaged/" + name, .readWrite)
            for place in [3, 4096 + 3] { try file.write([0].span, at: place) }
            file.close()
        }
        // A store without CURRENT, and a store that also lacks its manifest.
        try files.createDirectory("/lost")
        try files.createDirectory("/bare")
        for name in try files.list("/other") where name != "CURRENT" && name != "LOCK" {
            _ = try files.link("/other/" + name, to: "/lost/" + name)
            if name.hasPrefix("segment") {
                _ = try files.link("/other/" + name, to: "/bare/" + name)
            }
        }
        let before = files.contents
        for path in [
            "/other", "/others", "/foreign", "/file", "/damaged", "/lost", "/bare",
        ] {
            let error = expectError(.backupInvalid) { try notes.engine.backup(to: path) }
            #expect(error?.details["path"] == path)
        }
        for path in ["/store", "/store/backup", "/store/../store/b"] {
            expectError(.invalidArgument) { try notes.engine.backup(to: path) }
        }
        #expect(files.contents == before)
        try notes.engine.backup(to: Self.path)
        let lock = try files.lock(Self.path + "/LOCK", note: "another backup")
        expectError(.locked) { try notes.engine.backup(to: Self.path) }
        lock.release()
        try notes.engine.backup(to: Self.path)
        try other.closeProven()
        try notes.closeProven()
    }

    @Test func `a store with a diverged history is not added to its backup`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files, count: 10)
        let old = files.afterKill()
        try notes.put("one way")
        try notes.engine.backup(to: Self.path)
        let expected = try notes.all()
        // The old files, next to the newer backup.
        var contents = old.contents
        for (path, bytes) in files.contents where path.hasPrefix("/kept") { contents[path] = bytes }
        let found = MemoryFileSystem(contents: contents)
        let behind = try NoteStore(found, NoteStore.small)
        expectError(.backupInvalid) { try behind.engine.backup(to: Self.path) }
        try behind.put("another way")
        try behind.put("and on")
        expectError(.backupInvalid) { try behind.engine.backup(to: Self.path) }
        #expect(try content(found, Self.path) == expected)
        try behind.closeProven()
        try notes.closeProven()
    }
}
