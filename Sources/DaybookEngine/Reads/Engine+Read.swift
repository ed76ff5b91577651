package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// What this thread reads: the state of its transaction, else the newest visible version, held
    /// as long as the scope. Cost of the latter: an allocation and a pin. Throws `.closed`.
    package func scope() throws(DaybookError) -> ReadScope {
        if let scope = try TransactionContext.role(of: self) { return scope }
        try requireOpen()
        return .read(ReadView(slot.pin(), log))
    }

    /// A version of the store, pinned for the lifetime of the returned view: the newest visible one,
    /// or that of a sequence.
    ///
    /// Cost: none for the newest; otherwise as ``pastView(at:keepsIndexes:by:_:)``. Throws
    /// `.historyTruncated` below ``historyFloor``, `.invalidArgument` for a sequence that does not
    /// exist yet, `.closed`, `.corruption`.
    package func view(at sequence: UInt64? = nil) throws -> ReadView {
        try requireOpen()
        guard let sequence else { return ReadView(slot.pin(), log) }
        return try pastView(at: try self.sequence(at: .sequence(sequence)))
    }

    // Single reads outside a transaction hold no version: they claim an epoch slot.

    /// The row of an object as this thread sees it, or nil.
    ///
    /// This is the get path. Cost if the frame is cached: an epoch slot, a tree walk, a cache
    /// look-up under a shard's lock.
    package func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        if let scope = try TransactionContext.role(of: self) { return try scope.row(entity, id) }
        try requireOpen()
        return try readingVisible { reader throws(DaybookError) in
            guard let entry = try reader.object(entity, id) else { return nil }
            return try StoredRow(entry, entity: entity, id: id, in: log)
        }
    }

    /// Whether an object lives, as this thread sees it.
    package func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        if let scope = try TransactionContext.role(of: self) {
            return try scope.contains(entity, id)
        }
        try requireOpen()
        return try readingVisible { reader throws(DaybookError) in
            try reader.object(entity, id) != nil
        }
    }

    /// How many objects live, as this thread sees them.
    package func count(_ entity: UInt32) throws(DaybookError) -> Int {
        if let scope = try TransactionContext.role(of: self) { return try scope.count(entity) }
        try requireOpen()
        return try readingVisible { reader throws(DaybookError) in
            try reader.objectCount(entity)
        }
    }

    /// Reads the committed version that this thread sees: that of its read transaction, else the
    /// newest visible one. What a write transaction of this thread has changed so far is not in it.
    func readingCommitted<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        let role = try TransactionContext.role(of: self)
        try requireOpen()
        if case .read(let view)? = role { return try view.reading(body) }
        return try readingVisible(body)
    }

    /// Runs `body` over one version, the newest visible one; nested reads share it. The changes of
    /// a write transaction of this thread are not in it.
    package func read<Result>(_ body: (ReadView) throws -> Result) throws -> Result {
        if case .read(let view)? = try TransactionContext.role(of: self) { return try body(view) }
        try requireOpen()
        let view = ReadView(slot.pin(), log)
        return try TransactionContext.run(self, .read(view)) { try body(view) }
    }

    /// Runs `body` as a read transaction of this thread. Inside a write transaction it joins that.
    @discardableResult
    package func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        if case .write? = try TransactionContext.role(of: self) { return try body() }
        return try read { _ in try body() }
    }

    /// Passes the row of each object to `visit`, in the order of ids, until it returns false. Nested
    /// reads share the version. In a transaction these are the objects of the beginning, each as it
    /// is when its turn comes.
    package func forEachRow(
        _ entity: UInt32, _ visit: (StoredRow) throws -> Bool
    ) throws {
        try readTransaction { try scope().forEachRow(entity, visit) }
    }
}
