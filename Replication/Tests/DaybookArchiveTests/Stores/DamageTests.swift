import Daybook
import DaybookArchive
import Foundation
import ReplicationTestSupport
import Testing

@Suite struct DamageTests {
    private static let damageCodes: Set<DaybookError.Code> = [
        .corruption, .formatTooNew, .archiveIncomplete, .archiveNotFound, .historyOfAnotherStore,
    ]

    /// An archive with two bases and a log.
    private func archived(_ directory: TestDirectory) async throws -> ArchivedNotes {
        let notes = try ArchivedNotes(in: directory)
        let archiver = try await notes.archiver(segmentSizeBytesMax: 1)
        for number in 0..<6 {
            try notes.put(["note \(number)"])
            if number == 2 { try await archiver.addBase() }
        }
        try await archiver.push()
        return notes
    }

    @Test func `each damaged byte of an archive is found`() async throws {
        try await TestDirectory.with { directory in
            let notes = try await archived(directory)
            let whole = try ArchivedNotes.texts(notes.store)
            let archive = try await Archive.open(notes.storage)
            let entries = try await notes.storage.list(prefix: "", after: nil, countMax: 1000)
            #expect(entries.count > 8)
            var number = 0
            for entry in entries where entry.sizeBytes > 0 && entry.key != "archive.json" {
                let url = URL(filePath: notes.storage.path + "/" + entry.key)
                let original = try Data(contentsOf: url)
                let step = max(1, original.count / 12)
                for offset in stride(from: 0, to: original.count, by: step) {
                    var damaged = original
                    damaged[offset] ^= 1 << (offset % 8)
                    try damaged.write(to: url)
                    let verification = try await archive.verify()
                    #expect(!verification.isIntact, "\(entry.key) at \(offset)")
                    number += 1
                    guard number.isMultiple(of: 7) else { continue }
                    await expectDamageOr(whole, notes, "restored-\(number)")
                }
                try original.write(to: url)
            }
            #expect(try await archive.verify().isIntact)
        }
    }

    /// Expects that a restoration throws an error about damage, or does not need the damaged
    /// object.
    private func expectDamageOr(
        _ whole: [String], _ notes: ArchivedNotes, _ name: String
    ) async {
        do {
            let restored = try await notes.restored(name: name)
            #expect(restored == whole)
        } catch {
            let code = (error as? DaybookError)?.code
            #expect(code.map(Self.damageCodes.contains) == true, "\(error)")
            #expect(!FileManager.default.fileExists(atPath: notes.directory.file(name)))
        }
    }

    @Test func `a missing object is found`() async throws {
        try await TestDirectory.with { directory in
            let notes = try await archived(directory)
            let whole = try ArchivedNotes.texts(notes.store)
            let archive = try await Archive.open(notes.storage)
            let entries = try await notes.storage.list(prefix: "", after: nil, countMax: 1000)
            let last = entries.last { $0.key.hasPrefix("log/") }
            let first = entries.first { $0.key.hasPrefix("log/") }
            for (number, entry) in entries.enumerated() {
                // The archive ends earlier without its last segment, as if it was never written,
                // and begins with the base without its first one. A base without its description
                // does not exist.
                guard entry != last, entry != first, !entry.key.hasPrefix("bases/"),
                    entry.key != "archive.json"
                else { continue }
                let bytes = try #require(try await notes.storage.read(entry.key, nil))
                try await notes.storage.remove(entry.key)
                if entry.sizeBytes > 0 {
                    #expect(try await !archive.verify().isIntact, "\(entry.key)")
                }
                await expectDamageOr(whole, notes, "restored-\(number)")
                #expect(try await notes.storage.create(entry.key, bytes))
            }
            #expect(try await archive.verify().isIntact)
        }
    }

    @Test func `a base cannot write outside its directory`() async throws {
        try await TestDirectory.with { directory in
            let notes = try await archived(directory)
            let whole = try ArchivedNotes.texts(notes.store)
            let name = try #require(
                try await notes.storage.list(prefix: "bases/", after: nil, countMax: 1).first)
            let text = String(
                decoding: try #require(try await notes.storage.read(name.key, nil)),
                as: UTF8.self)
            let paths = ["../evil", "a/../../evil", "/evil", "a/b/c", "", ".", "a//b"]
            for (number, path) in paths.enumerated() {
                let forged = text.replacing(
                    "\"path\":\"CURRENT\"", with: "\"path\":\"\(path)\"")
                #expect(forged != text)
                try await notes.storage.remove(name.key)
                #expect(try await notes.storage.create(name.key, Array(forged.utf8)))
                // The log gives the same store.
                #expect(try await Archive.open(notes.storage).status().damagedBases.count == 1)
                #expect(try await notes.restored(name: "restored-\(number)") == whole)
            }
            #expect(!FileManager.default.fileExists(atPath: directory.file("evil")))
        }
    }

    @Test func `a newer format is refused`() async throws {
        try await TestDirectory.with { directory in
            let notes = try await archived(directory)
            let whole = try ArchivedNotes.texts(notes.store)
            let entries = try await notes.storage.list(prefix: "", after: nil, countMax: 1000)
            for entry in entries where !entry.key.hasPrefix("files/") {
                let original = try #require(try await notes.storage.read(entry.key, nil))
                var newer = original
                if entry.key.hasPrefix("log/") {
                    newer[4] = 2
                } else {
                    let text = String(decoding: original, as: UTF8.self)
                    newer = Array(text.replacing("\"version\":1", with: "\"version\":2").utf8)
                }
                try await notes.storage.remove(entry.key)
                #expect(try await notes.storage.create(entry.key, newer))
                if entry.key.hasPrefix("log/") {
                    let archive = try await Archive.open(notes.storage)
                    #expect(try await !archive.verify().isIntact)
                } else if entry.key.hasPrefix("bases/") {
                    let archive = try await Archive.open(notes.storage)
                    #expect(try await !archive.verify().isIntact)
                    #expect(try await archive.status().damagedBases.count == 1)
                    #expect(try await notes.restored() == whole)
                } else {
                    let error = await #expect(throws: DaybookError.self) {
                        _ = try await notes.restored()
                    }
                    #expect(error?.code == .formatTooNew)
                }
                try await notes.storage.remove(entry.key)
                #expect(try await notes.storage.create(entry.key, original))
            }
        }
    }

    @Test func `a base with a damaged description is used by nothing, and a purge removes it`()
        async throws
    {
        try await TestDirectory.with { directory in
            let notes = try ArchivedNotes(in: directory)
            let archiver = try await notes.archiver()
            for number in 0..<3 {
                try notes.put(["note \(number)"])
                try await archiver.addBase()
            }
            let archive = try await Archive.open(notes.storage)
            let sequences = try await archive.status().bases.map(\.sequence)
            let names = try await notes.storage.list(prefix: "bases/", after: nil, countMax: 9)
            func damage(_ index: Int) async throws {
                try await notes.storage.remove(names[index].key)
                #expect(try await notes.storage.create(names[index].key, [1, 2, 3]))
            }
            try await damage(1)
            #expect(try await notes.restored().count == 3)
            // The base before the moment is the damaged one, so the one before that remains.
            let first = try await archive.purge(before: .sequence(sequences[1]))
            #expect(first.baseSequence == sequences[0] && first.baseCount == 0)
            let second = try await archive.purge(before: .sequence(sequences[2]))
            #expect(second.baseSequence == sequences[2] && second.baseCount == 2)
            let status = try await archive.status()
            #expect(status.bases.map(\.sequence) == [sequences[2]])
            #expect(status.damagedBases.isEmpty)
            let files = try await notes.storage.list(prefix: "files/", after: nil, countMax: 999)
            let name = names[2].key.dropFirst("bases/".count)
            #expect(files.allSatisfy { $0.key.hasPrefix("files/\(name)/") })
            #expect(try await notes.restored(name: "again").count == 3)
            // Without another base and the log before it, the damage is the error.
            try await damage(2)
            let moment = HistoryMoment.sequence(sequences[2])
            let purge = await #expect(throws: DaybookError.self) {
                try await archive.purge(before: moment)
            }
            #expect(purge?.code == .corruption)
            let restore = await #expect(throws: DaybookError.self) {
                _ = try await notes.restored(name: "last")
            }
            #expect(restore?.code == .corruption)
        }
    }

    @Test func `a full or missing target is refused`() async throws {
        try await TestDirectory.with { directory in
            let notes = try await archived(directory)
            let path = directory.file("full")
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            _ = try directory.write("mine", to: "full/file")
            let error = await #expect(throws: DaybookError.self) {
                _ = try await notes.restored(name: "full")
            }
            #expect(error?.code == .fileExists)
            #expect(try String(contentsOfFile: path + "/file", encoding: .utf8) == "mine")
            for sequence in [0, try notes.store.sequence + 1] {
                let error = await #expect(throws: DaybookError.self) {
                    _ = try await notes.restored(until: .sequence(sequence), name: "none")
                }
                #expect([.archiveIncomplete, .invalidArgument].contains(error?.code))
            }
        }
    }
}
