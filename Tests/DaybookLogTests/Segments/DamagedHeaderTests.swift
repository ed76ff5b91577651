import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// All bytes of a segment's header follow from the manifest, so a damaged one costs nothing.
@Suite struct DamagedHeaderTests {
    private func log(
        _ fileSystem: MemoryFileSystem, count: Int = 16, isClosed: Bool = false
    ) throws -> [String] {
        var log = try LogFixture(fileSystem) { $0.segmentSizeBytes = 640 }
        try log.append(count: count)
        try log.log.durability?.wait(for: log.sequence)
        if isClosed { try log.log.close() } else { log.log.abandon() }
        return (1...count).map { "text \($0)" }
    }

    /// Opens a log with a damaged header for reading, then for writing.
    private func check(
        _ image: MemoryFileSystem, _ path: String, _ texts: [String], _ comment: Comment
    ) throws {
        let name = path.split(separator: "/").last.map(String.init)
        let reader = try LogFixture(image, isReadOnly: true)
        #expect(try reader.texts() == texts, comment)
        #expect(reader.report.toleratedDamage.map(\.file) == [name], comment)
        var writer = try LogFixture(image) { $0.segmentSizeBytes = 640 }
        #expect(try writer.texts() == texts, comment)
        #expect(writer.report.toleratedDamage.map(\.file) == [name], comment)
        try writer.append(count: 6, of: "more")
        for entry in writer.log.manifest.sealed { try writer.log.verify(entry) }
        try writer.log.close()
        let again = try LogFixture(image)
        #expect(again.report.toleratedDamage == [], comment)
        #expect(try again.texts().count == texts.count + 6, comment)
    }

    @Test(arguments: [false, true])
    func `each changed byte of a header costs nothing and is written again`(
        isClosed: Bool
    ) throws {
        let fileSystem = MemoryFileSystem()
        let texts = try log(fileSystem, isClosed: isClosed)
        let paths = fileSystem.paths("segment-")
        #expect(paths.count > 2)
        for path in [paths[0], paths[paths.count - 1]] {
            let header = try #require(fileSystem.contents[path]).prefix(64)
            for place in 0..<64 {
                let image = fileSystem.afterKill(changing: path) { $0[place] ^= 0x24 }
                try check(image, path, texts, "\(path) byte \(place)")
                #expect(image.contents[path]?.prefix(64) == header)
            }
            let image = fileSystem.afterKill(changing: path) { bytes in
                for index in 0..<64 { bytes[index] = 0 }
            }
            try check(image, path, texts, "\(path) without its header")
            #expect(image.contents[path]?.prefix(64) == header)
        }
    }

    @Test func `a damaged header of an empty segment costs nothing`() throws {
        let fileSystem = MemoryFileSystem()
        _ = try log(fileSystem)
        let log = try LogFixture(fileSystem)
        try log.log.sealActiveSegment()
        log.log.abandon()
        let path = try #require(fileSystem.paths("segment-").last)
        for place in 0..<64 {
            let image = fileSystem.afterKill(changing: path) { $0[place] ^= 0x81 }
            try check(image, path, try log.texts(), "byte \(place)")
        }
        // Without frames, a header that is lost as a whole may have been followed by some.
        let zeros = fileSystem.afterKill(changing: path) { bytes in
            for index in bytes.indices { bytes[index] = 0 }
        }
        for isReadOnly in [true, false] {
            let error = expectError(.corruption) {
                _ = try LogFixture(zeros, isReadOnly: isReadOnly)
            }
            #expect(error?.details["segment"] == String(log.log.manifest.activeNumber))
        }
    }

    // Nothing claims that the only commit of the active segment was durable.
    @Test func `a lost first sector of the active segment is not a torn tail`() throws {
        let fileSystem = MemoryFileSystem()
        _ = try log(fileSystem)
        var log = try LogFixture(fileSystem)
        try log.log.sealActiveSegment()
        try log.append("alone")
        try log.log.durability?.wait(for: log.sequence)
        log.log.abandon()
        let path = try #require(fileSystem.paths("segment-").last)
        for filler: UInt8 in [0, 0xA7] {
            let image = fileSystem.afterKill(changing: path) { bytes in
                for index in 0..<min(4096, bytes.count) { bytes[index] = filler }
            }
            let before = image.contents
            expectError(.corruption) { _ = try LogFixture(image) }
            #expect(image.contents == before)
        }
    }

    // A read that meets the damaged frame reports that nothing was changed.
    @Test func `a header is not written again if any frame is damaged, too`() throws {
        let fileSystem = MemoryFileSystem()
        _ = try log(fileSystem, isClosed: true)
        let path = try #require(fileSystem.paths("segment-").first)
        let length = try #require(fileSystem.contents[path]).count
        for place in [70, length / 2, length - 1] {
            let image = fileSystem.afterKill(changing: path) { bytes in
                for index in 0..<64 { bytes[index] = 0 }
                bytes[place] ^= 0x24
            }
            let before = try #require(image.contents[path])
            let log = try LogFixture(image)
            #expect(log.log.manifest.sealed.first.map { path.hasSuffix($0.fileName.text) } == true)
            #expect(log.report.toleratedDamage.count == 1)
            if place < length - 1 { expectError(.corruption) { _ = try log.texts() } }
            #expect(image.contents[path] == before, "byte \(place)")
        }
    }

    @Test func `a header that cannot be read costs nothing`() throws {
        let fileSystem = MemoryFileSystem()
        let texts = try log(fileSystem, isClosed: true)
        let path = try #require(fileSystem.paths("segment-").first)
        let disk = BadSectors(fileSystem, path: path, sectors: [0])
        for isReadOnly in [true, false] {
            let log = try LogFixture(disk, isReadOnly: isReadOnly)
            #expect(log.report.toleratedDamage.count == 1)
            // The frames of that sector are lost, all others are not.
            expectError(.inputOutput) { _ = try log.texts() }
            let first = try #require(log.log.manifest.sealed.first).lastSequence + 1
            #expect(try log.texts(from: first) == Array(texts.dropFirst(Int(first) - 1)))
            log.log.abandon()
        }
    }

    @Test func `a reader follows a writer whose new segment has a damaged header`() throws {
        let fileSystem = MemoryFileSystem()
        let texts = try log(fileSystem)
        let reader = try LogFixture(fileSystem, isReadOnly: true)
        var writer = try LogFixture(fileSystem)
        try writer.log.sealActiveSegment()
        try writer.append("after")
        try writer.log.durability?.wait(for: writer.sequence)
        let path = try #require(fileSystem.paths("segment-").last)
        let file = try fileSystem.open(path, .readWrite)
        try file.write([1, 2, 3].span, at: 17)
        #expect(try reader.log.refresh(applied: reader.sequence) == .appended)
        #expect(try reader.texts() == texts + ["after"])
    }
}
