import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Testing

/// Past versions that are kept for the next call.
@Suite struct PastVersionsTests {
    private static let objectCount = 8_000
    private let disk = CountingDisk(MemoryFileSystem())

    /// A store with a bulk import and many small commits after it; returns the sequence of the
    /// import.
    private func changed(
        commits: Int, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> (notes: NoteStore, past: UInt64) {
        let notes = try NoteStore(disk) { options in
            options.log.frameCacheBudgetBytes = 0
            change(&options)
        }
        let text = String(repeating: "text ", count: 100)
        try notes.engine.write { transaction in
            for number in 0..<Self.objectCount {
                try notes.put("\(number) " + text, in: transaction)
            }
        }
        let past = try notes.engine.visibleSequence
        for number in 0..<commits { try notes.put("new \(number) " + text, id: id(of: number)) }
        return (notes, past)
    }

    private func id(of number: Int) -> UInt64 { UInt64(number * 37 % Self.objectCount) + 1 }

    @Test func `moving to the next commit reads the log near it`() throws {
        let (notes, past) = try changed(commits: 400)
        let step = 20
        _ = try notes.engine.view(at: past + 200)
        for sequence in [past + 201, past + 202, past + 200, past + 199, past + 220] {
            let before = disk.readByteCount.load(ordering: .relaxed)
            let view = try notes.engine.view(at: sequence)
            let bytes = disk.readByteCount.load(ordering: .relaxed) - before
            // Without the kept version, each view reads hundreds of commits, or the import.
            #expect(bytes < notes.engine.log.lengthBytes / 8)
            let number = Int(sequence - past) - 1
            for near in (number - step)...(number + step) {
                let row = try #require(try view.row(notes.entity, id(of: near)))
                let isNew = try notes.text(of: row).hasPrefix("new \(near) ")
                #expect(isNew == (near <= number))
            }
        }
        try notes.closeProven()
    }

    private func cursors(_ notes: NoteStore) -> [UInt64] {
        notes.engine.pastVersions.withLock { $0.cursors.map(\.sequence).sorted() }
    }

    private func check(_ notes: NoteStore, _ past: UInt64, at number: UInt64) throws {
        let view = try notes.engine.view(at: past + number)
        for near in (Int(number) - 10)..<(Int(number) + 10) {
            let row = try #require(try view.row(notes.entity, id(of: near)))
            #expect(try notes.text(of: row).hasPrefix("new \(near) ") == (near < number))
        }
    }

    @Test func `a version is made from the nearest of the last ones, which stay where they are`()
        throws
    {
        let (notes, past) = try changed(commits: 2_500)
        try check(notes, past, at: 300)
        try check(notes, past, at: 2_000)
        #expect(cursors(notes) == [past + 300, past + 2_000])
        try check(notes, past, at: 1_000)
        #expect(cursors(notes) == [past + 300, past + 1_000, past + 2_000])
        // A short way moves the nearest one.
        let moves: [(to: UInt64, result: [UInt64])] = [
            (320, [320, 1_000, 2_000]), (1_990, [320, 1_000, 1_990]),
        ]
        for (number, result) in moves {
            let bytes = try disk.readBytes { _ = try notes.engine.view(at: past + number) }
            #expect(bytes < notes.engine.log.lengthBytes / 10)
            #expect(cursors(notes) == result.map { past + $0 })
            try check(notes, past, at: number)
        }
        for number in 0..<30 { try check(notes, past, at: UInt64(50 + number * 1_019 % 2_400)) }
        #expect(cursors(notes).count <= PastVersions.cursorCountMax)
        try notes.closeProven()
    }

    @Test func `a move back takes the preceding versions from another past version`() throws {
        let (notes, past) = try changed(commits: 2_500)
        try check(notes, past, at: 300)
        try check(notes, past, at: 2_000)
        // The preceding versions of the last 200 commits are everywhere in the import.
        let bytes = try disk.readBytes { _ = try notes.engine.view(at: past + 1_800) }
        #expect(bytes < notes.engine.log.lengthBytes / 10)
        try check(notes, past, at: 1_800)
        #expect(cursors(notes) == [past + 300, past + 1_800])
        try notes.closeProven()
    }

    @Test func `a version that was read last is returned again`() throws {
        let (notes, past) = try changed(commits: 20)
        let first = try notes.engine.view(at: past + 10)
        let second = try notes.engine.view(at: past + 12)
        #expect(try notes.engine.view(at: past + 10) === first)
        #expect(try notes.engine.view(at: past + 12) === second)
        #expect(try first.sequence == past + 10)
        for sequence in (past + 1)...(past + 4) { _ = try notes.engine.view(at: sequence) }
        #expect(try notes.engine.view(at: past + 10) !== first)
        try notes.closeProven()
    }

    private func isEmpty(_ notes: NoteStore) -> Bool {
        notes.engine.pastVersions.withLock { $0.isEmpty }
    }

    @Test func `kept versions end with a compaction, a large commit, many commits and closing`()
        throws
    {
        let (notes, past) = try changed(commits: 20)
        func keep() throws {
            _ = try notes.engine.view(at: past + 10)
            #expect(!isEmpty(notes))
        }
        try keep()
        try notes.engine.write { transaction in
            for number in 0..<2_000 {
                try notes.put(String(repeating: "\(number)", count: 100), in: transaction)
            }
        }
        #expect(isEmpty(notes))
        try keep()
        for number in 0...Int(PastVersions.commitCountMax) {
            #expect(!isEmpty(notes))
            try notes.put("\(number)")
        }
        #expect(isEmpty(notes))
        try keep()
        _ = try notes.engine.compact(.all, sealsActive: true)
        #expect(isEmpty(notes))
        #expect(!notes.engine.slot.current.isRead)
        try keep()
        try notes.closeProven()
        #expect(isEmpty(notes))
    }

    @Test func `a version that was interrupted on its way is not kept`() throws {
        let (notes, past) = try changed(commits: 20)
        _ = try notes.engine.view(at: past + 10)
        for sequence in [past + 15, past + 5] {
            expectError(.interrupted) {
                _ = try notes.engine.pastView(
                    at: sequence, OperationControl(isCancelled: { true }))
            }
            #expect(notes.engine.pastVersions.withLock { $0.cursors.isEmpty })
            #expect(try notes.engine.view(at: sequence).sequence == sequence)
        }
        try notes.closeProven()
    }
}
