package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// The state that this thread reads: its transaction, otherwise the newest visible version,
    /// pinned for the lifetime of the scope. The latter costs an allocation and a pin. Throws
    /// `.closed`.
    package func scope() throws(DaybookError) -> ReadScope {
        if let scope = try TransactionContext.role(of: self) { return scope }
        try requireOpen()
        return .read(ReadView(slot.pinVersion(), log))
    }

    /// Pins a version of the store for the lifetime of the returned view: the newest visible one,
    /// or the version of a sequence.
    ///
    /// The newest version costs only the pin; others cost as ``pastView(at:keepsIndexes:by:_:)``.
    /// Throws `.historyTruncated` below ``historyFloor``, `.invalidArgument` for a sequence that
    /// does not exist yet, `.closed`, `.corruption`.
    package func view(at sequence: UInt64? = nil) throws -> ReadView {
        try requireOpen()
        guard let sequence else { return ReadView(slot.pinVersion(), log) }
        return try pastView(at: try self.sequence(at: .sequence(sequence)))
    }

    // Single reads outside a transaction pin no version: they use an epoch slot.

    /// The row of an object as this thread sees it, or nil.
    ///
    /// This is the get path. Cost if the frame is cached: an epoch slot, a tree lookup, and a cache
    /// lookup under a shard's lock.
    package func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        if let scope = try TransactionContext.role(of: self) { return try scope.row(entity, id) }
        try requireOpen()
        // As ``readingVisible(_:)``, which would cost two retains and releases more.
        do throws(DaybookError) {
            return try slot.withPinned { reader throws(DaybookError) in
                guard let entry = try reader.object(entity, id) else { return nil }
                return try StoredRow(entry, entity: entity, id: id, in: log)
            }
        } catch  where error.isDamagedSnapshot {
            return try rebuiltRow(entity, id)
        }
    }

    /// The row of an object, after a page of the snapshot proved to be damaged.
    @inline(never)
    private func rebuiltRow(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        try readingRebuilt { reader throws(DaybookError) in
            guard let entry = try reader.object(entity, id) else { return nil }
            return try StoredRow(entry, entity: entity, id: id, in: log)
        }
    }

    /// Whether an object exists, as this thread sees it.
    package func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        if let scope = try TransactionContext.role(of: self) {
            return try scope.contains(entity, id)
        }
        try requireOpen()
        return try readingVisible { reader throws(DaybookError) in
            try reader.object(entity, id) != nil
        }
    }

    /// The number of objects, as this thread sees them.
    package func count(_ entity: UInt32) throws(DaybookError) -> Int {
        if let scope = try TransactionContext.role(of: self) { return try scope.count(entity) }
        try requireOpen()
        return try readingVisible { reader throws(DaybookError) in
            try reader.objectCount(entity)
        }
    }

    /// Reads the committed version that this thread sees: the version of its read transaction,
    /// otherwise the newest visible one. Does not see uncommitted changes of this thread's write
    /// transaction.
    func readingCommitted<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        let role = try TransactionContext.role(of: self)
        try requireOpen()
        if case .read(let view)? = role { return try view.reading(body) }
        return try readingVisible(body)
    }

    /// Runs `body` over one version, the newest visible one; nested reads share it. Does not see
    /// uncommitted changes of this thread's write transaction.
    package func read<Result>(_ body: (ReadView) throws -> Result) throws -> Result {
        if case .read(let view)? = try TransactionContext.role(of: self) { return try body(view) }
        try requireOpen()
        let view = ReadView(slot.pinVersion(), log)
        return try TransactionContext.run(self, .read(view)) { try body(view) }
    }

    /// Runs `body` as a read transaction of this thread. Inside a write transaction, `body` joins
    /// that.
    @discardableResult
    package func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        if case .write? = try TransactionContext.role(of: self) { return try body() }
        return try read { _ in try body() }
    }

    /// Passes the row of each object to `visit`, ordered by id, until it returns false. Nested
    /// reads share the version. In a write transaction, visits the objects that exist at the
    /// beginning, each in its current state.
    package func forEachRow(
        _ entity: UInt32, _ visit: (StoredRow) throws -> Bool
    ) throws {
        try readTransaction { try scope().forEachRow(entity, visit) }
    }
}
