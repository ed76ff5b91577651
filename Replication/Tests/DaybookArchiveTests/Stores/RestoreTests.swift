import Daybook
import DaybookArchive
import Foundation
import ReplicationTestSupport
import Testing

@Suite struct RestoreTests {
    @Test func `a store is restored from its archive`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            try notes.put(["one", "two", "three"])
            let archiver = try await notes.archiver()
            #expect(try await archiver.push() == notes.store.sequence)
            try notes.put(["four"])
            #expect(try await archiver.push() == notes.store.sequence)
            #expect(archiver.status.segmentCount == 2)
            #expect(try await notes.restored() == ["four", "one", "three", "two"])
        }
    }

    @Test func `every sequence can be restored`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver(segmentSizeBytesMax: 300)
            var expected: [UInt64: [String]] = [:]
            for number in 0..<12 {
                try notes.put(["note \(number)"])
                expected[try notes.store.sequence] = try ArchivedNotes.texts(notes.store)
                if number.isMultiple(of: 5) { try await archiver.push() }
            }
            try await archiver.push()
            #expect(archiver.status.segmentCount > 3)
            for (sequence, texts) in expected {
                let restored = try await notes.restored(
                    until: .sequence(sequence), name: "restored-\(sequence)")
                #expect(restored == texts)
            }
        }
    }

    @Test func `a time is restored with and without a base`() async throws {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver(segmentSizeBytesMax: 1)
            var moments: [(date: Date, texts: [String])] = []
            for number in 0..<9 {
                try notes.put(["note \(number)"])
                moments.append((Date.now, try ArchivedNotes.texts(notes.store)))
                try await Task.sleep(for: .milliseconds(2))
                if number == 2 || number == 5 { try await archiver.addBase() }
            }
            try await archiver.push()
            #expect(try await Archive.open(notes.storage).status().bases.count == 2)
            for (index, moment) in moments.enumerated() {
                let restored = try await notes.restored(
                    until: .date(moment.date), name: "restored-\(index)")
                #expect(restored == moment.texts)
            }
        }
    }
}
