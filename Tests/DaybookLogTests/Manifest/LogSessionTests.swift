import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// When a log begins a session.
@Suite struct LogSessionTests {
    private func sessions(_ fileSystem: any FileSystem) throws -> Sessions {
        let file = ManifestFile(fileSystem: fileSystem, directory: LogFixture.path)
        return try #require(try file.load()).manifest.sessions
    }

    @Test func `an opening begins a session with its first append, and only then`() throws {
        let files = MemoryFileSystem()
        for number in 0..<3 {
            var writer = try LogFixture(files)
            #expect(writer.log.manifest.sessions.kept.count == number)
            let generation = writer.log.manifest.generation
            try writer.append(count: 5)
            #expect(writer.log.manifest.generation == generation + 1)
            try writer.log.close()
            let idle = try LogFixture(files)
            try idle.log.close()
        }
        let found = try sessions(files)
        #expect(found.kept.map(\.firstSequence) == [1, 6, 11])
        #expect(Set(found.kept.map(\.identity)).count == 3)
        #expect(!found.isShortened)
    }

    @Test func `a roll keeps the session`() throws {
        let files = MemoryFileSystem()
        var writer = try LogFixture(files) { $0.segmentSizeBytes = 1 << 10 }
        try writer.append(count: 100)
        #expect(writer.log.manifest.sealed.count > 3)
        #expect(writer.log.manifest.sessions.kept.map(\.firstSequence) == [1])
        try writer.log.close()
    }

    // The process ends after the manifest with the session, and before the first frame.
    @Test func `a session without a transaction is replaced by the next one`() throws {
        let files = MemoryFileSystem()
        var writer = try LogFixture(files)
        try writer.append(count: 2)
        try writer.log.close()
        let interrupted = try LogFixture(files)
        try interrupted.log.beginSession(at: 3)
        let image = files.afterKill()
        let left = try sessions(image)
        #expect(left.kept.map(\.firstSequence) == [1, 3])
        var next = try LogFixture(image)
        #expect(next.sequence == 2)
        try next.append("third")
        try next.log.close()
        let found = try sessions(image)
        #expect(found.kept.map(\.firstSequence) == [1, 3])
        #expect(found.kept.first == left.kept.first)
        #expect(found.comparison(with: left, at: 3) == .different)
        #expect(found.comparison(with: left, at: 2) == .same)
        interrupted.log.abandon()
    }

    @Test func `no commit returns before its session is durable`() throws {
        let counter = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .errno(28), persistence: .once)
        var counted = try LogFixture(counter)
        let firstCall = counter.callCount
        try counted.append("first")
        for call in (firstCall + 1)...counter.callCount {
            let files = MemoryFileSystem()
            let faulty = FaultFileSystem(
                files, failingCall: call, fault: .errno(28), persistence: .once)
            var writer = try LogFixture(faulty)
            let hasReturned = (try? writer.append("first")) != nil
            if hasReturned { #expect(try sessions(files).kept.count == 1, "call \(call)") }
            // Without a failed sync, the store continues, in the same session.
            let hasContinued = (try? writer.append("again")) != nil
            writer.log.abandon()
            let after = try LogFixture(files.afterKill())
            let count = (hasReturned ? 1 : 0) + (hasContinued ? 1 : 0)
            #expect(after.sequence == count, "call \(call)")
            let found = after.log.manifest.sessions
            if count > 0 { #expect(found.kept.map(\.firstSequence) == [1], "call \(call)") }
        }
    }

    @Test func `a power failure keeps the session of each commit that it keeps`() throws {
        let files = MemoryFileSystem(recording: true)
        var before = try LogFixture(files)
        try before.append(count: 2)
        try before.log.close()
        let start = files.operationCount
        var writer = try LogFixture(files)
        try writer.append("text 3")
        try writer.log.durability?.wait(for: 3)
        let known = writer.log.manifest.sessions
        writer.log.abandon()
        var lengths: Set<UInt64> = []
        for operation in start...files.operationCount {
            try files.visitCrashImages(after: operation, seed: 5, randomCount: 8) { image in
                let disk = image.makeFileSystem()
                var next = try LogFixture(disk)
                let last = next.sequence
                lengths.insert(last)
                let found = next.log.manifest.sessions
                #expect(found.comparison(with: known, at: last) == .same, "\(image)")
                try next.append("text \(last + 1)")
                let firsts = next.log.manifest.sessions.kept.map(\.firstSequence)
                #expect(firsts == (last == 2 ? [1, 3] : [1, 3, 4]), "\(image)")
                try next.log.close()
            }
        }
        #expect(lengths == [2, 3])
    }

    @Test func `a manifest stays bounded over many openings`() throws {
        let files = MemoryFileSystem()
        var writer = try LogFixture(files)
        try writer.append(count: 3_000)
        try writer.log.durability?.wait(for: 3_000)
        try writer.log.commitManifest { manifest in
            for number: UInt64 in 1...2_000 {
                manifest.sessions.begin(.init(identity: number, firstSequence: number + 1_000))
            }
        }
        try writer.log.close()
        let before = try sessions(files)
        #expect(before.kept.count == Sessions.countMax)
        for _ in 0..<3 {
            var next = try LogFixture(files)
            try next.append("more")
            try next.log.close()
        }
        let after = try sessions(files)
        #expect(after.kept.count == Sessions.countMax)
        #expect(after.kept.suffix(3).map(\.firstSequence) == [3_001, 3_002, 3_003])
        #expect(after.kept.dropLast(3) == before.kept.dropFirst(3))
        #expect(after.comparison(with: before, at: 3_000) == .same)
    }

    // The reader loads a manifest, then the writer begins a session, then the reader reads its
    // frames.
    @Test func `a backup by a reader names the session of each transaction`() throws {
        let files = MemoryFileSystem()
        var first = try LogFixture(files)
        try first.append("first")
        try first.log.close()
        var writer = try LogFixture(files)
        let directory = try LogDirectory.openForReading(LogFixture.path, files)
        try writer.append("second")
        let (reader, _) = try Log.open(
            directory, transform: nil, options: LogOptions(), resume: nil, durableClaim: 0,
            onDurable: { _ in })
        #expect(reader.lastSequence == 2)
        #expect(reader.manifest.sessions.kept.count == 1)
        let kept = try backUp(reader, to: "/kept", files)
        #expect(kept.sessions.kept.map(\.firstSequence) == [1, 2])
        try writer.append("third")
        #expect(try backUp(writer.log, to: "/kept", files).cleanClose?.sequence == 3)
        try writer.log.close()
    }

    private func backUp(
        _ log: Log, to path: String, _ files: MemoryFileSystem
    ) throws -> Manifest {
        let target = try BackupTarget.open(path, files, store: log.store, holder: "process 7")
        defer { target.release() }
        var backup = try LogBackup(log, to: target, links: true)
        return try backup.run(verifiesAll: true) { _ in }
    }
}
