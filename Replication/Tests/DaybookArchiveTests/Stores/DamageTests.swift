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
            let name = try #require(
                try await notes.storage.list(prefix: "bases/", after: nil, countMax: 1).first)
            let text = String(
                decoding: try #require(try await notes.storage.read(name.key, nil)),
                as: UTF8.self)
            for path in ["../evil", "a/../../evil", "/evil", "a/b/c", "", ".", "a//b"] {
                let forged = text.replacing(
                    "\"path\":\"CURRENT\"", with: "\"path\":\"\(path)\"")
                #expect(forged != text)
                try await notes.storage.remove(name.key)
                #expect(try await notes.storage.create(name.key, Array(forged.utf8)))
                let error = await #expect(throws: DaybookError.self) {
                    _ = try await notes.restored()
                }
                #expect(error?.code == .corruption)
            }
            #expect(!FileManager.default.fileExists(atPath: directory.file("evil")))
        }
    }

    @Test func `a newer format is refused`() async throws {
        try await TestDirectory.with { directory in
            let notes = try await archived(directory)
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
