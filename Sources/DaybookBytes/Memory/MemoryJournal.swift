/// The operations on a volume, in order.
package struct MemoryJournal: Sendable {
    /// The volume before the first operation; all of its content is durable.
    package let base: MemoryVolume
    package var operations: [MemoryOperation] = []
}

extension MemoryFileSystem {
    /// The recorded operations; nil for a file system that does not record.
    package var journal: MemoryJournal? { state.withLock { $0.journal } }

    /// Makes a file system that continues a journal. No file is locked.
    package convenience init(continuing journal: MemoryJournal) {
        var volume = journal.base
        for done in journal.operations { volume.apply(done) }
        self.init(volume: volume, journal: journal)
    }

    /// Records that a sync of `file` failed. Data that the last successful sync did not cover may
    /// never reach the disk, whatever a later sync returns. Files of other file systems are
    /// ignored.
    package static func recordFailedSync(of file: any File) {
        (file as? MemoryFile)?.failSync()
    }

    /// The number of recorded operations; 0 without recording. One call may record several
    /// operations, such as a new directory and the sync of its parent.
    package var operationCount: Int { state.withLock { $0.journal?.operations.count ?? 0 } }
}
