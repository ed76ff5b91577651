package import DaybookBytes
import DaybookRecords
import DaybookPages

/// The state that a query reads: a scope, with indexes and scans.
///
/// Several threads may read a version; only a transaction's own thread may read its state.
package final class QueryAccess {
    package let schemas: SchemaTable
    /// The objects and links that the query reads.
    package let scope: ReadScope
    /// The trees at the beginning of the query in a transaction.
    let base: PageSpace?
    /// Keeps the pages of ``base`` if other trees replace it.
    private let basePin: VersionPin?

    /// Delivers events about the query; nil for none.
    package let events: EventDelivery?

    /// Whether the caller no longer wants the result. Any thread of the query may call it.
    package var isCancelled: @Sendable () -> Bool = { false }
    /// The asynchronous operation that the query is a part of; its threads share it.
    private let cancellation = OperationCancellation.current

    /// - Parameter events: receives queries; nil for a part of a query, and without observers.
    package init(_ view: ReadView, _ schemas: SchemaTable, events: EventDelivery? = nil) {
        self.schemas = schemas
        self.events = events
        scope = .read(view)
        base = nil
        basePin = nil
    }

    init(_ transaction: WriteTransaction, of engine: Engine) {
        schemas = engine.schemas
        events = engine.events
        scope = .write(transaction)
        // No other thread replaces them: this thread holds the writer lock.
        let current = engine.slot.current
        base = current
        basePin = current.pinVersion()
    }

    /// The version; nil for the state of a transaction.
    package var view: ReadView? { scope.view }

    var transaction: WriteTransaction? { scope.transaction }

    /// Throws `.interrupted` if the asynchronous operation was cancelled or ``isCancelled`` returns
    /// true. A blocking call in a cancelled task is not interrupted.
    package func checkCancellation() throws(DaybookError) {
        try cancellation?.check()
        if isCancelled() { throw .interrupted }
    }
}

extension Engine {
    /// Runs a query over the state that this thread sees: its write transaction, otherwise the
    /// newest visible version, which a read transaction retains.
    package func query<Result>(_ body: (QueryAccess) throws -> Result) throws -> Result {
        if case .write(let transaction)? = try TransactionContext.role(of: self) {
            return try body(QueryAccess(transaction, of: self))
        }
        return try read { try body(QueryAccess($0, schemas, events: events)) }
    }
}
