/// All operations on a volume, in order.
struct MemoryJournal: Sendable {
    /// The volume before the first operation; all of its content is durable.
    let base: MemoryVolume
    var operations: [MemoryOperation] = []
}

extension MemoryFileSystem {
    /// The number of recorded operations; 0 without recording. One call may record several
    /// operations, such as a new directory and the sync of its parent.
    package var operationCount: Int { state.withLock { $0.journal?.operations.count ?? 0 } }
}
