import Daybook
import DaybookArchive
import Foundation
import ReplicationTestSupport
import Testing

@Suite struct RetentionTests {
    @Test func `a purge keeps every moment after a base`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver(segmentSizeBytesMax: 1)
            var bases: [UInt64] = []
            for number in 0..<9 {
                try notes.put(["note \(number)"])
                try await archiver.push()
                if number % 3 == 2 { bases.append(try await archiver.addBase()) }
            }
            let archive = try await Archive.open(notes.storage)
            let nothing = try await archive.purge(before: .sequence(bases[0] - 1))
            #expect(nothing.baseSequence == nil && nothing.objectCount == 0)
            let purge = try await archive.purge(before: .sequence(bases[1] + 1))
            #expect(purge.baseSequence == bases[1])
            #expect(purge.baseCount == 1)
            let status = try await archive.status()
            let last = try notes.store.sequence
            #expect(status.bases.map(\.sequence) == Array(bases[1...]))
            #expect(status.sequences == (bases[1] + 1)...last)
            #expect(try await archive.verify().isIntact)
            for (count, sequence) in (bases[1]...last).enumerated() {
                let restored = try await notes.restored(
                    until: .sequence(sequence), name: "restored-\(sequence)")
                #expect(restored.count == 6 + count)
            }
            // The base still has the history of the store before it.
            let earlier = try await notes.restored(until: .sequence(bases[0]), name: "earlier")
            #expect(earlier == ["note 0", "note 1", "note 2"])
            // Archiving continues, by this archiver and by a new one.
            try notes.put(["last"])
            #expect(try await archiver.push() == notes.store.sequence)
            try notes.put(["very last"])
            #expect(try await notes.archiver().push() == notes.store.sequence)
            #expect(try await notes.restored().count == 11)
        }
    }

    @Test func `erased history leaves the archive with a base and a purge`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver()
            let id = try notes.put(["a secret"])[0]
            try notes.put(["public"])
            try await archiver.addBase()
            let box = notes.store.box(for: Note.self)
            let note = try #require(try await box.get(id))
            note.text = "redacted"
            try await box.put(note)
            try await archiver.push()
            try await notes.store.compact(keeping: .latest)
            let base = try await archiver.addBase()
            let last = try notes.store.sequence
            #expect(base == last)
            let archive = try await Archive.open(notes.storage)
            try await archive.purge(before: .sequence(base))
            let status = try await archive.status()
            #expect(status.segmentCount == 0 && status.bases.map(\.sequence) == [base])
            #expect(try await archive.verify().isIntact)
            let path = directory.file("restored")
            try await archive.restore(to: URL(filePath: path))
            let restored = try await Store(path: path, entities: [Note.self])
            let versions = try await restored.box(for: Note.self).history(of: id)
            let texts = try versions.compactMap { try $0.object?.text }
            #expect(texts == ["redacted"])
            // The archive continues after the base.
            try notes.put(["later"])
            try await archiver.push()
            let continued = try await notes.restored(name: "continued")
            #expect(continued == ["later", "public", "redacted"])
        }
    }

    @Test func `an archive of a compacted store begins with a base`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let box = notes.store.box(for: Note.self)
            let note = Note("first")
            for text in ["first", "second", "third"] {
                note.text = text
                try await box.put(note)
            }
            try await notes.store.compact(keeping: .latest)
            let archiver = try await notes.archiver()
            let error = await #expect(throws: DaybookError.self) { try await archiver.push() }
            #expect(error?.code == .historyTruncated)
            let base = try await archiver.addBase()
            try notes.put(["later"])
            #expect(try await archiver.push() == notes.store.sequence)
            let archive = try await Archive.open(notes.storage)
            #expect(try await archive.verify().gaps == [1...base])
            #expect(try await notes.restored() == ["later", "third"])
            let earlier = try await notes.restored(until: .sequence(base), name: "earlier")
            #expect(earlier == ["third"])
            // An archiver that starts again continues.
            try notes.put(["last"])
            #expect(try await notes.archiver().push() == notes.store.sequence)
            #expect(try await notes.restored(name: "all") == ["last", "later", "third"])
        }
    }

    @Test func `history that was dropped before it was archived is a gap`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver()
            try notes.put(["one"])
            try await archiver.push()
            let archived = try notes.store.sequence
            let box = notes.store.box(for: Note.self)
            let note = Note("first")
            for text in ["first", "second"] {
                note.text = text
                try await box.put(note)
            }
            try await notes.store.compact(keeping: .latest)
            let base = try await archiver.addBase()
            try notes.put(["later"])
            try await archiver.push()
            let archive = try await Archive.open(notes.storage)
            let verification = try await archive.verify()
            #expect(verification.isIntact)
            #expect(verification.gaps == [(archived + 1)...base])
            #expect(try await notes.restored() == ["later", "one", "second"])
            let before = try await notes.restored(until: .sequence(archived), name: "before")
            #expect(before == ["one"])
            let error = await #expect(throws: DaybookError.self) {
                _ = try await notes.restored(until: .sequence(base - 1), name: "missing")
            }
            #expect(error?.code == .archiveIncomplete)
            #expect(!FileManager.default.fileExists(atPath: directory.file("missing")))
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(!left.contains { $0.hasPrefix("missing") })
        }
    }
}
