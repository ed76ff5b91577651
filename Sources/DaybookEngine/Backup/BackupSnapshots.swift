import DaybookBytes
import DaybookLog

/// The snapshot in a backup, with its bases. It only makes opening fast, so failures are ignored.
/// It is added after the backup is valid, because a snapshot beyond the end of a log would be read
/// as damage of the log.
struct BackupSnapshots {
    private let source: SnapshotStore
    private let target: SnapshotStore
    private let links: Bool

    init(from source: SnapshotStore, to target: SnapshotStore, links: Bool) {
        self.source = source
        self.target = target
        self.links = links
    }

    /// Leaves the newest matching snapshot with its bases in the backup and removes others. Returns
    /// its sequence.
    func update(for manifest: Manifest) -> UInt64? {
        var kept = newest(in: target, manifest)
        if let found = newest(in: source, manifest), found.sequence > kept?.sequence ?? 0,
            place(found)
        {
            kept = found
        }
        removeOthers(than: kept)
        try? target.fileSystem.syncDirectory(target.directory)
        return kept?.sequence
    }

    /// Returns the newest snapshot that points only into the segments of a backup and not beyond
    /// its end.
    private func newest(
        in snapshotStore: SnapshotStore, _ manifest: Manifest
    ) -> SnapshotStore.Candidate? {
        guard var search = try? SnapshotSearch(snapshotStore, for: manifest) else { return nil }
        while let candidate = try? search.next() {
            if candidate.sequence <= manifest.durableSequence { return candidate }
        }
        return nil
    }

    private func removeOthers(than kept: SnapshotStore.Candidate?) {
        let needed = kept.map { Set($0.bases.map(\.name) + [$0.name]) } ?? []
        for name in (try? target.names()) ?? [] where !needed.contains(name) {
            try? target.fileSystem.remove(target.directory + "/" + name)
        }
    }

    /// Links or copies a snapshot after those of its bases that the backup does not contain.
    private func place(_ snapshot: SnapshotStore.Candidate) -> Bool {
        for base in snapshot.bases where !target.isAvailable(base) {
            guard place(base.name), target.isAvailable(base) else { return false }
        }
        return place(snapshot.name)
    }

    /// Links or copies a file of the source. A copy is complete and durable before it gets its
    /// name.
    private func place(_ name: String) -> Bool {
        let (path, newPath) = (source.directory + "/" + name, target.directory + "/" + name)
        if links, (try? target.fileSystem.link(path, to: newPath)) == true { return true }
        let temporary = target.directory + "/" + StoreFileName.temporary(of: name).text
        do throws(DaybookError) {
            let file = try source.fileSystem.open(path, .read)
            defer { file.close() }
            let copy = try target.fileSystem.open(temporary, .replace)
            defer { copy.close() }
            let size = try file.size()
            var offset = 0
            while offset < size {
                let bytes = try file.read(min(1 << 20, size - offset), at: offset)
                guard !bytes.isEmpty else { break }
                try copy.write(bytes.span, at: offset)
                offset += bytes.count
            }
            try copy.sync()
            try target.fileSystem.rename(temporary, to: newPath)
            return true
        } catch {
            try? target.fileSystem.remove(temporary)
            return false
        }
    }
}

extension SnapshotStore.Candidate {
    fileprivate var sequence: UInt64 { metadata.position.sequence }
}
