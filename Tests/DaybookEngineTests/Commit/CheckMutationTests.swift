import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookPages
import DaybookTestSupport
import Synchronization
import Testing

/// ``SyncMutationTests`` lists the test that fails if a comparison is removed.
@Suite struct CheckMutationTests {
    /// Returns the closed store with one changed byte in a file.
    private func damaged(
        _ prefix: String, at offset: Int, isLast: Bool = true
    ) throws -> MemoryFileSystem {
        let fileSystem = MemoryFileSystem()
        try NoteStore.filled(fileSystem).closeProven()
        let paths = fileSystem.paths(prefix)
        let path = try #require(isLast ? paths.last : paths.first)
        return fileSystem.afterKill(changing: path) {
            $0[offset < 0 ? $0.count + offset : offset] ^= 4
        }
    }

    @Test func `the header of a segment is verified, including its unused time`() throws {
        let found = try damaged("segment-", at: 50)
        let notes = try NoteStore(found, NoteStore.small)
        #expect(notes.engine.openReport.toleratedDamage.count == 1)
        try notes.closeProven()
    }

    @Test func `the padding of a frame is zero`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("a")
        var scanner = try notes.engine.log.scan(from: nil)
        var length = 0
        while let frame = try scanner.next() { length = frame.header.storedLength }
        // Adds a letter if this frame happens to need no padding.
        try notes.put(LogFormat.padding(after: length) > 0 ? "b" : "bc")
        let end = notes.engine.log.end.offset
        try notes.closeProven()
        let path = try #require(fileSystem.paths("segment-").last)
        let found = fileSystem.afterKill(changing: path) {
            $0[end - LogFormat.trailerLength - 1] ^= 1
        }
        expectError(.corruption) { _ = try NoteStore(found) }
    }

    /// Returns a closed store with an empty active segment, and that segment's path and header.
    private func withEmptyActiveSegment() throws -> (
        fileSystem: MemoryFileSystem, path: String, header: SegmentHeader
    ) {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore.filled(fileSystem, count: 4)
        _ = try notes.engine.compact(.all, sealsActive: true)
        let log = notes.engine.log
        let header = SegmentHeader(
            store: log.store, number: log.manifest.activeNumber,
            firstSequence: log.manifest.activeFirstSequence,
            createdMicroseconds: log.manifest.createdMicroseconds)
        try notes.closeProven()
        let path = NoteStore.path + "/" + log.manifest.activeFileName.text
        #expect(fileSystem.contents[path] == header.encoded().bytes.bytes)
        return (fileSystem, path, header)
    }

    @Test func `a segment of another store, number or first sequence is refused`() throws {
        let (fileSystem, path, header) = try withEmptyActiveSegment()
        var others = [header, header, header]
        others[0].store = StoreIdentity(high: 1, low: 2)
        others[1].number += 1
        others[2].firstSequence += 1
        for other in others {
            // Removes the snapshot, which contains the checksum of the header.
            var files = fileSystem.contents.filter { !$0.key.contains("/snapshot-") }
            files[path] = other.encoded().bytes.bytes
            let found = MemoryFileSystem(contents: files)
            expectError(.corruption) { _ = try NoteStore(found, NoteStore.small) }
        }
    }

    @Test func `a manifest under the name of another generation is refused`() throws {
        let fileSystem = MemoryFileSystem()
        try NoteStore.filled(fileSystem).closeProven()
        let file = ManifestFile(fileSystem: fileSystem, directory: NoteStore.path)
        var manifest = try #require(try file.load()).manifest
        let real = try #require(fileSystem.paths("manifest-").last)
        manifest.generation += 7
        try file.commit(manifest)
        // A complete manifest that CURRENT names with its hash, moved to the name of an older
        // manifest.
        let current = NoteStore.path + "/CURRENT"
        let line = String(decoding: try #require(fileSystem.contents[current]), as: UTF8.self)
        let oldName = try #require(real.split(separator: "/").last)
        let newName = StoreFileName.manifest(generation: manifest.generation).text
        let bytes = MirroredFile.bytes(of: manifest.encoded().bytes)
        let moved = MemoryFileSystem(
            contents: fileSystem.contents.merging([
                real: bytes, current: Array(line.replacing(newName, with: oldName).utf8),
            ]) { _, new in new })
        expectError(.corruption) { _ = try NoteStore(moved, NoteStore.small) }
    }

    @Test func `a frame of a diverged history of the same store is refused`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("the past")
        try notes.closeProven()
        func future(_ letter: String) throws -> (MemoryFileSystem, lastFrame: Range<Int>) {
            let copy = fileSystem.afterKill()
            let notes = try NoteStore(copy)
            try notes.put("one " + letter)
            let start = notes.engine.log.end.offset
            try notes.put("two " + letter)
            let end = notes.engine.log.end.offset
            try notes.closeProven()
            return (copy, start..<end)
        }
        let (one, frame) = try future("a")
        let (other, otherFrame) = try future("b")
        try #require(frame == otherFrame)
        let path = try #require(one.paths("segment-").last)
        let bytes = try #require(other.contents[path])
        let found = one.afterKill(changing: path) { $0.replaceSubrange(frame, with: bytes[frame]) }
        expectError(.corruption) { _ = try NoteStore(found) }
    }

    // Each frame followed the previous one, but the store accepted a segment that another history
    // had written.
    @Test func `a whole segment of a diverged history of the same store is refused`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("the past")
        try notes.closeProven()
        let futures = try ["a", "b"].map { letter in
            let copy = fileSystem.afterKill()
            let notes = try NoteStore(copy)
            try notes.put("one " + letter)
            try notes.closeProven()
            return copy
        }
        let path = try #require(futures[0].paths("segment-").last)
        let bytes = try #require(futures[1].contents[path])
        let found = futures[0].afterKill(changing: path) { $0 = bytes }
        expectError(.corruption) { _ = try NoteStore(found) }
        expectError(.corruption) { _ = try NoteStore(found, access: .read) }
    }

    @Test func `frames that fail their checksum are not sealed`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for number in 0..<3 { try notes.put("note \(number)") }
        let log = notes.engine.log
        let end = log.end
        let segment = try Segment.open(
            log.manifest.activeHeader, in: NoteStore.path, fileSystem, .readWrite)
        func complete() throws -> Int {
            var tail = Tail(startOf: segment)
            tail.offset = end.offset
            tail.hash = nil
            try tail.completeFromFile()
            return tail.recordCount
        }
        #expect(try complete() > 3)
        let middle = (LogFormat.SegmentHeader.length + end.offset) / 2
        let byte = try segment.file.read(1, at: middle)[0]
        try segment.file.write([byte ^ 1].span, at: middle)
        expectError(.corruption) { _ = try complete() }
        try segment.file.write([byte].span, at: middle)
        try notes.closeProven()
    }

    @Test func `a copy with other bytes or another state does not become a store`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        let control = OperationControl()
        _ = try notes.engine.copy(into: "/copy")
        let copied = try Engine.open("/copy", fileSystem, access: .read)
        let entries = copied.log.manifest.sealed
        var hash = XXH64()
        for entry in entries {
            var scanner = try copied.log.scan(entry)
            while let frame = try scanner.next() { hash.update(frame.payload.span) }
        }
        let written = hash.digest()
        func check(_ written: UInt64) throws {
            let state = try notes.engine.replayedState(control)
            _ = try notes.engine.checkedHash(
                of: copied.log, entries, against: state, written, control)
        }
        try check(written)
        expectError(.corruption) { try check(written ^ 1) }
        try notes.put("two")
        expectError(.corruption) { try check(written) }
        try copied.close()
        try notes.closeProven()
    }

    @Test func `the hash of a manifest is verified in the manifest and in CURRENT`() throws {
        let fileSystem = MemoryFileSystem()
        try NoteStore.filled(fileSystem).closeProven()
        let file = ManifestFile(fileSystem: fileSystem, directory: NoteStore.path)
        var manifest = try #require(try file.load()).manifest
        let bytes = manifest.encoded().bytes
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let damaged = changed
            expectError(.corruption) { _ = try Manifest.decode(damaged.span, file: "it") }
        }
        // The manifest is valid, but CURRENT names another one.
        manifest.historyFloor = 1
        let other = MirroredFile.bytes(of: manifest.encoded().bytes)
        let path = try #require(fileSystem.paths("manifest-").last)
        let found = fileSystem.afterKill(changing: path) { $0 = other }
        expectError(.corruption) { _ = try NoteStore(found, NoteStore.small) }
    }

    @Test func `a sealed segment of another length is refused at opening`() throws {
        let fileSystem = MemoryFileSystem()
        try NoteStore.filled(fileSystem).closeProven()
        let path = try #require(fileSystem.paths("segment-").first)
        for change in [-8, 8] {
            let found = fileSystem.afterKill(changing: path) { bytes in
                if change < 0 {
                    bytes.removeLast(-change)
                } else {
                    bytes += [UInt8](repeating: 0, count: 8)
                }
            }
            expectError(.corruption) { _ = try NoteStore(found, NoteStore.small) }
        }
    }

    @Test func `a compaction that wrote wrong bytes fails`() throws {
        let notes = try NoteStore.filled(MemoryFileSystem())
        let entry = try #require(notes.engine.log.manifest.sealed.first)
        try notes.engine.log.verify(entry)
        var other = entry
        other.hash ^= 1
        let wrong = other
        expectError(.corruption) { try notes.engine.log.verify(wrong) }
        try notes.closeProven()
    }

    @Test func `a compaction on a disk that stores wrong bytes changes nothing`() throws {
        let disk = SpoilingFileSystem(base: MemoryFileSystem())
        let notes = try NoteStore.filled(disk)
        let (before, manifest) = (try notes.all(), notes.engine.log.manifest)
        disk.spoils.store(true, ordering: .relaxed)
        expectError(.corruption) { _ = try notes.engine.compact(.all) }
        disk.spoils.store(false, ordering: .relaxed)
        #expect(notes.engine.log.manifest.sealed == manifest.sealed)
        #expect(try notes.all() == before)
        try notes.closeProven()
    }

    @Test func `verification reads everything, including the seal of a segment`() throws {
        let fileSystem = MemoryFileSystem()
        try NoteStore.filled(fileSystem).closeProven()
        #expect(try Engine.verify(NoteStore.path, fileSystem).findings == [])
        let path = try #require(fileSystem.paths("segment-").first)
        let found = fileSystem.afterKill(changing: path) { $0[$0.count - 1] ^= 1 }
        let report = try Engine.verify(NoteStore.path, found)
        #expect(report.findings.map(\.severity) == [.corruption])
        #expect(report.findings.allSatisfy { path.hasSuffix("/" + $0.subject) })
    }

    @Test func `a snapshot over frames that changed is corruption`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for number in 0..<5 { try notes.put("note \(number)") }
        let end = notes.engine.log.end.offset
        try notes.engine.writeSnapshot()
        let path = try #require(fileSystem.paths("segment-").last)
        let found = fileSystem.afterKill(changing: path) { $0[end - 1] ^= 1 }
        expectError(.corruption) { _ = try NoteStore(found) }
        try notes.closeProven()
    }

    /// Returns a snapshot with one pair of numbers.
    private func snapshot(_ key: UInt64, value: UInt64) throws -> [UInt8] {
        let fileSystem = MemoryFileSystem()
        let space = PageSpace()
        space.begin(sequence: key)
        try space.put(1, key, WordValue(first: key, second: value))
        space.publish(space.end())
        let file = try fileSystem.open("/s", .create)
        _ = try space.capture().write(to: file, metadata: [1])
        return try file.read(try file.size(), at: 0)
    }

    private func open(snapshot bytes: [UInt8]) throws {
        let fileSystem = MemoryFileSystem(contents: ["/s": bytes])
        _ = try PageSpace.open(snapshot: try fileSystem.open("/s", .read))
    }

    @Test func `the header and the trailer of a snapshot must match`() throws {
        let (one, other) = (try snapshot(1, value: 1), try snapshot(2, value: 2))
        try #require(one.count == other.count)
        try open(snapshot: one)
        // The header of one snapshot with the groups, metadata, directory and trailer of the other.
        expectError(.corruption) { try open(snapshot: Array(one[..<64] + other[64...])) }
        // Flips each bit of header and trailer.
        for index in Array(0..<64) + Array((one.count - 80)..<one.count) {
            var changed = one
            changed[index] ^= 1
            let damaged = changed
            expectError(.corruption) { try open(snapshot: damaged) }
        }
    }

    @Test func `the directory and the trailer of a snapshot must match`() throws {
        // Two snapshots of one version, so that header and metadata are equal.
        let (one, other) = (try snapshot(1, value: 1), try snapshot(1, value: 2))
        try #require(one.count == other.count && one[..<64] == other[..<64])
        try open(snapshot: other)
        // The groups and their directory, with the trailer of the other snapshot.
        expectError(.corruption) { try open(snapshot: other.dropLast(80) + one.suffix(80)) }
    }
}
