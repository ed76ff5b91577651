import Daybook
import DaybookArchive
import Foundation
import ReplicationTestSupport

/// A store of notes, an archive of it in a directory, and paths for restored stores.
struct ArchivedNotes {
    let directory: TestDirectory
    let store: Store
    let storage: DirectoryStorage
    /// The times after each commit, by sequence.
    private(set) var moments: [UInt64: Date] = [:]

    /// Creates an empty store and an empty storage.
    init(in directory: TestDirectory, options: StoreOptions = StoreOptions()) throws {
        self.directory = directory
        store = try Store(
            path: directory.file("store"), entities: [Note.self], options: options)
        storage = DirectoryStorage(path: directory.file("archive"))
    }

    /// Commits notes, one by one. Returns their ids.
    @discardableResult
    func put(_ texts: [String]) throws -> [Id] {
        try texts.map { try store.box(for: Note.self).put(Note($0)) }
    }

    /// Opens an archiver.
    func archiver(segmentSizeBytesMax: Int = 16 << 20) async throws -> Archiver {
        var options = ArchiverOptions()
        options.segmentSizeBytesMax = segmentSizeBytesMax
        return try await Archiver(store, in: storage, options: options)
    }

    /// Restores the archive into a new directory. Returns the texts of the notes there, sorted.
    func restored(
        until moment: HistoryMoment? = nil, name: String = "restored"
    ) async throws -> [String] {
        let path = directory.file(name)
        try await Archive.open(storage).restore(to: URL(filePath: path), until: moment)
        let store = try await Store(path: path, entities: [Note.self])
        defer { try? store.close() }
        return try Self.texts(store)
    }

    /// The texts of the notes in a store, sorted.
    static func texts(_ store: Store) throws -> [String] {
        try store.box(for: Note.self).all().map(\.text).sorted()
    }
}
