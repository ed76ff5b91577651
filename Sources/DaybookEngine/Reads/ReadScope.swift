package import DaybookBytes
import DaybookRecords
import DaybookPages

/// The state that a read sees: a version of the store, or a write transaction, which is the newest
/// version with the transaction's changes on top.
///
/// This is the one read interface of the engine: transactions, queries and the public layer read
/// through it. Every read throws `.corruption` or `.inputOutput` for a row that cannot be read, and
/// `.closed` in a transaction that has ended.
package enum ReadScope {
    case read(ReadView)
    case write(WriteTransaction)

    /// The version; nil in a write transaction.
    package var view: ReadView? {
        if case .read(let view) = self { return view }
        return nil
    }

    /// The write transaction; nil for a version.
    var transaction: WriteTransaction? {
        if case .write(let transaction) = self { return transaction }
        return nil
    }
}

// MARK: Objects

extension ReadScope {
    /// The row of an object, or nil. Cost: a tree lookup, and a frame from the cache or the disk.
    package func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        switch self {
        case .read(let view): try view.row(entity, id)
        case .write(let transaction): try transaction.changes.row(entity, id)
        }
    }

    /// The rows of objects, in the order of `ids`, without missing objects. Cost: about 40 ns per
    /// object.
    package func rows(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) -> [StoredRow] {
        switch self {
        case .read(let view): return try view.rows(entity, ids)
        case .write(let transaction):
            var rows: [StoredRow] = []
            for id in ids {
                if let row = try transaction.changes.row(entity, id) { rows.append(row) }
            }
            return rows
        }
    }

    /// Whether an object exists. Cost: a tree lookup.
    package func contains(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> Bool {
        switch self {
        case .read(let view): try view.contains(entity, id)
        case .write(let transaction): try transaction.changes.contains(entity, id)
        }
    }

    /// The number of objects. Cost: O(1); in a transaction, O(changes since the last call).
    package func count(_ entity: UInt32) throws(DaybookError) -> Int {
        switch self {
        case .read(let view): try view.count(entity)
        case .write(let transaction): try transaction.changes.count(entity)
        }
    }

    /// The last commit that changed a stored object; nil if there is no object. A running
    /// transaction has no sequence yet: for an object that it changed, returns the commit before.
    /// Cost: a tree lookup.
    package func lastChange(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> UInt64? {
        switch self {
        case .read(let view): try view.lastChange(entity, id)
        case .write(let transaction): try transaction.changes.lastChange(entity, id)
        }
    }

    /// Passes the row of each object to `visit`, ordered by id, until it returns false. In a write
    /// transaction, visits the objects that exist at the beginning, each in its current state.
    func forEachRow(_ entity: UInt32, _ visit: (StoredRow) throws -> Bool) throws {
        switch self {
        case .read(let view):
            var scan = view.scan(entity)
            while let row = try scan.next() {
                if try !visit(row) { return }
            }
        case .write(let transaction):
            for id in try transaction.changes.ids(entity) {
                try OperationCancellation.checkCurrent()
                guard let row = try transaction.changes.row(entity, id) else { continue }
                if try !visit(row) { return }
            }
        }
    }
}

// MARK: Links

extension ReadScope {
    /// The ids at the other end of a relation, ascending and unique, from the first above `after`.
    /// Cost: a tree lookup, and a few ns per id; a list reads all its elements.
    package func links(
        of end: LinkEnd, after: UInt64 = 0, limit: Int = .max
    ) throws(DaybookError) -> [UInt64] {
        switch self {
        case .read(let view): try view.links(of: end, after: after, limit: limit)
        case .write(let transaction):
            try transaction.changes.links(of: end, after: after, limit: limit)
        }
    }

    /// The number of objects at the other end; for a list, the number of its elements.
    package func linkCount(of end: LinkEnd) throws(DaybookError) -> Int {
        switch self {
        case .read(let view): try view.linkCount(of: end)
        case .write(let transaction): try transaction.changes.linkCount(of: end)
        }
    }

    /// The elements of a list, in order. Cost: O(elements).
    package func list(
        _ relation: UInt32, _ source: UInt64
    ) throws(DaybookError) -> [ListElement] {
        switch self {
        case .read(let view): try view.list(relation, source)
        case .write(let transaction): try transaction.changes.list(relation, source)
        }
    }
}
