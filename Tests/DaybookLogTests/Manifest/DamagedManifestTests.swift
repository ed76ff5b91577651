import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// The manifest and CURRENT contain their content twice, so damage of one sector costs nothing.
@Suite struct DamagedManifestTests {
    private static let sectorBytes = MirroredFile.sectorBytes

    /// The files of a log with sealed segments, and its texts.
    private func files(
        count: Int, isClosed: Bool = false
    ) throws -> (fileSystem: MemoryFileSystem, texts: [String]) {
        let fileSystem = MemoryFileSystem()
        var log = try LogFixture(fileSystem) { $0.segmentSizeBytes = 512 }
        try log.append(count: count)
        try log.log.durability?.wait(for: log.sequence)
        if isClosed { try log.log.close() } else { log.log.abandon() }
        return (fileSystem.afterKill(), (1...count).map { "text \($0)" })
    }

    /// The paths of the manifest and of CURRENT.
    private func namedTwice(_ fileSystem: MemoryFileSystem) -> [String] {
        fileSystem.paths("manifest-") + fileSystem.paths("CURRENT")
    }

    /// Opens a damaged log: reading reports the damage, and writing repairs it.
    private func check(
        _ damaged: MemoryFileSystem, on disk: (any FileSystem)? = nil, _ path: String,
        _ texts: [String], _ comment: Comment
    ) throws {
        let name = path.split(separator: "/").last.map(String.init)
        let reader = try LogFixture(disk ?? damaged, isReadOnly: true)
        #expect(try reader.texts() == texts, comment)
        #expect(reader.report.toleratedDamage.map(\.file) == [name], comment)
        let before = damaged.contents
        let generation = reader.log.manifest.generation
        var writer = try LogFixture(disk ?? damaged)
        #expect(writer.report.toleratedDamage.map(\.file) == [name], comment)
        #expect(writer.log.manifest.generation > generation, comment)
        #expect(damaged.contents.count == before.count, comment)
        try writer.append("more")
        try writer.log.close()
        let again = try LogFixture(disk ?? damaged)
        #expect(again.report.toleratedDamage == [], comment)
        #expect(try again.texts() == texts + ["more"], comment)
        again.log.abandon()
    }

    @Test(arguments: [false, true])
    func `a bad sector of the manifest or of CURRENT costs nothing`(isClosed: Bool) throws {
        let (fileSystem, texts) = try files(count: 700, isClosed: isClosed)
        for path in namedTwice(fileSystem) {
            let bytes = try #require(fileSystem.contents[path])
            let count = bytes.count / Self.sectorBytes
            #expect(count == (path.hasSuffix("CURRENT") ? 2 : 4))
            for sector in 0..<count {
                let range = (sector * Self.sectorBytes)..<((sector + 1) * Self.sectorBytes)
                for filler: UInt8 in [0, 0xE5] {
                    let image = fileSystem.afterKill(changing: path) { bytes in
                        for index in range { bytes[index] = filler }
                    }
                    try check(image, path, texts, "\(path) sector \(sector) of \(filler)")
                }
                let image = fileSystem.afterKill()
                let disk = BadSectors(image, path: path, sectors: [sector])
                let comment: Comment = "\(path) sector \(sector) unreadable"
                let reader = try LogFixture(disk, isReadOnly: true)
                #expect(try reader.texts() == texts, comment)
                #expect(reader.report.toleratedDamage.count == 1, comment)
                try LogFixture(disk).log.close()
                #expect(try LogFixture(image).texts() == texts, comment)
            }
        }
    }

    @Test func `each changed byte of the manifest or of CURRENT is found and costs nothing`() throws
    {
        let (fileSystem, texts) = try files(count: 8)
        for path in namedTwice(fileSystem) {
            let bytes = try #require(fileSystem.contents[path])
            #expect(bytes.count == 2 * Self.sectorBytes)
            let places = bytes.indices.filter { bytes[$0] != 0 || $0 % 61 == 0 }
            for place in places {
                let image = fileSystem.afterKill(changing: path) { $0[place] ^= 0x11 }
                try check(image, path, texts, "\(path) byte \(place)")
            }
        }
    }

    @Test func `a manifest or CURRENT that is too long or too short costs nothing`() throws {
        let (fileSystem, texts) = try files(count: 8)
        for path in namedTwice(fileSystem) {
            for change in [-Self.sectorBytes, -1, 1, Self.sectorBytes, 2 * Self.sectorBytes] {
                let image = fileSystem.afterKill(changing: path) { bytes in
                    if change < 0 {
                        bytes.removeLast(-change)
                    } else {
                        bytes += [UInt8](repeating: 7, count: change)
                    }
                }
                try check(image, path, texts, "\(path) changed by \(change) bytes")
            }
        }
    }

    @Test func `damage of both copies of the manifest is corruption`() throws {
        let (fileSystem, _) = try files(count: 8)
        let path = try #require(fileSystem.paths("manifest-").last)
        let image = fileSystem.afterKill(changing: path) { bytes in
            bytes[40] ^= 1
            bytes[Self.sectorBytes + 60] ^= 1
        }
        for isReadOnly in [true, false] {
            let before = image.contents
            let error = expectError(.corruption) {
                _ = try LogFixture(image, isReadOnly: isReadOnly)
            }
            #expect(path.hasSuffix(error?.details["file"] ?? "?"))
            #expect(image.contents == before)
        }
        let disk = BadSectors(fileSystem, path: path, sectors: [0, 1])
        expectError(.inputOutput) { _ = try LogFixture(disk, isReadOnly: true) }
    }

    @Test func `damage costs nothing on a full volume, too`() throws {
        let (fileSystem, texts) = try files(count: 8, isClosed: true)
        let header = try #require(fileSystem.paths("segment-").first)
        for path in namedTwice(fileSystem) + [header] {
            let image = fileSystem.afterKill(changing: path) { $0[20] ^= 1 }
            let full = FaultFileSystem(
                image, failingCall: 1, fault: .errno(28), persistence: .once, counting: [.write])
            let log = try LogFixture(full)
            #expect(try log.texts() == texts)
            #expect(log.report.toleratedDamage.count == 1)
            #expect(full.hasFailed)
            log.log.abandon()
            // The damage is found again.
            #expect(try LogFixture(image).report.toleratedDamage.count == 1)
        }
    }

    @Test func `a crash while damage is repaired loses nothing`() throws {
        let (damagedFiles, texts) = try files(count: 8)
        for path in namedTwice(damagedFiles) + damagedFiles.paths("segment-").prefix(1) {
            var contents = damagedFiles.contents
            contents[path]?[20] ^= 1
            let fileSystem = MemoryFileSystem(contents: contents, recording: true)
            let log = try LogFixture(fileSystem)
            log.log.abandon()
            var count = 0
            for operation in 0...fileSystem.operationCount {
                try fileSystem.visitCrashImages(
                    after: operation, seed: 5, randomCount: 8
                ) { image in
                    count += 1
                    let disk = image.makeFileSystem()
                    #expect(try LogFixture(disk, isReadOnly: true).texts() == texts, "\(image)")
                    var again = try LogFixture(disk)
                    #expect(try again.texts() == texts, "\(image)")
                    try again.append("more")
                    try again.log.close()
                    let last = try LogFixture(disk)
                    #expect(last.report.toleratedDamage == [], "\(image)")
                    last.log.abandon()
                }
            }
            #expect(count > 10)
        }
    }
}
