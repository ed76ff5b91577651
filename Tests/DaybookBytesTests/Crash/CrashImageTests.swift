import DaybookBytes
import DaybookTesting
import Testing

/// Crash images: only possible states, every category, and no duplicates.
struct CrashImageTests {
    private struct Enough: Error {}

    private func images(
        _ fileSystem: MemoryFileSystem, after operation: Int? = nil, randomCount: Int = 50
    ) -> [CrashImage] {
        var images: [CrashImage] = []
        let operation = operation ?? fileSystem.operationCount
        fileSystem.visitCrashImages(after: operation, seed: 7, randomCount: randomCount) {
            images.append($0)
        }
        return images
    }

    private func contents(_ images: [CrashImage], _ category: CrashImage.Category? = nil)
        -> [[String: [UInt8]]]
    {
        images.filter { category == nil || $0.category == category }
            .map { $0.makeFileSystem().contents }
    }

    /// A file system with a synced file `/a` of 3,000 fives and nothing pending.
    private func synced(_ count: Int = 3000) throws -> (MemoryFileSystem, any File) {
        let fileSystem = MemoryFileSystem(recording: true)
        let file = try fileSystem.open("/a", .create)
        try file.write([UInt8](repeating: 5, count: count).span, at: 0)
        try file.sync()
        try fileSystem.syncDirectory("/")
        return (fileSystem, file)
    }

    @Test func `with everything synced there is one image`() throws {
        let (fileSystem, _) = try synced()
        let images = images(fileSystem)
        #expect(images.count == 1)
        #expect(contents(images) == [fileSystem.contents])
    }

    @Test func `before the first operation the image is the initial volume`() throws {
        let fileSystem = MemoryFileSystem(contents: ["/x/y": [1, 2]], recording: true)
        try fileSystem.remove("/x/y")
        #expect(contents(images(fileSystem, after: 0)) == [["/x/y": [1, 2]]])
        #expect(Set(contents(images(fileSystem))) == [["/x/y": [1, 2]], [:]])
    }

    @Test func `a synced file without a synced directory may have no name, and never other bytes`()
        throws
    {
        let fileSystem = MemoryFileSystem(recording: true)
        let file = try fileSystem.open("/a", .create)
        try file.write([1, 2, 3].span, at: 0)
        try file.sync()
        #expect(Set(contents(images(fileSystem))) == [[:], ["/a": [1, 2, 3]]])
    }

    @Test func `a synced directory without a synced file has the name, and perhaps the bytes`()
        throws
    {
        let fileSystem = MemoryFileSystem(recording: true)
        let file = try fileSystem.open("/a", .create)
        try file.write([1, 2, 3].span, at: 0)
        try fileSystem.syncDirectory("/")
        let found = contents(images(fileSystem))
        #expect(found.contains(["/a": []]))
        #expect(found.contains(["/a": [1, 2, 3]]))
        #expect(found.contains(["/a": [1]]))
        #expect(found.contains(["/a": [0, 0, 0]]))
        #expect(found.allSatisfy { $0["/a"].map { $0.count <= 3 } ?? false })
    }

    @Test func `every category produces an image`() throws {
        let (fileSystem, file) = try synced()
        try file.resize(to: 2000)
        try file.write([UInt8](repeating: 6, count: 600).span, at: 2000)
        let other = try fileSystem.open("/b", .create)
        try other.write([UInt8](repeating: 7, count: 700).span, at: 100)
        try fileSystem.rename("/b", to: "/c")
        let found = Set(images(fileSystem).map(\.category))
        let missing = Set(CrashImage.Category.allCases).subtracting(found)
        #expect(missing == [])
    }

    @Test func `all, none and every prefix of the operations survive, across files`() throws {
        let fileSystem = MemoryFileSystem(contents: ["/a": [0], "/b": [0]], recording: true)
        let a = try fileSystem.open("/a", .readWrite)
        let b = try fileSystem.open("/b", .readWrite)
        try a.write([1].span, at: 0)
        try b.write([1].span, at: 0)
        try a.write([2].span, at: 0)
        let found = contents(images(fileSystem, randomCount: 0))
        #expect(found.contains(["/a": [0], "/b": [0]]))
        #expect(found.contains(["/a": [1], "/b": [0]]))
        #expect(found.contains(["/a": [1], "/b": [1]]))
        #expect(found.contains(["/a": [2], "/b": [1]]))
        // The first write is dropped: writes to different files are not ordered.
        #expect(found.contains(["/a": [2], "/b": [0]]))
    }

    @Test func `the last write is torn at every byte, with and without its size`() throws {
        let (fileSystem, file) = try synced(100)
        let written = (1...200).map { UInt8($0) }
        try file.write(written.span, at: 100)
        let found = Set(contents(images(fileSystem)).compactMap { $0["/a"] })
        let fives = [UInt8](repeating: 5, count: 100)
        for cut in 0..<200 {
            let expected = fives + written.prefix(cut)
            #expect(found.contains(expected), "cut \(cut)")
        }
        #expect(found.contains(fives + [UInt8](repeating: 0, count: 200)))
    }

    @Test func `a long write is torn at every sector of the file`() throws {
        let (fileSystem, file) = try synced(700)
        try file.write([UInt8](repeating: 6, count: 10_000).span, at: 700)
        let found = Set(contents(images(fileSystem), .lastWriteTorn).compactMap { $0["/a"]?.count })
        #expect(found.isSuperset(of: stride(from: 1024, to: 10_700, by: 512)))
        #expect(!found.contains(1025))
    }

    @Test
    func `the torn sector holds old bytes, zeros or garbage, and no byte beside the write changes`()
        throws
    {
        let (fileSystem, file) = try synced(4096)
        try file.write([UInt8](repeating: 6, count: 1000).span, at: 1000)
        let found = contents(images(fileSystem), .sectorDamaged).compactMap { $0["/a"] }
        let fives = [UInt8](repeating: 5, count: 4096)
        #expect(found.allSatisfy { $0[..<1000] == fives[..<1000] && $0[2000...] == fives[2000...] })
        let zeroed =
            fives[..<1000] + [UInt8](repeating: 6, count: 24) + [UInt8](repeating: 0, count: 512)
        #expect(found.contains { $0.starts(with: zeroed) && $0[1536] == 5 })
        #expect(found.contains { !Set($0[1024..<1536]).isSubset(of: [0, 5, 6]) })
        let torn = contents(images(fileSystem), .lastWriteTorn).compactMap { $0["/a"] }
        #expect(torn.contains { $0[1023] == 6 && $0[1024...].allSatisfy { $0 == 5 } })
    }

    @Test func `a size may survive without the bytes`() throws {
        let (fileSystem, file) = try synced(10)
        try file.write([UInt8](repeating: 6, count: 90).span, at: 10)
        let found =
            contents(images(fileSystem), .lastWriteTorn)
            + contents(images(fileSystem), .sizeWithoutData)
        let expected = [UInt8](repeating: 5, count: 10) + [UInt8](repeating: 0, count: 90)
        #expect(found.contains(["/a": expected]))
    }

    @Test func `an unsynced truncation may be undone`() throws {
        let (fileSystem, file) = try synced(1000)
        try file.resize(to: 100)
        try file.write([6].span, at: 100)
        let found = contents(images(fileSystem), .truncationUndone).compactMap { $0["/a"] }
        let fives = [UInt8](repeating: 5, count: 1000)
        #expect(found == [fives[..<100] + [6] + fives[101...]])
        try file.sync()
        #expect(contents(images(fileSystem)) == [["/a": Array(fives[..<100] + [6])]])
    }

    @Test func `truncation by opening may be undone`() throws {
        let (fileSystem, _) = try synced(10)
        try fileSystem.open("/a", .replace).close()
        let found = Set(contents(images(fileSystem)).compactMap { $0["/a"] })
        #expect(found == [[UInt8](repeating: 5, count: 10), []])
    }

    @Test func `a rename leaves the old file or the new one, whatever else is lost`() throws {
        let fileSystem = MemoryFileSystem(contents: ["/d/CURRENT": [1]], recording: true)
        try fileSystem.replaceAtomically([2], named: "CURRENT", in: "/d")
        for operation in 0...fileSystem.operationCount {
            for image in images(fileSystem, after: operation) {
                let current = image.makeFileSystem().contents["/d/CURRENT"]
                #expect(current == [1] || current == [2], "\(image)")
            }
        }
        #expect(contents(images(fileSystem)) == [["/d/CURRENT": [2]]])
    }

    @Test func `a rename without a sync of the file before it may leave an empty file`() throws {
        let fileSystem = MemoryFileSystem(contents: ["/CURRENT": [1]], recording: true)
        let file = try fileSystem.open("/new", .create)
        try file.write([2].span, at: 0)
        try fileSystem.rename("/new", to: "/CURRENT")
        let found = Set(contents(images(fileSystem)).compactMap { $0["/CURRENT"] })
        #expect(found.isSuperset(of: [[1], [2], []]))
    }

    @Test func `names are independent of each other`() throws {
        let fileSystem = MemoryFileSystem(contents: ["/old": [1]], recording: true)
        try fileSystem.open("/new", .create).close()
        try fileSystem.remove("/old")
        let names = Set(contents(images(fileSystem)).map { Set($0.keys) })
        #expect(names == [["/old"], ["/old", "/new"], ["/new"], []])
        try fileSystem.syncDirectory("/")
        #expect(contents(images(fileSystem)) == [["/new": []]])
    }

    // If the rename were lost and the new file under the old name survived, a file would be lost
    // that was never removed.
    @Test func `a link survives or not, and the first name stays`() throws {
        let fileSystem = MemoryFileSystem(contents: ["/d/a": [1], "/e/x": [2]], recording: true)
        _ = try fileSystem.link("/d/a", to: "/e/a")
        let unsynced = contents(images(fileSystem))
        #expect(unsynced.contains { $0["/e/a"] == nil })
        #expect(unsynced.allSatisfy { $0["/d/a"] == [1] && $0["/e/a"] ?? [1] == [1] })
        try fileSystem.syncDirectory("/e")
        try fileSystem.remove("/d/a")
        let removed = contents(images(fileSystem))
        #expect(removed.contains { $0["/d/a"] == nil })
        #expect(removed.allSatisfy { $0["/e/a"] == [1] })
    }

    @Test func `a name that was not freed cannot be reused`() throws {
        let fileSystem = MemoryFileSystem(contents: ["/a": [1]], recording: true)
        try fileSystem.rename("/a", to: "/b")
        try fileSystem.open("/a", .create).close()
        for found in contents(images(fileSystem)) {
            #expect(found["/a"] == [1] || found["/b"] == [1])
        }
    }

    @Test func `a sync of either directory covers a rename between them`() throws {
        for synced in ["/x", "/y"] {
            let fileSystem = MemoryFileSystem(
                contents: ["/x/a": [1], "/y/b": [2]], recording: true)
            try fileSystem.rename("/x/a", to: "/y/c")
            #expect(contents(images(fileSystem)).count == 2)
            try fileSystem.syncDirectory(synced)
            #expect(contents(images(fileSystem)) == [["/y/b": [2], "/y/c": [1]]])
        }
    }

    @Test func `a new directory is durable when the call returns`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        try fileSystem.createDirectory("/x/y")
        let kinds = try images(fileSystem).map { try $0.makeFileSystem().kind(of: "/x/y") }
        #expect(kinds == [.directory])
    }

    @Test func `after a failed sync no later sync covers the writes before it`() throws {
        let base = MemoryFileSystem(contents: ["/a": [1]], recording: true)
        let faulty = FaultFileSystem(
            base, failingCall: 1, fault: .errno(5), persistence: .once, counting: [.sync])
        let file = try faulty.open("/a", .readWrite)
        try file.write([2, 2].span, at: 0)
        #expect(throws: DaybookError.self) { try file.sync() }
        try file.write([3].span, at: 1)
        try file.sync()
        // The sync covers the second write. The first write may be lost, but never overwrites the
        // second.
        let found = Set(contents(images(base)).compactMap { $0["/a"] })
        #expect(found.isSuperset(of: [[1, 3], [2, 3], [0, 3]]))
        #expect(found.allSatisfy { $0.count == 2 && $0[1] == 3 })
    }

    @Test func `equal images are visited once, and the seed selects the random ones`() throws {
        let (fileSystem, file) = try synced()
        try file.write([UInt8](repeating: 6, count: 20_000).span, at: 3000)
        let first = images(fileSystem, randomCount: 200).map(\.hash)
        #expect(Set(first).count == first.count)
        #expect(images(fileSystem, randomCount: 200).map(\.hash) == first)
        var others: [UInt64] = []
        fileSystem.visitCrashImages(after: fileSystem.operationCount, seed: 8, randomCount: 200) {
            others.append($0.hash)
        }
        #expect(Set(others) != Set(first))
    }

    @Test func `equal hashes mean equal files`() throws {
        let (fileSystem, file) = try synced()
        try file.write([UInt8](repeating: 0, count: 700).span, at: 2900)
        try file.resize(to: 40_000)
        let images = images(fileSystem)
        #expect(Set(contents(images)).count == images.count)
    }

    @Test func `an error in the visitor ends the visit`() throws {
        let (fileSystem, file) = try synced()
        try file.write([6].span, at: 0)
        var count = 0
        #expect(throws: Enough.self) {
            try fileSystem.visitCrashImages(
                after: fileSystem.operationCount, seed: 1, randomCount: 10
            ) { _ in
                count += 1
                throw Enough()
            }
        }
        #expect(count == 1)
    }

    @Test func `a lock does not survive a power failure, and the image is a separate disk`() throws
    {
        let (fileSystem, file) = try synced(10)
        let lock = try fileSystem.lock("/LOCK", note: "me")
        let images = images(fileSystem)
        lock.release()
        for image in images {
            let survivor = image.makeFileSystem()
            try survivor.lock("/LOCK", note: "you").release()
            try survivor.open("/a", .readWrite).write([9].span, at: 0)
        }
        #expect(try file.read(1, at: 0) == [5])
    }

    @Test func `recovery on an image can be interrupted repeatedly`() throws {
        let (fileSystem, file) = try synced(10)
        try file.write([6, 6].span, at: 10)
        var depthThree: Set<[UInt8]> = []
        for image in images(fileSystem, randomCount: 0) {
            let second = image.makeFileSystem(recording: true)
            try second.open("/a", .readWrite).write([7].span, at: 0)
            for image in images(second, randomCount: 0) {
                let third = image.makeFileSystem(recording: true)
                let file = try third.open("/a", .readWrite)
                try file.resize(to: 10)
                try file.sync()
                try file.resize(to: 5)
                for image in images(third, randomCount: 0) {
                    depthThree.insert(image.makeFileSystem().contents["/a"] ?? [])
                }
            }
        }
        let fives = [UInt8](repeating: 5, count: 10)
        #expect(depthThree.isSuperset(of: [fives, [7] + fives.dropLast()]))
        #expect(Set(depthThree.map(\.count)) == [5, 10])
    }

    @Test func `the description lists the surviving operations`() throws {
        let (fileSystem, file) = try synced(10)
        try file.write([6, 6].span, at: 10)
        let torn = try #require(images(fileSystem).first { $0.category == .lastWriteTorn })
        #expect(torn.description.contains("write 2 bytes at 10 of /a"))
        #expect(torn.description.contains("after operation 5, seed 7"))
    }
}
