import DaybookLog
@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

@Suite struct BadDirectoryTests {
    private let directory = TemporaryDirectory()

    private func open(isReadOnly: Bool = false) throws -> Store {
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        return try Store(directory: directory.url, entities: Note.self, options: options)
    }

    @Test func `a directory with other files is refused and not changed`() throws {
        try directory.place("letter.txt", "dear")
        let error = expectError(.notAStore) { _ = try open() }
        #expect(error?.message.contains("letter.txt") == true)
        expectError(.notAStore) { _ = try open(isReadOnly: true) }
        #expect(try directory.names == ["letter.txt"])
    }

    @Test func `only the user of a store can read its files and those of a backup`() throws {
        let path = directory.path + "/store"
        let store = try Store(directoryPath: path, entities: Note.self)
        for number in 0..<3 { try store.box(for: Note.self).put(Note(text: "note \(number)")) }
        try store.compact()
        try store.backup(to: URL(filePath: directory.path + "/backup"))
        try store.close()
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        #expect(names.count > 8)
        for name in names {
            let path = directory.path + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let permissions = try #require(attributes[.posixPermissions] as? Int)
            #expect(permissions & 0o077 == 0, "\(name) has \(String(permissions, radix: 8))")
        }
    }

    @Test func `a file where the directory should be, or above it, is an error`() throws {
        try directory.place("file", "x")
        let path = directory.path + "/file"
        expectError(.notAStore) { _ = try Store(directoryPath: path, entities: Note.self) }
        #expect(throws: DaybookError.self) {
            _ = try Store(directoryPath: path + "/below", entities: Note.self)
        }
        #expect(try directory.names == ["file"])
    }

    @Test func `invalid paths are refused`() throws {
        for path in ["", "a\0b"] {
            expectError(.invalidArgument) {
                _ = try Store(directoryPath: path, entities: Note.self)
            }
        }
        let address = try #require(URL(string: "https://example.org/store"))
        expectError(.invalidArgument) { _ = try Store(directory: address, entities: Note.self) }
        #expect(throws: DaybookError.self) {
            _ = try Store(
                directoryPath: directory.path + "/" + String(repeating: "x", count: 5000),
                entities: Note.self)
        }
    }

    @Test
    func
        `missing parents are created, and an empty directory or a trailing slash is valid`()
        throws
    {
        let deep = directory.path + "/a/b/c/"
        var store = try Store(directoryPath: deep, entities: Note.self)
        try store.box(for: Note.self).put(Note(text: "x"))
        try store.close()
        store = try Store(directoryPath: String(deep.dropLast()), entities: Note.self)
        #expect(try store.box(for: Note.self).count() == 1)
        try store.close()
        let empty = TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: empty.path, withIntermediateDirectories: true)
        let other = try Store(directory: empty.url, entities: Note.self)
        try other.close()
    }

    @Test func `an unknown file in a store directory is not touched`() throws {
        let store = try open()
        try store.box(for: Note.self).put(Note(text: "x"))
        try directory.place("README.txt", "hands off")
        _ = try store.engine.compact(.latest)
        try store.close()
        let again = try open()
        #expect(try again.box(for: Note.self).count() == 1)
        try again.close()
        #expect(try directory.names.contains("README.txt"))
    }

    @Test func `an unwritable directory is a typed error`() throws {
        for (fault, code) in [
            (Int32(13), DaybookError.Code.permissionDenied), (28, .outOfSpace), (5, .inputOutput),
        ] {
            var call = 0
            while true {
                call += 1
                let memory = MemoryFileSystem()
                let fileSystem = FaultFileSystem(
                    memory, failingCall: call, fault: .errno(fault), persistence: .once)
                do {
                    let notes = try NoteStore(fileSystem)
                    notes.engine.log.abandon()
                } catch {
                    let found = (error as? DaybookError)?.code
                    #expect(
                        found == code || found == .durabilityUnknown || found == .corruption,
                        "call \(call): \(error)")
                }
                if !fileSystem.hasFailed { break }
                // The next opening creates a store despite the remaining files.
                let again = try NoteStore(memory.afterKill())
                try again.put("x")
                try again.closeProven()
            }
            #expect(call > 20)
        }
    }

    @Test func `a full disk rolls the commit back, and later commits work once there is space`()
        throws
    {
        let counter = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .shortWrite, persistence: .once)
        let sound = try NoteStore(counter)
        try sound.put("one")
        let first = counter.callCount
        try sound.put("two")
        for call in (first + 1)...counter.callCount {
            for fault in [FaultFileSystem.Fault.shortWrite, .errno(28)] {
                let memory = MemoryFileSystem()
                let fileSystem = FaultFileSystem(
                    memory, failingCall: call, fault: fault, persistence: .once)
                let notes = try NoteStore(fileSystem)
                try notes.put("one")
                let error = #expect(throws: DaybookError.self) { try notes.put("two") }
                if error?.code == .durabilityUnknown {
                    expectError(.durabilityUnknown) { try notes.put("three") }
                    #expect(try notes.text(1) == "one")
                } else {
                    #expect(try notes.all() == [1: "one"])
                    try notes.put("three")
                    #expect(try notes.all().values.sorted() == ["one", "three"])
                    try notes.closeProven()
                }
                let again = try NoteStore(memory.afterKill())
                #expect(try again.text(1) == "one")
                try again.closeProven()
            }
        }
    }

    @Test func `a newer format is distinguished from damage`() throws {
        let store = try open()
        try store.box(for: Note.self).put(Note(text: "x"))
        try store.close()
        let name = try #require(try directory.names.first { $0.hasPrefix("segment-") })
        let url = directory.url.appendingPathComponent(name)
        var bytes = [UInt8](try Data(contentsOf: url))
        bytes[8] = 7
        bytes[10] = 7
        let check = XXH64.hash(bytes.span.extracting(0..<56))
        for index in 0..<8 {
            bytes[56 + index] = UInt8(truncatingIfNeeded: check >> (8 * UInt64(index)))
        }
        try Data(bytes).write(to: url)
        let error = expectError(.formatTooNew) { _ = try open() }
        #expect(error?.details["format"] == "7")
    }

    @Test func `a store without CURRENT and without a manifest is corruption, not a new store`()
        throws
    {
        let store = try open()
        try store.box(for: Note.self).put(Note(text: "x"))
        try store.close()
        let lost = try directory.names.filter { $0 == "CURRENT" || $0.hasPrefix("manifest-") }
        var contents: [String: Data] = [:]
        for name in lost {
            let url = directory.url.appendingPathComponent(name)
            contents[name] = try Data(contentsOf: url)
            try FileManager.default.removeItem(at: url)
        }
        let files = try directory.names
        let error = expectError(.corruption) { _ = try open() }
        #expect(error?.details["file"] == "CURRENT")
        #expect(try directory.names == files)
        // The manifest is enough.
        for (name, content) in contents where name != "CURRENT" {
            try content.write(to: directory.url.appendingPathComponent(name))
        }
        let again = try open()
        #expect(try again.box(for: Note.self).count() == 1)
        let damage = again.openingReport.toleratedDamage
        #expect(damage.count == 1 && damage[0].hasPrefix("CURRENT: It is missing;"))
        try again.close()
        let last = try open()
        #expect(last.openingReport.toleratedDamage == [])
        try last.close()
    }

    /// Creates a store with sealed segments, a snapshot, and a tail.
    private func filledFiles() throws -> (files: MemoryFileSystem, all: [UInt64: String]) {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory) { $0.log.segmentSizeBytes = 2 << 10 }
        for number in 0..<30 { try notes.put("note \(number)") }
        try notes.engine.writeSnapshot()
        for number in 0..<10 { try notes.put("later \(number)", id: UInt64(number + 3)) }
        let all = try notes.all()
        try notes.engine.close()
        return (memory, all)
    }

    /// Opens, reads everything, and writes: each step must give the undamaged result or a typed
    /// error.
    private func examine(_ image: MemoryFileSystem, _ all: [UInt64: String], _ what: String) {
        do {
            let notes = try NoteStore(image)
            let found = try notes.all()
            #expect(found == all, "\(what)")
            try notes.put("more")
            try notes.closeProven()
        } catch {
            let code = (error as? DaybookError)?.code
            #expect(
                code == .corruption || code == .formatTooNew || code == .notAStore,
                "\(what): \(error)")
        }
    }

    @Test func `damage in any file of a store gives the right answer or a typed error`()
        throws
    {
        let (files, all) = try filledFiles()
        for path in files.contents.keys.sorted() where !path.hasSuffix("LOCK") {
            let length = files.contents[path]?.count ?? 0
            for place in stride(from: 0, to: length, by: max(1, length / 24)) {
                examine(
                    files.afterKill(changing: path) { $0[place] ^= 0x21 }, all,
                    "\(path) flipped at \(place)")
            }
            for share in [0, 1, 3] {
                examine(
                    files.afterKill(changing: path) {
                        $0.removeLast($0.count - $0.count * share / 4)
                    },
                    all, "\(path) cut to \(share)/4")
            }
            examine(
                files.afterKill(changing: path) { $0 = [UInt8](repeating: 0, count: $0.count) },
                all,
                "\(path) zeroed")
            examine(
                files.afterKill(changing: path) { $0 = Array("a foreign file, of nobody's".utf8) },
                all, "\(path) foreign")
            var without = files.contents
            without[path] = nil
            examine(MemoryFileSystem(contents: without), all, "\(path) gone")
        }
    }

    @Test func `mixed files of two stores are detected`() throws {
        let (one, all) = try filledFiles()
        let (other, _) = try filledFiles()
        for path in one.contents.keys.sorted() where !path.hasSuffix("LOCK") {
            guard let strange = other.contents[path] else { continue }
            examine(one.afterKill(changing: path) { $0 = strange }, all, "\(path) of another store")
        }
    }
}
