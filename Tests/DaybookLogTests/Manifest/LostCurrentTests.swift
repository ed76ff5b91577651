import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Without CURRENT, the newest manifest is in force if its files are complete.
@Suite struct LostCurrentTests {
    private let current = LogFixture.path + "/" + StoreFileName.current.text

    /// A log with sealed segments and a tail.
    private func log(_ fileSystem: MemoryFileSystem, isClosed: Bool = false) throws -> [String] {
        var log = try LogFixture(fileSystem) { $0.segmentSizeBytes = 512 }
        try log.append(count: 10)
        try log.log.durability?.wait(for: log.sequence)
        if isClosed { try log.log.close() } else { log.log.abandon() }
        return (1...10).map { "text \($0)" }
    }

    /// The same files with CURRENT missing, and with damage in both copies.
    private func without(_ fileSystem: MemoryFileSystem) -> [MemoryFileSystem] {
        var contents = fileSystem.contents
        contents[current] = nil
        let damaged = fileSystem.afterKill(changing: current) { bytes in
            bytes[3] ^= 1
            bytes[MirroredFile.sectorBytes + 12] ^= 1
        }
        let empty = fileSystem.afterKill(changing: current) { $0 = [] }
        return [MemoryFileSystem(contents: contents), damaged, empty]
    }

    @Test(arguments: [false, true])
    func `a lost CURRENT costs nothing`(isClosed: Bool) throws {
        let fileSystem = MemoryFileSystem()
        let texts = try log(fileSystem, isClosed: isClosed)
        for image in without(fileSystem) {
            let reader = try LogFixture(image, isReadOnly: true)
            #expect(try reader.texts() == texts)
            #expect(reader.report.toleratedDamage.map(\.file) == ["CURRENT"])
            var writer = try LogFixture(image)
            #expect(writer.log.store == reader.log.store)
            #expect(writer.report.toleratedDamage.map(\.file) == ["CURRENT"])
            #expect(writer.report.wasClosedCleanly == isClosed)
            try writer.append("more")
            writer.log.abandon()
            let again = try LogFixture(image)
            #expect(try again.texts() == texts + ["more"])
            #expect(again.report.toleratedDamage == [])
        }
    }

    @Test func `a lost CURRENT of a store with other files is not mistaken for a new store`() throws
    {
        let fileSystem = MemoryFileSystem()
        let texts = try log(fileSystem)
        try fileSystem.createDirectory("/log/consumers")
        try fileSystem.remove(current)
        #expect(try LogFixture(fileSystem).texts() == texts)
    }

    @Test func `without CURRENT, an incomplete manifest is corruption`() throws {
        let fileSystem = MemoryFileSystem()
        _ = try log(fileSystem)
        let segments = fileSystem.paths("segment-")
        let manifest = try #require(fileSystem.paths("manifest-").last)
        let found = try ManifestFile(fileSystem: fileSystem, directory: LogFixture.path).load()
        let seal = try #require(found?.manifest.sealed.last)
        let later = "/log/" + StoreFileName.segment(firstSequence: 9, number: 99).text
        let changes: [(inout [String: [UInt8]]) -> Void] = [
            { $0[segments[0]] = nil },
            { $0[segments.last!] = nil },
            { $0[segments[0]]!.removeLast() },
            { $0[segments[0]]!.append(0) },
            { $0["/log/" + seal.fileName.text]![seal.sealOffset + 20] ^= 1 },
            {
                $0[manifest]![50] ^= 1; $0[manifest]![MirroredFile.sectorBytes + 50] ^= 1
            },
            { $0[manifest] = nil },
            { $0[later] = [UInt8](repeating: 1, count: 80) },
        ]
        for (number, change) in changes.enumerated() {
            for image in without(fileSystem) {
                var contents = image.contents
                let isMissing = contents[current] == nil
                change(&contents)
                let found = MemoryFileSystem(contents: contents)
                expectError(.corruption) { _ = try LogFixture(found) }
                expectError(isMissing ? .notAStore : .corruption) {
                    _ = try LogFixture(found, isReadOnly: true)
                }
                #expect(found.contents == contents, "change \(number)")
            }
        }
    }

    // Both manifests exist between the two steps of a commit. Whichever is used, no commit that
    // returned may be missing.
    @Test func `at no moment does a lost CURRENT lose a commit that returned`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        // The number of operations after which each commit was durable.
        var durable: [Int] = []
        for round in 0..<4 {
            var log = try LogFixture(fileSystem) { $0.segmentSizeBytes = 512 }
            for _ in 0..<6 {
                try log.append("text \(log.sequence + 1)")
                try log.log.durability?.wait(for: log.sequence)
                durable.append(fileSystem.operationCount)
            }
            if round == 1 { try log.log.close() } else { log.log.abandon() }
        }
        var (openedCount, refusedCount) = (0, 0)
        for operation in 0...fileSystem.operationCount {
            let returnedCount = durable.count { $0 <= operation }
            try fileSystem.visitCrashImages(after: operation, seed: 3, randomCount: 4) { image in
                var contents = image.makeFileSystem().contents
                contents[current] = nil
                let disk = MemoryFileSystem(contents: contents)
                do {
                    let texts = try LogFixture(disk).texts()
                    openedCount += 1
                    #expect(texts.count >= returnedCount, "\(image)")
                    #expect(texts == (0..<texts.count).map { "text \($0 + 1)" }, "\(image)")
                } catch let error as DaybookError {
                    refusedCount += 1
                    #expect(error.code == .corruption, "\(image): \(error)")
                }
            }
        }
        #expect(openedCount > 10 * refusedCount)
    }

    @Test func `an opening removes a manifest that CURRENT does not name`() throws {
        let fileSystem = MemoryFileSystem()
        let texts = try log(fileSystem)
        let file = ManifestFile(fileSystem: fileSystem, directory: LogFixture.path)
        var other = try #require(try file.load()).manifest
        other.generation += 3
        try file.writeUnnamed(other)
        let log = try LogFixture(fileSystem)
        #expect(try log.texts() == texts)
        #expect(log.log.manifest.generation < other.generation)
        #expect(fileSystem.paths("manifest-").count == 1)
    }
}
