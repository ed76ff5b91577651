import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookMaintenance
import DaybookTestSupport
import Testing

/// Repairs of stores with a damaged log.
@Suite struct RepairTests {
    private func segments(_ world: RepairWorld) -> [String] {
        world.files.keys.filter { $0.contains("/segment-") }.sorted()
    }

    @Test(arguments: RepairWorld.Shape.allCases)
    func `an undamaged store is repaired without losses`(shape: RepairWorld.Shape) throws {
        let world = try RepairWorld(shape)
        let (report, fileSystem) = try world.repair(world.files)
        #expect(!report.losesData)
        #expect(report.damages == [])
        #expect(report.notes == [])
        #expect(report.missing == [])
        try world.check(report, fileSystem, "undamaged")
    }

    @Test(arguments: RepairWorld.Shape.allCases)
    func `a flipped bit costs only the records of its frame`(shape: RepairWorld.Shape) throws {
        let world = try RepairWorld(shape)
        for path in segments(world) {
            let bytes = try #require(world.files[path])
            for place in stride(from: 5, to: bytes.count, by: 389) {
                var changed = bytes
                changed[place] ^= 0x10
                let (report, fileSystem) = try world.repair(path, changed)
                let comment: Comment = "\(path) byte \(place)"
                let affected = world.affected(path, place..<(place + 1))
                #expect(report.missing.isSubset(of: affected), comment)
                try world.check(report, fileSystem, comment)
            }
        }
    }

    @Test(arguments: RepairWorld.Shape.allCases)
    func `a zeroed sector costs only the records in it`(shape: RepairWorld.Shape) throws {
        let world = try RepairWorld(shape)
        for path in segments(world) {
            let bytes = try #require(world.files[path])
            for length in [512, 4096] {
                for start in stride(from: 0, to: bytes.count, by: length * 2) {
                    let range = start..<min(bytes.count, start + length)
                    var changed = bytes
                    for index in range { changed[index] = 0 }
                    let (report, fileSystem) = try world.repair(path, changed)
                    let comment: Comment = "\(path) bytes \(range)"
                    #expect(report.missing.isSubset(of: world.affected(path, range)), comment)
                    try world.check(report, fileSystem, comment)
                }
            }
        }
    }

    // A disk may return a sector in place of a later one. A copy of a frame of a longer transaction
    // was read a second time.
    @Test(arguments: RepairWorld.Shape.allCases)
    func `a copy of a frame over the frames after it is not read`(
        shape: RepairWorld.Shape
    ) throws {
        let world = try RepairWorld(shape)
        for frame in world.frames {
            let bytes = try #require(world.files[frame.path])
            // With the check of the frame before it, from which its own check is chained.
            let copied = (frame.bytes.lowerBound - 8)..<frame.bytes.upperBound
            let range = frame.bytes.upperBound..<(frame.bytes.upperBound + copied.count)
            guard range.upperBound <= bytes.count else { continue }
            var changed = bytes
            changed.replaceSubrange(range, with: bytes[copied])
            let (report, fileSystem) = try world.repair(frame.path, changed)
            let comment: Comment = "\(frame.path) bytes \(range)"
            let later = report.missing.filter { $0 > world.sequence }
            let affected = world.affected(frame.path, range)
            #expect(report.missing.subtracting(later).isSubset(of: affected), comment)
            try world.check(report, fileSystem, comment)
        }
    }

    @Test(arguments: RepairWorld.Shape.allCases)
    func `a truncated or missing segment costs only its own records`(
        shape: RepairWorld.Shape
    ) throws {
        let world = try RepairWorld(shape)
        for path in segments(world) {
            let bytes = try #require(world.files[path])
            for length in [nil, 0, 30, 64, 100, bytes.count / 2, bytes.count - 8] {
                let changed = length.map { Array(bytes.prefix($0)) }
                let (report, fileSystem) = try world.repair(path, changed)
                let comment: Comment = "\(path) cut to \(length ?? -1)"
                let affected = world.affected(path, (length ?? 0)..<bytes.count)
                // The end of the last segment may also be beyond the last commit.
                let later = report.missing.filter { $0 > world.sequence }
                #expect(report.missing.subtracting(later).isSubset(of: affected), comment)
                try world.check(report, fileSystem, comment)
            }
        }
    }

    @Test(arguments: RepairWorld.Shape.allCases)
    func `a damaged or missing manifest costs nothing`(shape: RepairWorld.Shape) throws {
        let world = try RepairWorld(shape)
        let names = world.files.keys.filter { $0.contains("/manifest-") || $0.hasSuffix("CURRENT") }
        for removed in [names.sorted(), names.filter { $0.hasSuffix("CURRENT") }] {
            var damaged = world.files
            for name in removed { damaged[name] = nil }
            let (report, fileSystem) = try world.repair(damaged)
            #expect(!report.losesData, "\(report.damages)")
            #expect(!report.notes.isEmpty)
            try world.check(report, fileSystem, "without \(removed)")
        }
        for name in names {
            let bytes = try #require(world.files[name])
            let contentLength = try #require(bytes.lastIndex { $0 != 0 }) - bytes.count / 2
            for place in stride(from: 0, through: contentLength, by: 7) {
                // Both copies are damaged.
                var changed = bytes
                changed[place] ^= 1
                changed[place + bytes.count / 2] ^= 1
                let (report, fileSystem) = try world.repair(name, changed)
                #expect(!report.losesData, "\(name) byte \(place): \(report.damages)")
                try world.check(report, fileSystem, "\(name) byte \(place)")
            }
        }
    }

    @Test func `damaged snapshots are ignored`() throws {
        let world = try RepairWorld(.sealedWithSnapshots)
        var damaged = world.files
        for name in damaged.keys where name.contains("/snapshot-") {
            damaged[name] = [1, 2, 3]
        }
        #expect(damaged != world.files)
        let (report, fileSystem) = try world.repair(damaged)
        #expect(!report.losesData)
        try world.check(report, fileSystem, "damaged snapshots")
    }

    @Test func `a snapshot names the lost objects, and supplies a lost schema`() throws {
        let world = try RepairWorld(.sealedWithSnapshots)
        let path = try #require(segments(world).first)
        let (report, fileSystem) = try world.repair(path, nil)
        #expect(report.losesData)
        #expect(report.lostLayouts == [])
        let affected = Set(world.frames.filter { $0.path == path }.flatMap(\.sequences))
        for (id, changes) in world.changes {
            guard let last = changes.last, affected.contains(last.sequence), last.text != nil
            else { continue }
            #expect(report.lostObjects.contains { $0.id == id && $0.lostSequence == last.sequence })
        }
        try world.check(report, fileSystem, "without the first segment")
    }

    @Test func `without a snapshot, rows of a lost layout are left out and counted`() throws {
        let world = try RepairWorld(.sealed)
        let path = try #require(segments(world).first)
        let (report, fileSystem) = try world.repair(path, nil)
        #expect(report.losesData)
        #expect(report.undecodableRowCount > 0)
        #expect(report.objectCount == 0)
        let verification = try Engine.verify(RepairWorld.newPath, fileSystem)
        #expect(verification.severity ?? .note == .note)
    }

    @Test func `incomplete commits are marked, or left out on request`() throws {
        let world = try RepairWorld(.active)
        // A transaction of several frames.
        let counts = Dictionary(grouping: world.frames) { $0.sequences }.filter {
            $0.value.count > 2
        }
        let (sequences, frames) = try #require(counts.min { $0.key.lowerBound < $1.key.lowerBound })
        let sequence = sequences.lowerBound
        var changed = try #require(world.files[frames[1].path])
        changed[frames[1].bytes.lowerBound + 80] ^= 1
        for keeps in [true, false] {
            let (report, fileSystem) = try world.repair(
                frames[1].path, changed, keepsIncomplete: keeps)
            #expect(report.missing == [sequence])
            #expect(report.lost == [])
            let engine = try Engine.open(RepairWorld.newPath, fileSystem, access: .read)
            let entity = try #require(engine.schemas.schema.entity(named: "Note"))
            var count = 0
            for (id, changes) in world.changes where changes == [changes[0]] {
                guard changes[0].sequence == sequence else { continue }
                if try engine.row(entity.id, id) != nil { count += 1 }
            }
            #expect((count > 0) == keeps, "\(count) notes of \(sequence)")
            var transactions = LogTransactions(
                LogFrames(try engine.log.scan(from: nil)), NoContents())
            var marked: [UInt64] = []
            while let transaction = try transactions.next() {
                if transaction.commit.metadata["daybook.incomplete"] != nil {
                    marked.append(transaction.commit.sequence)
                }
            }
            #expect(marked == (keeps ? [sequence] : []))
            try engine.close()
        }
    }

    @Test func `unreadable sectors cost only the records in them`() throws {
        let world = try RepairWorld(.sealed)
        let path = try #require(segments(world).dropFirst().first)
        let memory = MemoryFileSystem(contents: world.files)
        let disk = BadSector(base: memory, path: path, offset: 1000)
        let report = try Engine.repair(NoteStore.path, into: RepairWorld.newPath, disk)
        #expect(report.losesData)
        #expect(report.missing.isSubset(of: world.affected(path, 0..<4096)))
        try world.check(report, memory, "a bad sector")
    }

    @Test func `a repaired store accepts commits, and lost ids are not assigned again`() throws {
        let world = try RepairWorld(.sealedWithSnapshots)
        let path = try #require(segments(world).last)
        let (_, fileSystem) = try world.repair(path, nil)
        let notes = try NoteStore(fileSystem, path: RepairWorld.newPath)
        let id = try notes.put("new")
        #expect(world.changes[id] == nil)
        #expect(try notes.text(id) == "new")
        try notes.closeProven()
    }

    @Test func `the new directory must be empty, and outside the store`() throws {
        let world = try RepairWorld(.active)
        let fileSystem = MemoryFileSystem(contents: world.files)
        for (path, code) in [
            (NoteStore.path + "/new", DaybookError.Code.invalidArgument),
            (NoteStore.path, .invalidArgument),
        ] {
            let error = #expect(throws: DaybookError.self) {
                try Engine.repair(NoteStore.path, into: path, fileSystem)
            }
            #expect(error?.code == code)
        }
        let missing = #expect(throws: DaybookError.self) {
            try Engine.repair("/nothing", into: "/new", fileSystem)
        }
        #expect(missing?.code == .fileNotFound)
        #expect(fileSystem.contents == world.files)
    }
}

/// A file system with one sector that cannot be read.
private struct BadSector: ForwardingFileSystem {
    let base: any FileSystem
    let path: String
    let offset: Int

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let file = try base.open(path, mode)
        return path == self.path ? BadSectorFile(base: file, path: path, offset: offset) : file
    }
}

private final class BadSectorFile: ForwardingFile {
    let base: any File
    private let path: String
    private let bad: Int

    init(base: any File, path: String, offset: Int) {
        self.base = base
        self.path = path
        bad = offset
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        if (offset..<(offset + count)).contains(bad) {
            throw .operatingSystem(errno: 5, operation: "read", path: path)
        }
        return try base.read(count, at: offset)
    }
}
