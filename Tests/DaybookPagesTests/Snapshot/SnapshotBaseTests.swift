import DaybookBytes
import DaybookTesting
import DaybookTestSupport
import Testing

@testable import DaybookPages

/// Snapshots that use groups of pages in older files.
struct SnapshotBaseTests {
    private static let tree: TreeID = 1
    private static let count: UInt64 = 40_000

    private func put(_ keys: some Sequence<UInt64>, _ value: UInt64, in space: PageSpace) throws {
        space.begin(sequence: space.working.sequence + 1)
        for key in keys {
            try space.put(Self.tree, key, WordValue(first: key &* 977, second: value))
        }
        space.publish(space.end())
    }

    /// Some 15 groups in one snapshot.
    private func makeSpace() throws -> (PageSpace, SnapshotFolder) {
        let (space, folder) = (PageSpace(), SnapshotFolder())
        try put(1...Self.count, 1, in: space)
        try folder.save(space)
        return (space, folder)
    }

    @Test(arguments: [[20_000], [1], [40_001, 40_002]] as [[UInt64]], [false, true])
    func `a snapshot writes the changed groups only`(_ keys: [UInt64], isOpened: Bool) throws {
        var (space, folder) = try makeSpace()
        let full = folder.writtenBytes
        if isOpened { space = try folder.open() }
        try put(keys, 2, in: space)
        let summary = try folder.save(space)
        #expect(summary.copiedLength == 0)
        #expect(summary.baseCount == 1)
        #expect(summary.length < full / 4)
        #expect(summary.storedLength > full / 2)
        // Only groups of visited pages are in memory.
        if isOpened { #expect(space.residentGroupCount < 6) }
        let opened = try folder.open(checkStructure: true)
        for key in keys { #expect(try opened.working.get(Self.tree, key)?.second == 2) }
        #expect(try opened.working.get(Self.tree, 30_000)?.second == 1)
    }

    @Test func `a snapshot without a change writes its directory only`() throws {
        let (space, folder) = try makeSpace()
        for _ in 0..<3 {
            let summary = try folder.save(space)
            #expect(summary.length < 2_000)
            #expect(summary.baseCount == 1)
        }
        // The bases are flat: no snapshot uses one of these in between.
        try folder.prune()
        #expect(folder.files.count == 2)
        _ = try folder.open(checkStructure: true)
    }

    @Test func `a short file is copied instead of used`() throws {
        let (space, folder) = try makeSpace()
        let full = folder.writtenBytes
        try put([5], 2, in: space)
        let summary = try folder.save(space, lengthMin: full + 1)
        #expect(summary.baseCount == 0)
        #expect(summary.copiedLength > full / 2)
        try folder.prune()
        #expect(folder.files.count == 1)
        _ = try folder.open(checkStructure: true)
    }

    @Test func `a file that lost its name is copied from its open descriptor`() throws {
        for content in [nil, [], [UInt8](repeating: 7, count: 1 << 18)] as [[UInt8]?] {
            let (space, folder) = try makeSpace()
            try put([5], 2, in: space)
            let name = folder.names[0]
            folder.replace(name, with: content)
            let summary = try folder.save(space)
            #expect(summary.baseCount == 0)
            let opened = try folder.open(checkStructure: true)
            #expect(try opened.working.count(Self.tree) == Int(Self.count))
            #expect(try opened.working.get(Self.tree, 5)?.second == 2)
        }
    }

    @Test func `pages that are no longer in use are not copied from memory`() throws {
        let (space, folder) = try makeSpace()
        let full = folder.writtenBytes
        space.begin(sequence: space.working.sequence + 1)
        for key in 1...Self.count where key / 169 % 16 != 0 {
            try space.remove(Self.tree, key)
        }
        space.publish(space.end())
        let summary = try folder.save(space, lengthMin: .max)
        #expect(summary.length < full / 4)
        _ = try folder.open(checkStructure: true)
    }

    /// Replaces the base by another file, and expects that the snapshot cannot be opened.
    private func expectUnusable(_ change: (inout [UInt8]) -> Void) throws {
        let (space, folder) = try makeSpace()
        try put([5], 2, in: space)
        try folder.save(space)
        var bytes = folder.files[folder.names[0]]?.bytes ?? []
        change(&bytes)
        folder.replace(folder.names[0], with: bytes.isEmpty ? nil : bytes)
        let error = #expect(throws: DaybookError.self) { try folder.open() }
        #expect(error?.code == .corruption)
        #expect(error?.details["snapshot"] == "base")
        #expect(error?.details["file"] == folder.names[0])
    }

    @Test func `a missing, shortened, extended or damaged base makes a snapshot unusable`() throws {
        try expectUnusable { $0 = [] }
        try expectUnusable { $0.removeLast() }
        try expectUnusable { $0.removeFirst(1000) }
        try expectUnusable { $0.append(0) }
        try expectUnusable { $0[$0.count - 30] ^= 1 }
        try expectUnusable { $0[$0.count - 1] ^= 1 }
    }

    @Test func `another snapshot with the name and length of a base is recognized`() throws {
        let (other, otherFolder) = (PageSpace(), SnapshotFolder())
        try put(1...Self.count, 2, in: other)
        try otherFolder.save(other)
        let bytes = otherFolder.files[otherFolder.names[0]]?.bytes ?? []
        #expect(!bytes.isEmpty)
        try expectUnusable { old in
            // The same length, with a valid trailer.
            let length = old.count
            old = bytes
            if bytes.count < length {
                old.insert(contentsOf: repeatElement(0, count: length - bytes.count), at: 64)
            } else {
                old.removeSubrange(64..<(64 + bytes.count - length))
            }
        }
    }

    @Test func `damage of a group in a base is an error that names the file`() throws {
        let (space, folder) = try makeSpace()
        try put([5], 2, in: space)
        try folder.save(space)
        let opened = try folder.open()
        let entry = try #require(opened.loader?.entry(of: 7))
        #expect(entry.file == 1)
        folder.files[folder.names[0]]?.damage(at: entry.offset + 5) { $0 ^= 1 }
        let error = #expect(throws: DaybookError.self) {
            try opened.checkStructure(opened.publishedVersion)
        }
        #expect(error?.details["snapshot"] == "group")
        #expect(error?.details["file"] == folder.names[0])
        // The next snapshot neither copies the damage nor uses it where it is.
        for lengthMin in [1, .max] {
            let error = #expect(throws: DaybookError.self) {
                try folder.save(opened, lengthMin: lengthMin)
            }
            #expect(error?.details["file"] == folder.names[0])
        }
        folder.files[folder.names[0]]?.damage(at: entry.offset + 5) { $0 ^= 1 }
        #expect(try folder.save(opened).baseCount == 1)
        folder.files[folder.names[0]]?.damage(at: entry.offset + 5) { $0 ^= 1 }
        let checkError = #expect(throws: DaybookError.self) {
            try SnapshotContents.checkGroups(
                of: folder.files[folder.names[0]] ?? CountingFile(), named: "base")
        }
        #expect(checkError?.details["file"] == "base")
        try SnapshotContents.checkGroups(
            of: folder.files[folder.names[1]] ?? CountingFile(), named: "newest")
    }

    @Test(arguments: Seeds.first(1), RandomHistory.Keys.allCases)
    func `snapshots of a random history equal the model, in few files of bounded length`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var history = RandomHistory(keys: keys, seed: seed)
        let folder = SnapshotFolder()
        for _ in 0..<2 { try history.commit(1_500, removing: 0) }
        var usedCount = 0
        for round in 0..<24 {
            let size = Int.random(in: 1...8, using: &history.generator)
            try history.commit(size * size * size, removing: round < 12 ? 30 : 70)
            if Bool.random(using: &history.generator) {
                history.space.trim(to: Int.random(in: 1...6, using: &history.generator))
                history.sequence = history.space.working.sequence
            }
            let summary = try folder.save(history.space)
            usedCount += summary.baseCount
            try folder.prune()
            #expect(folder.files.count == summary.baseCount + 1)
            // Half of each base is in use, and directories are short.
            let overhead = folder.files.count * (300 + 20 * summary.groups)
            #expect(folder.length <= 2 * summary.storedLength + overhead, "seed \(seed)")
            if round % 4 == 0 {
                let opened = try folder.open(checkStructure: true)
                try history.model.expectEqual(opened.working, "seed \(seed), round \(round)")
                history = RandomHistory(continuing: history, in: opened)
                history.sequence = opened.working.sequence
            }
        }
        #expect(usedCount > 6, "seed \(seed)")
        try history.space.checkStructure(history.space.publishedVersion)
    }

    @Test func `a forged directory never leads outside a file`() throws {
        var generator = SeededGenerator(seed: 5)
        var directory = SnapshotDirectory()
        directory.bases = [
            SnapshotBase(name: "one", length: 5_000, checksum: 1),
            SnapshotBase(name: "two", length: 3_000, checksum: 2),
        ]
        directory.entries = (0..<9).map { index in
            SnapshotDirectory.Entry(
                group: index * 2, liveMask: 6, storedMask: 14, file: UInt8(index % 3),
                offset: 64 + index / 3 * 100, storedLength: 100, rawLength: 90, checksum: 3)
        }
        let bytes = directory.encode()
        let same = try SnapshotDirectory(bytes.span, to: 364)
        #expect(same.encode() == bytes)
        #expect(same.bases == directory.bases)
        var refused = 0
        for _ in 0..<3_000 {
            var forged = bytes
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                forged[Int.random(in: 0..<forged.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            do {
                let read = try SnapshotDirectory(forged.span, to: 364)
                for entry in read.entries {
                    let lengths = [364 + 80] + read.bases.map(\.length)
                    #expect(entry.offset >= 64)
                    let end = lengths[Int(entry.file)] - 80
                    #expect(entry.offset + entry.storedLength <= end)
                }
            } catch {
                refused += 1
            }
        }
        #expect(refused > 1_000)
    }
}
