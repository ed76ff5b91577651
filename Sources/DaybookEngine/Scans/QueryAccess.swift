package import DaybookBytes
import DaybookRecords
import DaybookPages

/// What a query reads: one version of the store, or the state of the running transaction.
///
/// A version may be read by several threads; the state of a transaction by its own alone.
package final class QueryAccess {
    package let schemas: SchemaTable
    /// Nil where it reads the state of a transaction.
    package let view: ReadView?
    let transaction: WriteTransaction?
    /// The trees that the transaction began with.
    let base: PageSpace?
    /// Keeps their pages should others take their place.
    private let basePin: PagePin?

    /// Whether the caller no longer wants the result. Any thread of the query may call it.
    package var isCancelled: @Sendable () -> Bool = { false }
    /// The asynchronous operation that the query is a part of; its threads share it.
    private let cancellation = OperationCancellation.current

    package init(_ view: ReadView, _ schemas: SchemaTable) {
        self.schemas = schemas
        self.view = view
        transaction = nil
        base = nil
        basePin = nil
    }

    init(_ transaction: WriteTransaction, of engine: Engine) {
        schemas = engine.schemas
        view = nil
        self.transaction = transaction
        // Nobody replaces them meanwhile: this thread holds the writer lock.
        let current = engine.slot.current
        base = current
        basePin = current.pin()
    }

    func either<Result>(
        _ reading: (ReadView) throws(DaybookError) -> Result,
        _ writing: (WriteTransaction) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        if let view { return try reading(view) }
        guard let transaction else { preconditionFailure("there is the one or the other") }
        return try writing(transaction)
    }

    /// Throws `.interrupted` if the asynchronous operation was cancelled or ``isCancelled`` returns
    /// true. A blocking call in a cancelled task is not interrupted.
    package func checkCancellation() throws(DaybookError) {
        try cancellation?.check()
        if isCancelled() { throw .interrupted }
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

extension Engine {
    /// Runs a query over what this thread sees: inside a write transaction the state of that, else
    /// the newest visible version, which a read transaction holds.
    package func query<Result>(_ body: (QueryAccess) throws -> Result) throws -> Result {
        if case .write(let transaction)? = try TransactionContext.role(of: self) {
            return try body(QueryAccess(transaction, of: self))
        }
        return try read { try body(QueryAccess($0, schemas)) }
    }
}
