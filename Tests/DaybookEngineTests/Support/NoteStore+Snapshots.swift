import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport

extension NoteStore {
    /// Sets snapshots on request only, which use older files of any length.
    static func withBases(_ options: inout EngineOptions) {
        options.snapshotChangeCountMin = .max
        options.snapshotBaseLengthMin = 1
        options.openingReplayCountMax = 1 << 40
        options.idleMillisecondsBeforeCompression = 1 << 40
    }

    /// Returns a store with that many notes, which take a group of pages for each 2,700.
    static func large(
        _ fileSystem: any FileSystem, count: Int = 12_000,
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> NoteStore {
        let notes = try NoteStore(fileSystem) {
            withBases(&$0)
            change(&$0)
        }
        try notes.engine.write { transaction in
            for number in 1...count { _ = try notes.put("note \(number)", in: transaction) }
        }
        return notes
    }

    /// Writes a snapshot, removes unneeded ones, and returns the number of written bytes.
    @discardableResult
    func save() throws -> Int {
        let before = engine.writtenBytes.snapshots
        try engine.writeSnapshotAndPrune()
        return engine.writtenBytes.snapshots - before
    }

    /// Changes notes in one transaction.
    func change(_ ids: some Sequence<UInt64>, _ text: String) throws {
        try engine.write { transaction in
            for id in ids { _ = try self.put(text, id: id, in: transaction) }
        }
    }

    /// The names of the snapshot files that neither the newest snapshots are nor use.
    func orphans() throws -> [String] {
        let store = engine.snapshotStore
        let names = try store.names()
        let needed = try store.baseNames().union(names.suffix(SnapshotStore.keptCount))
        return names.filter { !needed.contains($0) }
    }
}
