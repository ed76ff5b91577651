package import DaybookBytes

extension MemoryFileSystem {
    /// The files that the next process finds if this process is killed after the first `operation`
    /// operations, without locks. All operations survive. The new file system continues the
    /// journal: a later power failure may still lose operations that no sync covers.
    package func afterKill(at operation: Int) -> MemoryFileSystem {
        guard var journal = journal else {
            preconditionFailure("only a recording file system has a journal")
        }
        precondition(
            operation >= 0 && operation <= journal.operations.count, "no such operation")
        journal.operations.removeLast(journal.operations.count - operation)
        return MemoryFileSystem(continuing: journal)
    }
}
