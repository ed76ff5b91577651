import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// The living object's row as this thread sees it, or nil: inside a transaction that
    /// transaction's state, else the newest visible version.
    ///
    /// This is the get path. Cost where the frame is cached: an epoch slot, a tree walk, a cache
    /// look-up under a shard's lock.
    package func row(_ entity: UInt32, _ id: UInt64) throws -> StoredRow? {
        switch try TransactionContext.role(of: self) {
        case .read(let view):
            return try view.row(entity, id)
        case .write(let transaction):
            return try transaction.row(entity, id)
        case nil:
            try requireOpen()
            return try healing {
                try slot.withPinned { reader in
                    guard let entry = try reader.object(entity, id) else { return nil }
                    return try StoredRow(entry, entity: entity, id: id, in: log)
                }
            }
        }
    }

    /// The rows of those of the objects that live, in the order of the ids, all as this thread sees
    /// them in one version: see ``ReadView/rows(_:_:)``.
    package func rows(_ entity: UInt32, _ ids: [UInt64]) throws -> [StoredRow] {
        if case .write(let transaction)? = try TransactionContext.role(of: self) {
            return try ids.compactMap { try transaction.row(entity, $0) }
        }
        return try read { try $0.rows(entity, ids) }
    }

    /// Whether an object lives, as this thread sees it.
    package func contains(_ entity: UInt32, _ id: UInt64) throws -> Bool {
        switch try TransactionContext.role(of: self) {
        case .read(let view): return try view.contains(entity, id)
        case .write(let transaction): return try transaction.contains(entity, id)
        case nil:
            try requireOpen()
            return try healing { try slot.withPinned { try $0.object(entity, id) != nil } }
        }
    }

    /// How many objects live, as this thread sees them.
    package func count(_ entity: UInt32) throws -> Int {
        switch try TransactionContext.role(of: self) {
        case .read(let view): return try view.count(entity)
        case .write(let transaction): return try transaction.count(entity)
        case nil:
            try requireOpen()
            return try healing { try slot.withPinned { try $0.objectCount(entity) } }
        }
    }

    /// Runs `body` over one version, the newest visible one; nested reads share it. What a write
    /// transaction of this thread has changed so far is not in it.
    package func read<Result>(_ body: (ReadView) throws -> Result) throws -> Result {
        switch try TransactionContext.role(of: self) {
        case .read(let view): return try body(view)
        case .write, nil:
            try requireOpen()
            let view = ReadView(slot.pin(), log)
            return try TransactionContext.run(self, .read(view)) { try body(view) }
        }
    }

    /// Runs `body` as a read transaction of this thread: inside a write transaction it simply
    /// joins.
    @discardableResult
    package func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        if case .write? = try TransactionContext.role(of: self) { return try body() }
        return try read { _ in try body() }
    }

    /// Gives each living object's row to `visit`, in the order of ids, until it returns false.
    package func forEachRow(
        _ entity: UInt32, _ visit: (StoredRow) throws -> Bool
    ) throws {
        if case .write(let transaction)? = try TransactionContext.role(of: self) {
            for id in try transaction.ids(entity) {
                try OperationCancellation.checkCurrent()
                guard let row = try transaction.row(entity, id) else { continue }
                if try !visit(row) { return }
            }
            return
        }
        try read { view in
            var scan = view.scan(entity)
            while let row = try scan.next() {
                if try !visit(row) { return }
            }
        }
    }
}
