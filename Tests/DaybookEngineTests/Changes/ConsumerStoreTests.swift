import DaybookBytes
@testable import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Testing

@Suite struct ConsumerStoreTests {
    @Test func `a position is stored under the consumer's name, across openings`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        var consumers = ConsumerStore(notes.engine)
        #expect(try consumers.names() == [])
        #expect(try consumers.position(of: "mailer") == nil)
        try consumers.write(notes.engine.position, of: "mailer")
        let other = ChangePosition(store: notes.engine.log.store, sequence: 1)
        try consumers.write(other, of: "a.b-c_9")
        let last = notes.engine.position
        #expect(last == notes.engine.position)
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        consumers = ConsumerStore(again.engine)
        #expect(try consumers.position(of: "mailer") == last)
        #expect(try consumers.names() == ["a.b-c_9", "mailer"])
        try consumers.remove("mailer")
        try consumers.remove("mailer")
        #expect(try consumers.names() == ["a.b-c_9"])
        try again.closeProven()
    }

    @Test func `a power cut leaves the old position or the new one`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore(fileSystem)
        for number in 0..<4 { try notes.put("note \(number)") }
        let consumers = ConsumerStore(notes.engine)
        let store = notes.engine.log.store
        var imageCount = 0
        try consumers.write(ChangePosition(store: store, sequence: 1), of: "mailer")
        for sequence in UInt64(2)...4 {
            let before = fileSystem.operationCount
            try consumers.write(ChangePosition(store: store, sequence: sequence), of: "mailer")
            for operation in before...fileSystem.operationCount {
                try fileSystem.visitCrashImages(after: operation, seed: 1, randomCount: 4) {
                    imageCount += 1
                    let found = try NoteStore($0.makeFileSystem())
                    let position = try ConsumerStore(found.engine).position(of: "mailer")
                    let isDone = operation == fileSystem.operationCount
                    let allowed = isDone ? [sequence] : [sequence - 1, sequence]
                    #expect(allowed.contains(position?.sequence ?? 0), "\($0)")
                    #expect(try ConsumerStore(found.engine).names() == ["mailer"])
                    try found.engine.close()
                }
            }
        }
        #expect(imageCount > 20)
        try notes.closeProven()
    }

    @Test func `a restored store has the positions of consumers, and a failed restore leaves none`()
        throws
    {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files, count: 6)
        let place = notes.engine.position
        try ConsumerStore(notes.engine).write(place, of: "mailer")
        try notes.engine.backup(to: "/backup")
        let counter = FaultFileSystem(files, failingCall: 0, fault: .errno(5), persistence: .once)
        let report = try Engine.restore(from: "/backup", to: "/new-0", counter)
        #expect(report.sequence == place.sequence)
        let restored = try NoteStore(files, path: "/new-0")
        #expect(try ConsumerStore(restored.engine).position(of: "mailer") == place)
        try restored.closeProven()
        var failureCount = 0
        for call in 1...counter.callCount {
            let path = "/new-\(call)"
            do {
                _ = try Engine.restore(
                    from: "/backup", to: path,
                    FaultFileSystem(files, failingCall: call, fault: .errno(5), persistence: .once))
            } catch { failureCount += 1 }
            let isStore = try files.kind(of: path + "/CURRENT") != nil
            #expect(try (files.kind(of: path + "/consumers/mailer") != nil) == isStore, "\(call)")
            #expect(try (files.kind(of: path + "/consumers") != nil) == isStore, "\(call)")
        }
        #expect(failureCount > 20)
        try notes.closeProven()
    }

    @Test func `names that are invalid as file names are refused`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let consumers = ConsumerStore(notes.engine)
        let long = String(repeating: "x", count: ConsumerStore.nameLengthMax + 1)
        for name in ["", ".", "..", ".x", "a/b", "../x", "A", "ä", "a b", "x.tmp", "a\0", long] {
            expectError(.invalidArgument) { _ = try consumers.position(of: name) }
            expectError(.invalidArgument) { try consumers.write(notes.engine.position, of: name) }
            expectError(.invalidArgument) { try consumers.remove(name) }
        }
        #expect(try consumers.names() == [])
        try notes.closeProven()
    }

    @Test func `a damaged position is never used`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        let consumers = ConsumerStore(notes.engine)
        try consumers.write(notes.engine.position, of: "mailer")
        let path = NoteStore.path + "/consumers/mailer"
        let whole = try fileSystem.readAll(path)
        for index in whole.indices {
            for length in [index, whole.count] {
                var bytes = Array(whole.prefix(length))
                if length == whole.count { bytes[index] ^= 1 }
                try fileSystem.replaceAtomically(
                    bytes, named: "mailer", in: NoteStore.path + "/consumers")
                expectError(.corruption) { _ = try consumers.position(of: "mailer") }
            }
        }
        let other = try NoteStore(MemoryFileSystem())
        try consumers.write(other.engine.position, of: "mailer")
        expectError(.historyOfAnotherStore) { _ = try consumers.position(of: "mailer") }
        try other.closeProven()
        try notes.closeProven()
    }
}
