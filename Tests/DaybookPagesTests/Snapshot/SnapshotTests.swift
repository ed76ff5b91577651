import DaybookBytes
import DaybookPages
import DaybookTestSupport
import Testing

struct SnapshotTests {
    private static let tree: TreeID = 1

    /// A hundred thousand dense entries, like those of objects.
    private func makeLargeSpace() throws -> PageSpace {
        let space = PageSpace()
        var location: UInt64 = 0
        for sequence in 1...10 as ClosedRange<UInt64> {
            space.begin(sequence: sequence)
            for index in 1...10_000 as ClosedRange<UInt64> {
                location += 60 + index % 40
                let value = WordValue(first: location, second: sequence)
                try space.put(Self.tree, (sequence - 1) * 10_000 + index, value)
            }
            space.publish(space.end())
        }
        return space
    }

    @Test func `an empty space has a snapshot`() throws {
        let file = CountingFile()
        let space = PageSpace()
        let summary = try space.capture().write(to: file, metadata: [1, 2, 3])
        #expect(summary.groups == 0)
        #expect(summary.length == file.bytes.count)
        let opened = try PageSpace.open(snapshot: file, checkStructure: true)
        #expect(opened.contents.version == PageVersion(sequence: 0, catalog: 0))
        #expect(opened.contents.metadata == [1, 2, 3])
        opened.space.begin(sequence: 1)
        try opened.space.put(1, 1, WordValue(first: 1, second: 1))
        opened.space.publish(opened.space.end())
        try opened.space.checkStructure(opened.space.publishedVersion)
    }

    @Test(arguments: Seeds.first(2), RandomHistory.Keys.allCases)
    func `an opened snapshot equals the written state and can be changed`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var history = RandomHistory(keys: keys, seed: seed)
        for round in 0..<3 {
            for _ in 0..<4 { try history.commit(400, removing: 25 + 20 * round) }
            let file = CountingFile()
            let metadata = Array("round \(round)".utf8)
            let summary = try history.space.capture().write(to: file, metadata: metadata)
            let opened = try PageSpace.open(snapshot: file)
            #expect(opened.contents.version == history.space.publishedVersion)
            #expect(opened.contents.metadata == metadata)
            #expect(opened.contents.groupCount == summary.groups)
            #expect(opened.contents.fileLength == summary.length)
            #expect(opened.space.publishedVersion == opened.contents.version)
            try opened.space.withPinned { reader throws in
                try history.model.expectEqual(reader, "seed \(seed), round \(round)")
            }
            try opened.space.checkStructure(opened.contents.version)
            history = RandomHistory(continuing: history, in: opened.space)
        }
        try history.model.expectEqual(history.space.working, "seed \(seed)")
    }

    @Test(arguments: Seeds.first(2), RandomHistory.Keys.allCases)
    func `a lazily opened and changed space has correct snapshots`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var history = RandomHistory(keys: keys, seed: seed)
        for _ in 0..<6 { try history.commit(600, removing: 20) }
        for _ in 0..<6 {
            let file = CountingFile()
            _ = try history.space.capture().write(to: file, metadata: [])
            let opened = try PageSpace.open(snapshot: file)
            // Nothing is read before the first change.
            history = RandomHistory(continuing: history, in: opened.space)
            try history.commit(Int.random(in: 1...60, using: &history.generator), removing: 60)
        }
        let file = CountingFile()
        _ = try history.space.capture().write(to: file, metadata: [])
        let opened = try PageSpace.open(snapshot: file, checkStructure: true)
        try history.model.expectEqual(opened.space.working, "seed \(seed)")
        try history.space.checkStructure(history.space.publishedVersion)
    }

    @Test func `the same state gives the same file`() throws {
        var history = RandomHistory(keys: .dense, seed: 3)
        for _ in 0..<5 { try history.commit(500, removing: 30) }
        let files = [CountingFile(), CountingFile(), CountingFile()]
        for file in files[0...1] { _ = try history.space.capture().write(to: file, metadata: [9]) }
        #expect(files[0].bytes == files[1].bytes)
        // Pages from a file, read or unread, give the same bytes.
        let lazy = try PageSpace.open(snapshot: files[0]).space
        _ = try lazy.capture().write(to: files[2], metadata: [9])
        #expect(files[0].bytes == files[2].bytes)
        try lazy.checkStructure(lazy.publishedVersion)
        _ = try lazy.capture().write(to: files[2], metadata: [9])
        #expect(files[0].bytes == files[2].bytes)
    }

    @Test func `a hundred thousand objects take two bytes each`() throws {
        let file = CountingFile()
        let summary = try makeLargeSpace().capture().write(to: file, metadata: [])
        #expect(summary.length < 200_000)
        #expect(summary.rawBytes < 600_000)
    }

    @Test func `opening and looking up reads a few groups, not the file`() throws {
        let file = CountingFile()
        _ = try makeLargeSpace().capture().write(to: file, metadata: [])
        let reader = CountingFile(file.bytes)
        let (space, contents) = try PageSpace.open(snapshot: reader)
        #expect(reader.readCount == 4)  // header, trailer, metadata, directory
        #expect(space.residentGroupCount == 0)
        #expect(try space.withPinned { reader throws in try reader.get(Self.tree, 55_555) } != nil)
        #expect(reader.readCount <= 4 + 4)  // catalog, root, inner page, leaf
        #expect(reader.readByteCount < contents.fileLength / 2)
        let count = reader.readCount
        #expect(try space.withPinned { reader throws in try reader.get(Self.tree, 55_556) } != nil)
        #expect(reader.readCount == count)
        #expect(try space.withPinned { reader throws in try reader.count(Self.tree) } == 100_000)
        #expect(reader.readCount == count)

        space.begin(sequence: 11)
        try space.put(Self.tree, 55_555, WordValue(first: 0, second: 11))
        space.publish(space.end())
        #expect(reader.readCount == count)
        #expect(space.residentGroupCount <= 5)
    }

    @Test func `groups that were never read are copied as they are`() throws {
        let file = CountingFile()
        _ = try makeLargeSpace().capture().write(to: file, metadata: [])
        let (space, contents) = try PageSpace.open(snapshot: file)
        space.begin(sequence: 11)
        try space.put(Self.tree, 55_555, WordValue(first: 0, second: 11))
        space.publish(space.end())
        let copy = CountingFile()
        let summary = try space.capture().write(to: copy, metadata: [])
        #expect(summary.groups <= contents.groupCount + 1)
        #expect(space.residentGroupCount <= 5)
        let again = try PageSpace.open(snapshot: copy, checkStructure: true).space
        try again.withPinned { reader throws in
            #expect(try reader.count(Self.tree) == 100_000)
            #expect(try reader.get(Self.tree, 55_555)?.second == 11)
            #expect(try reader.get(Self.tree, 55_554)?.second == 6)
        }
    }

    @Test func `the free pages of a group are used after the group was read`() throws {
        let file = CountingFile()
        _ = try makeLargeSpace().capture().write(to: file, metadata: [])
        let space = try PageSpace.open(snapshot: file).space
        let groups = space.groupCount
        for round in 0..<300 as Range<UInt64> {
            space.begin(sequence: 11 + round)
            for key in stride(from: 1 + round, through: 100_000, by: 5_000) {
                try space.put(Self.tree, key, WordValue(first: 0, second: 11))
            }
            space.publish(space.end())
        }
        #expect(space.groupCount <= groups + 20)
        try space.checkStructure(space.publishedVersion)
    }

    @Test func `a captured version may be unpublished and stays unchanged`() throws {
        let space = try makeLargeSpace()
        space.begin(sequence: 11)
        try space.put(Self.tree, 1, WordValue(first: 1, second: 11))
        let version = space.end()
        let capture = space.capture()
        #expect(capture.version == version)
        for sequence in 12...80 as ClosedRange<UInt64> {
            space.begin(sequence: sequence)
            for key in stride(from: 1 as UInt64, through: 100_000, by: 500) {
                try space.put(Self.tree, key, WordValue(first: 1, second: sequence))
            }
            space.publish(space.end())
        }
        let file = CountingFile()
        _ = try capture.write(to: file, metadata: [])
        let opened = try PageSpace.open(snapshot: file, checkStructure: true).space
        #expect(opened.publishedVersion == version)
        try opened.withPinned { reader throws in
            #expect(try reader.get(Self.tree, 1)?.second == 11)
            #expect(try reader.get(Self.tree, 501)?.second == 1)
        }
    }

    @Test func `writing can be interrupted`() throws {
        let capture = try makeLargeSpace().capture()
        var asked = 0
        let error = #expect(throws: DaybookError.self) {
            try capture.write(to: CountingFile(), metadata: []) {
                asked += 1
                return asked == 5
            }
        }
        #expect(error?.code == .interrupted)
    }

    @Test func `a longer old file is truncated`() throws {
        let file = CountingFile([UInt8](repeating: 0xFF, count: 1 << 20))
        let summary = try makeLargeSpace().capture().write(to: file, metadata: [])
        #expect(file.bytes.count == summary.length)
        _ = try PageSpace.open(snapshot: file, checkStructure: true)
    }
}
