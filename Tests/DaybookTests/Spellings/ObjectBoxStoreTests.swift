import DaybookObjectBox
import DaybookTestSupport
import Testing

/// ObjectBox's calls that find and delete stores, and its errors. Foundation is imported by
/// DaybookObjectBox.
@Suite struct ObjectBoxStoreTests {
    private func open(_ path: String) throws -> Store {
        try Store(directoryPath: path, entities: Note.self)
    }

    @Test func `an open store is found by its directory until it is closed`() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/store"
        #expect(try !Store.isOpen(directory: path))
        let store = try open(path)
        #expect(try Store.isOpen(directory: directory.path + "/./store"))
        #expect(try Store.attachTo(directory: path) === store)
        store.close()
        #expect(try !Store.isOpen(directory: path))
        expectError(.closed) { _ = try Store.attachTo(directory: path) }
        _ = try open(path)
        #expect(try !Store.isOpen(directory: path))
        let name = Store.inMemoryPrefix + UUID().uuidString
        let named = try open(name)
        #expect(try Store.attachTo(directory: name) === named)
        named.close()
        #expect(try !Store.isOpen(directory: name))
    }

    @Test func `the files of a store are deleted with its directory`() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/store"
        let store = try open(path)
        try store.box(for: Note.self).put(Note(text: "a"))
        try FileManager.default.createDirectory(
            atPath: path + "/quarantine", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: path + "/quarantine/torn"))
        expectError(.invalidArgument) {
            try store.runInTransaction { try store.closeAndDeleteAllFiles() }
        }
        #expect(try store.box(for: Note.self).count() == 1)
        try store.closeAndDeleteAllFiles()
        #expect(!FileManager.default.fileExists(atPath: path))
        try store.closeAndDeleteAllFiles()
        let again = try open(path)
        #expect(try again.box(for: Note.self).count() == 0)
        let foreign = path + "/readme.txt"
        try Data([1]).write(to: URL(fileURLWithPath: foreign))
        try again.closeAndDeleteAllFiles()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["readme.txt"])
        let memory = try open("memory:\(UUID())")
        try memory.closeAndDeleteAllFiles()
    }

    @Test func `a store that another one has opened for writing is not deleted`() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/store"
        let writer = try open(path)
        var options = StoreOptions()
        options.isReadOnly = true
        let reader = try Store(directoryPath: path, entities: Note.self, options: options)
        do {
            try reader.closeAndDeleteAllFiles()
            Issue.record("the files are deleted")
        } catch ObjectBoxError.storageGeneral {
        }
        try writer.box(for: Note.self).put(Note(text: "a"))
        writer.close()
        let again = try open(path)
        #expect(try again.box(for: Note.self).count() == 1)
    }

    @Test func `errors are caught under the names of ObjectBox`() throws {
        let store = try open("memory:\(UUID())")
        let notes = store.box(for: Note.self)
        try notes.put([Note(text: "a"), Note(text: "b")])
        var caught: [String] = []
        do { _ = try notes.query().build().findUnique() } catch ObjectBoxError.nonUniqueResult {
            caught.append("nonUniqueResult")
        }
        do { try notes.put(Note(id: 7, text: "c")) } catch ObjectBoxError.notFound {
            caught.append("notFound")
        } catch ObjectBoxError.illegalArgument {
            caught.append("illegalArgument")
        }
        do {
            try store.runInReadOnlyTransaction { _ = try notes.put(Note(text: "d")) }
        } catch ObjectBoxError.cannotWriteWhileReading {
            caught.append("cannotWriteWhileReading")
        }
        #expect(caught == ["nonUniqueResult", "illegalArgument", "cannotWriteWhileReading"])
        let codes: [(ErrorFamily, DaybookError.Code)] = [
            (ObjectBoxError.uniqueViolation, .uniqueViolation),
            (ObjectBoxError.dbFull, .outOfSpace),
            (ObjectBoxError.schema, .schemaMismatch), (ObjectBoxError.fileCorrupt, .corruption),
            (ObjectBoxError.filePagesCorrupt, .corruption),
            (ObjectBoxError.constraintViolated, .relationDenied),
            (ObjectBoxError.stdOverflow, .overflow),
            (ObjectBoxError.cannotRelateToUnsavedEntities, .cannotRelateToUnsaved),
            (ObjectBoxError.cannotAttachToStore, .closed),
        ]
        for (family, code) in codes {
            #expect(family ~= (DaybookError(code, "") as any Error))
            #expect(!(family ~= (DaybookError(.idExists, "") as any Error)))
        }
    }
}
