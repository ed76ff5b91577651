package import DaybookBytes
package import DaybookLog

/// Searches for a usable snapshot, newest first. Each call of ``next()`` opens snapshots until one
/// is usable.
///
/// An unusable snapshot is not an error: ``rejected`` lists it.
package struct SnapshotSearch {
    private let snapshotStore: SnapshotStore
    private let manifest: Manifest
    private var names: [String]
    private var tried: Set<String> = []
    /// The number of times that the names may be read again.
    private var attemptsLeft = 10
    /// Whether ``names`` were read after the manifest, so that snapshots may be newer.
    private var isNewerThanManifest = false
    /// The unusable snapshots, each as `name: reason`.
    package private(set) var rejected: [String] = []
    /// The highest sequence of an undamaged snapshot of this store; its commits were durable before
    /// the manifest was read.
    private(set) var durableClaim: UInt64 = 0

    /// Searches among `names`, which were read before the manifest, or while no writer could write.
    init(_ snapshotStore: SnapshotStore, for manifest: Manifest, among names: [String]) {
        self.snapshotStore = snapshotStore
        self.manifest = manifest
        self.names = names
    }

    /// Searches among all snapshots, in addition to an opening.
    package init(_ snapshotStore: SnapshotStore, for manifest: Manifest) throws(DaybookError) {
        self.init(snapshotStore, for: manifest, among: try snapshotStore.names())
    }

    /// Opens the next snapshot that belongs to this store and points only into existing segments.
    package mutating func next() throws(DaybookError) -> SnapshotStore.Candidate? {
        while let name = names.popLast() {
            tried.insert(name)
            do throws(DaybookError) {
                let candidate = try snapshotStore.open(name)
                guard candidate.metadata.store == manifest.store else {
                    rejected.append("\(name): it belongs to another store")
                    continue
                }
                let isUsable = candidate.metadata.fits(manifest)
                if isUsable || !isNewerThanManifest {
                    durableClaim = max(durableClaim, candidate.metadata.position.sequence)
                }
                if isUsable { return candidate }
                rejected.append("\(name): it points into segments that were replaced")
            } catch  where error.code == .fileNotFound && attemptsLeft > 0 {
                // A writer has removed the snapshot, because it wrote newer ones.
                attemptsLeft -= 1
                names = try snapshotStore.names().filter { !tried.contains($0) }
                isNewerThanManifest = true
            } catch {
                rejected.append("\(name): \(error.message)")
            }
        }
        return nil
    }

    /// Records that a snapshot turned out to be damaged.
    mutating func reject(_ candidate: SnapshotStore.Candidate, _ error: DaybookError) {
        rejected.append("\(candidate.name): \(error.message)")
    }
}
