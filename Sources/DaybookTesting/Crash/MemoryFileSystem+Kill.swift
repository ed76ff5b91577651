package import DaybookBytes

extension MemoryFileSystem {
    /// Files as they are for the next process when this one was killed after the first `operation`
    /// operations, with no lock taken. All that was done is there, and recording goes on: what no
    /// sync had covered by then may still be lost in a power cut.
    package func afterKill(at operation: Int) -> MemoryFileSystem {
        guard var journal = journal else {
            preconditionFailure("only a recording file system knows what it was like")
        }
        precondition(
            operation >= 0 && operation <= journal.operations.count, "that much has not happened")
        journal.operations.removeLast(journal.operations.count - operation)
        return MemoryFileSystem(continuing: journal)
    }
}
