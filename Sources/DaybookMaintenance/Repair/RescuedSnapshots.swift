import DaybookBytes
import DaybookEngine
import DaybookLog

/// The intact snapshots of a damaged store. They contain the schema and the versions of the objects
/// at a moment.
struct RescuedSnapshots {
    /// The snapshots, newest first.
    private var candidates: [SnapshotStore.Candidate] = []

    /// Reads the snapshots of a directory; ignores damaged ones.
    init(_ path: String, _ fileSystem: any FileSystem) {
        let snapshots = SnapshotStore(fileSystem: fileSystem, directory: path)
        for name in ((try? snapshots.names()) ?? []).reversed() {
            if let candidate = try? snapshots.open(name) { candidates.append(candidate) }
        }
    }

    /// The stores that the snapshots belong to.
    var stores: [StoreIdentity] { candidates.map(\.metadata.store) }

    /// The newest snapshot of a store.
    func newest(of store: StoreIdentity) -> SnapshotStore.Candidate? {
        candidates.first { $0.metadata.store == store }
    }
}
