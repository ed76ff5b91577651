import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookTesting
import DaybookTestSupport
import Testing

/// Verification on a disk with unreadable parts: it still checks all readable parts.
@Suite struct VerificationFaultTests {
    /// Returns the files of a closed store with several segments and snapshots.
    private func files() throws -> MemoryFileSystem {
        let files = MemoryFileSystem()
        for round in 0..<2 {
            let notes = try NoteStore(files) {
                $0.log.segmentSizeBytes = 8 << 10
                $0.snapshotChangeCountMin = 0
            }
            for index in 0..<100 { try notes.put("note \(index) of round \(round), and more") }
            try notes.engine.close()
        }
        return files
    }

    @Test(arguments: [FaultFileSystem.Persistence.once, .forever])
    func `a failed read is a finding and does not end the verification`(
        persistence: FaultFileSystem.Persistence
    ) throws {
        let files = try files()
        #expect(try Engine.verify(NoteStore.path, files).findings == [])
        var call = 0
        var findingCounts: Set<Int> = []
        while true {
            call += 1
            let faulty = FaultFileSystem(
                files, failingCall: call, fault: .errno(5), persistence: persistence,
                counting: [.read, .size, .open, .list])
            let report = try Engine.verify(NoteStore.path, faulty)
            guard faulty.hasFailed else { break }
            // A read that succeeds when it is repeated is no finding.
            #expect(persistence == .once || !report.findings.isEmpty, "call \(call)")
            #expect(report.findings.allSatisfy { !$0.message.isEmpty })
            findingCounts.insert(report.findings.count)
        }
        #expect(call > 30)
        #expect(persistence == .once || findingCounts.contains { $0 > 3 })
    }

    @Test func `damage that costs nothing is repairable, and the next opening repairs it`() throws {
        let files = try files()
        let names = files.paths("manifest-") + files.paths("CURRENT") + files.paths("segment-")
        #expect(names.count > 4)
        for path in names {
            let name = try #require(path.split(separator: "/").last).description
            let found = files.afterKill(changing: path) { $0[21] ^= 1 }
            let report = try Engine.verify(NoteStore.path, found)
            #expect(report.findings.map(\.subject) == [name])
            #expect(report.severity == .repairable)
            #expect(report.findings[0].message.contains("No other data depends on these bytes."))
            let notes = try NoteStore(found)
            let damage = notes.engine.openReport.toleratedDamage
            #expect(damage.count == 1 && damage[0].hasPrefix(name + ": "))
            try notes.engine.close()
            #expect(try Engine.verify(NoteStore.path, found).findings == [])
        }
    }

    @Test func `damage that costs nothing is reported next to other damage`() throws {
        let files = try files()
        let segments = files.paths("segment-")
        var contents = files.contents
        contents[segments[0]]?[21] ^= 1
        contents[segments[0]]?[200] ^= 1
        // The store does not open.
        contents[try #require(segments.last)]?.removeLast(8)
        contents[try #require(files.paths("CURRENT").first)]?[9] ^= 1
        let report = try Engine.verify(NoteStore.path, MemoryFileSystem(contents: contents))
        #expect(report.findings.contains { $0.subject == "CURRENT" && $0.severity == .repairable })
        #expect(report.findings.count { $0.severity == .corruption } == 2)
    }

    @Test func `damage is reported even if another segment cannot be read`() throws {
        let files = try files()
        let segments = files.paths("segment-")
        let damaged = files.afterKill(changing: segments[2]) { $0[$0.count / 2] ^= 1 }
        let report = try Engine.verify(
            NoteStore.path, UnreadableFile(base: damaged, path: segments[0]))
        let subjects = report.findings.filter { $0.severity == .corruption }.map(\.subject)
        for path in [segments[0], segments[2]] {
            #expect(subjects.contains { path.hasSuffix("/" + $0) })
        }
    }
}

/// A file system with one file that is unreadable from the middle on.
private struct UnreadableFile: ForwardingFileSystem {
    let base: any FileSystem
    let path: String

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let file = try base.open(path, mode)
        return path == self.path ? UnreadableHalf(base: file, path: path) : file
    }
}

private final class UnreadableHalf: ForwardingFile {
    let base: any File
    private let path: String

    init(base: any File, path: String) {
        self.base = base
        self.path = path
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        if try offset + count > base.size() / 2 {
            throw .operatingSystem(errno: 5, operation: "read", path: path)
        }
        return try base.read(count, at: offset)
    }
}
