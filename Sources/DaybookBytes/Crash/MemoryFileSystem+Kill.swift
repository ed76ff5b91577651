extension MemoryFileSystem {
    /// A file system as the next process finds it if this process is killed after the first
    /// `operation` operations, without locks. All operations survive, and recording continues: a
    /// power failure may still lose operations that no sync covered.
    package func afterKill(at operation: Int) -> MemoryFileSystem {
        guard var journal = state.withLock({ $0.journal }) else {
            preconditionFailure("only a recording file system has earlier states")
        }
        precondition(
            operation >= 0 && operation <= journal.operations.count,
            "the operation is outside the journal")
        journal.operations.removeLast(journal.operations.count - operation)
        var volume = journal.base
        for done in journal.operations { volume.apply(done) }
        return MemoryFileSystem(volume: volume, journal: journal)
    }
}
