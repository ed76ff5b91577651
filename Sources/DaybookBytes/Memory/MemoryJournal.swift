/// All that was done to a volume, in order.
struct MemoryJournal: Sendable {
    /// The volume before the first operation: everything in it is durable.
    let base: MemoryVolume
    var operations: [MemoryOperation] = []
}

extension MemoryFileSystem {
    /// How many operations were recorded; 0 where nothing is recorded. One call may be several
    /// operations: a directory and its parent's sync, for one.
    package var operationCount: Int { state.withLock { $0.journal?.operations.count ?? 0 } }
}
