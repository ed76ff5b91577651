import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct ManifestTests {
    private var manifest: Manifest {
        var manifest = Manifest(
            store: StoreIdentity(high: 1, low: 2), createdMicroseconds: 1_234_567)
        manifest.generation = 9
        manifest.sealed = [
            SegmentEntry(
                number: 1, firstSequence: 1, lastSequence: 10, length: 4096, hash: 7,
                sealOffset: 4000, rawBytes: 9000, recordCount: 30, isBlocked: true),
            SegmentEntry(
                number: 3, firstSequence: 11, lastSequence: 12, length: 128, hash: 8,
                sealOffset: 64, rawBytes: 20, recordCount: 2, isBlocked: false),
        ]
        manifest.activeNumber = 4
        manifest.activeFirstSequence = 13
        manifest.nextSegmentNumber = 6
        manifest.historyFloor = 4
        manifest.durableSequence = 12
        manifest.cleanClose = .init(sequence: 15, length: 640, check: 99)
        return manifest
    }

    @Test func `a manifest round-trips`() throws {
        let bytes = manifest.encoded()
        #expect(try Manifest.decode(bytes.span, file: "m") == manifest)
        var bare = Manifest(store: StoreIdentity(high: 3, low: 4), createdMicroseconds: 0)
        bare.generation = 1
        let short = bare.encoded()
        #expect(try Manifest.decode(short.span, file: "m") == bare)
    }

    @Test func `a manifest round-trips with a copy of the end of the log`() throws {
        var copying = manifest
        copying.cleanClose = nil
        copying.tailCopy = .init(sequence: 15, offset: 640, bytes: [1, 2, 3])
        #expect(try Manifest.decode(copying.encoded().span, file: "m") == copying)
        let changes: [(inout Manifest.TailCopy) -> Void] = [
            { $0.sequence = 0 }, { $0.sequence = .max }, { $0.bytes = [] }, { $0.offset = 63 },
            { $0.offset = .max - 2 },
        ]
        for change in changes {
            var wrong = copying
            change(&wrong.tailCopy!)
            let bytes = wrong.encoded()
            expectError(.corruption) { _ = try Manifest.decode(bytes.span, file: "m") }
        }
    }

    @Test func `a manifest with any changed or missing byte is corruption`() throws {
        let bytes = manifest.encoded().bytes
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x20
            expectError(.corruption) { _ = try Manifest.decode(damaged.span, file: "m") }
        }
        for count in stride(from: 0, to: bytes.count, by: 7) {
            let cut = Array(bytes.prefix(count))
            expectError(.corruption) { _ = try Manifest.decode(cut.span, file: "m") }
        }
    }

    @Test func `an inconsistent manifest with a valid hash is corruption`() throws {
        let changes: [(inout Manifest) -> Void] = [
            { $0.activeNumber = $0.nextSegmentNumber },
            { $0.nextSegmentNumber = .max },
            { $0.activeFirstSequence = 3 },
            { $0.activeFirstSequence = .max },
            { $0.sealed.swapAt(0, 1) },
            { $0.sealed[0].lastSequence = 0 },
            { $0.sealed[0].firstSequence = 0 },
            { $0.sealed[1].lastSequence = .max },
            { $0.sealed[1].length = 10 },
            { $0.sealed[0].sealOffset = 5000 },
            { $0.sealed[1].sealOffset = 0 },
            { $0.sealed[0].number = .max },
            { $0.generation = .max },
            { $0.generation = .max / 2 + 1 },
            { $0.sealed[1].number = 1 },
            { $0.sealed[1].number = $0.activeNumber },
            {  // Two segments in one slot.
                $0.activeNumber = SegmentNumber.slotCount + $0.sealed[1].number
                $0.nextSegmentNumber = $0.activeNumber + 1
            },
            { $0.sealed[1].number = $0.nextSegmentNumber },
            { $0.sealed[0].rawBytes = 1 << 45 },
        ]
        for (number, change) in changes.enumerated() {
            var wrong = manifest
            change(&wrong)
            let bytes = wrong.encoded()
            let error = expectError(.corruption) { _ = try Manifest.decode(bytes.span, file: "m") }
            #expect(error?.details["file"] == "m", "change \(number)")
        }
    }

    @Test func `a newer format is distinguished from damage`() throws {
        var bytes = manifest.encoded().bytes
        bytes[18] = 9  // the oldest reader
        bytes[16] = 9
        let check = XXH64.hash(bytes.span.extracting(0..<(bytes.count - 8)))
        for index in 0..<8 {
            bytes[bytes.count - 8 + index] = UInt8(truncatingIfNeeded: check >> (8 * UInt64(index)))
        }
        let error = expectError(.formatTooNew) { _ = try Manifest.decode(bytes.span, file: "m") }
        #expect(error?.details["format"] == "9")
    }

    @Test func `CURRENT contains the manifest's name and hash`() throws {
        let fileSystem = MemoryFileSystem()
        try fileSystem.createDirectory("/d")
        let file = ManifestFile(fileSystem: fileSystem, directory: "/d")
        #expect(try file.load() == nil)
        try file.commit(manifest)
        #expect(try file.load(checksCopies: true)?.manifest == manifest)
        #expect(try file.load(checksCopies: true)?.damage == [])
        let name = StoreFileName.manifest(generation: 9).text
        let bytes = try #require(fileSystem.contents["/d/CURRENT"])
        #expect(bytes.count == 8192 && bytes.prefix(4096) == bytes.suffix(4096))
        let line = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #expect(line.hasPrefix("daybook \(name) "))
        #expect(line.hasSuffix("\n"))

        let lines = [
            "", "\n", "daybook\n", "daybook \(name)\n", String(line.dropLast()),
            line.replacing(" ", with: "  "), line.replacing(name, with: "manifest-0000000008"),
            line.replacing(name, with: "../../etc/passwd"), line.uppercased(),
        ]
        for text in lines {
            let image = fileSystem.afterKill(changing: "/d/CURRENT") {
                $0 = MirroredFile.bytes(of: Array(text.utf8))
            }
            expectError(.corruption) {
                _ = try ManifestFile(fileSystem: image, directory: "/d").load()
            }
        }
    }

    @Test func `a manifest that cannot be written leaves no temporary file`() throws {
        for operation in [FaultFileSystem.Operation.write, .sync, .rename] {
            for call in 1...2 {
                let memory = MemoryFileSystem()
                try memory.createDirectory("/d")
                let faulty = FaultFileSystem(
                    memory, failingCall: call, fault: .errno(28), persistence: .once,
                    counting: [operation])
                #expect(throws: DaybookError.self) {
                    try ManifestFile(fileSystem: faulty, directory: "/d").commit(manifest)
                }
                let names = try memory.list("/d")
                #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(operation) \(call)")
            }
        }
    }

    @Test func `a manifest that was swapped for an older one is detected`() throws {
        let fileSystem = MemoryFileSystem()
        try fileSystem.createDirectory("/d")
        let file = ManifestFile(fileSystem: fileSystem, directory: "/d")
        var older = manifest
        older.historyFloor = 0
        try file.commit(manifest)
        let image = fileSystem.afterKill(changing: "/d/manifest-0000000009") {
            $0 = MirroredFile.bytes(of: older.encoded().bytes)
        }
        expectError(.corruption) { _ = try ManifestFile(fileSystem: image, directory: "/d").load() }
    }
}
