package import DaybookBytes
package import DaybookIndex
import DaybookPages

/// What a query reads: one version of the store, or the state of the running transaction.
///
/// A version may be read by several threads; the state of a transaction by its own alone.
package final class QueryAccess {
    package let schemas: SchemaTable
    /// Nil where it reads the state of a transaction.
    package let view: ReadView?
    let transaction: WriteTransaction?

    package init(_ view: ReadView, _ schemas: SchemaTable) {
        self.schemas = schemas
        self.view = view
        transaction = nil
    }

    init(_ transaction: WriteTransaction, _ schemas: SchemaTable) {
        self.schemas = schemas
        view = nil
        self.transaction = transaction
    }

    private func either<Result>(
        _ reading: (ReadView) throws(DaybookError) -> Result,
        _ writing: (WriteTransaction) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        if let view { return try reading(view) }
        guard let transaction else { preconditionFailure("there is the one or the other") }
        return try writing(transaction)
    }

    /// The living object's row, or nil.
    package func row(_ entity: UInt32, _ id: UInt64) throws(DaybookError) -> StoredRow? {
        try either({ view throws(DaybookError) in try view.row(entity, id) }) {
            transaction throws(DaybookError) in try transaction.row(entity, id)
        }
    }

    /// How many objects live.
    package func count(_ entity: UInt32) throws(DaybookError) -> Int {
        try either({ view throws(DaybookError) in try view.count(entity) }) {
            transaction throws(DaybookError) in try transaction.count(entity)
        }
    }

    /// The ids at the other end of a relation, ascending, each once.
    package func links(
        of end: LinkEnd, after: UInt64 = 0, limit: Int = .max
    ) throws(DaybookError) -> [UInt64] {
        try either({ view throws(DaybookError) in
            try view.links(of: end, after: after, limit: limit)
        }) { transaction throws(DaybookError) in
            try transaction.links(of: end, after: after, limit: limit)
        }
    }

    /// How many objects there are at the other end; of a list, how many elements it has.
    package func linkCount(of end: LinkEnd) throws(DaybookError) -> Int {
        try either({ view throws(DaybookError) in try view.linkCount(of: end) }) {
            transaction throws(DaybookError) in try transaction.linkCount(of: end)
        }
    }

    /// The elements of a list, in order.
    package func list(
        _ relation: UInt32, _ source: UInt64
    ) throws(DaybookError) -> [ListElement] {
        try either({ view throws(DaybookError) in try view.list(relation, source) }) {
            transaction throws(DaybookError) in try transaction.list(relation, source)
        }
    }
}

// Rows in place, and what indexes lead to.
extension QueryAccess {
    /// Gives each living object's row to `body`, in the order of ids, until that returns false.
    package func scan(
        _ entity: UInt32, ids: ClosedRange<UInt64> = 0...UInt64.max,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        fatalError("to be written")
    }

    /// Gives the rows of those of the objects that live to `body`, in the order of the ids, until
    /// that returns false.
    package func forEachRow(
        _ entity: UInt32, _ ids: [UInt64],
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        fatalError("to be written")
    }

    /// The rows of those of the objects that live, in the order of the ids.
    package func rows(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) -> [StoredRow] {
        fatalError("to be written")
    }

    /// The indexes of an entity that can be asked: those that this version keeps and that have got
    /// to all objects. What they lack all the same is in ``unlisted(_:in:)``.
    package func indexes(of entity: UInt32) throws(DaybookError) -> [IndexPlan.Index] {
        fatalError("to be written")
    }

    /// Objects of which an index does not tell the truth, ascending: those whose rows could not be
    /// read when it got to them, and those that the running transaction has changed. Whoever asks
    /// the index drops them from what it says, and looks at the objects themselves.
    package func unlisted(
        _ entity: UInt32, in index: IndexPlan.Index
    ) throws(DaybookError) -> [UInt64] {
        fatalError("to be written")
    }

    /// How many entries of an index that is kept in order have keys from `lower` on and below
    /// `upper`; `limit` where there are more. Cost: a few ns for each page of entries.
    package func count(
        _ index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?, limit: Int
    ) throws(DaybookError) -> Int {
        fatalError("to be written")
    }

    /// Gives the ids behind those keys to `body`, some hundred at a time, in the order of the keys
    /// or in the opposite one, until that returns false.
    package func forEachId(
        _ index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?, isDescending: Bool,
        _ body: ([UInt64]) throws -> Bool
    ) throws {
        fatalError("to be written")
    }

    /// The same one at a time, with the keys.
    package func forEachEntry(
        _ index: IndexPlan.Index, from lower: [UInt8], before upper: [UInt8]?, isDescending: Bool,
        _ body: (_ key: [UInt8], _ id: UInt64) throws -> Bool
    ) throws {
        fatalError("to be written")
    }

    /// The ids under a hash in an index that is kept by hashes, ascending, up to `limit`: among
    /// them may be objects with other values.
    package func ids(
        _ index: IndexPlan.Index, hash: UInt64, limit: Int = .max
    ) throws(DaybookError) -> [UInt64] {
        fatalError("to be written")
    }
}

extension Engine {
    /// Runs a query over what this thread sees: inside a write transaction the state of that, else
    /// the newest visible version, which a read transaction holds.
    package func query<Result>(_ body: (QueryAccess) throws -> Result) throws -> Result {
        if case .write(let transaction)? = try TransactionContext.role(of: self) {
            return try body(QueryAccess(transaction, schemas))
        }
        return try read { try body(QueryAccess($0, schemas)) }
    }
}
