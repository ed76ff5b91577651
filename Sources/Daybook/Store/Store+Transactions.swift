import DaybookEngine

extension Store {
    /// Runs `body` as one write transaction: all of its changes in one commit, or none.
    ///
    /// Writers queue; readers are not blocked. All operations of this store's boxes in `body`, on
    /// this thread, belong to the transaction and see its changes.
    ///
    /// An operation that throws has changed nothing. If `body` catches its error, the transaction
    /// can continue. A nested transaction joins the outer one. If the nested *block* throws, the
    /// whole transaction is rolled back, even if the error is caught: every later operation throws
    /// `.transactionAborted`.
    ///
    /// Ids assigned in a transaction that is rolled back are not assigned to other objects while
    /// this store is open. So an object that kept such an id may be put again.
    ///
    /// - Parameters:
    ///   - metadata: pairs that the log stores with the commit, such as an author, a cause or a
    ///     correlation; `daybook replay` prints them with each event. The pairs of
    ///     ``CommitMetadata/current`` are added; if both have a key, `metadata` takes precedence. A
    ///     nested transaction adds its pairs to the outer transaction, and replaces pairs with the
    ///     same key. A transaction without changes writes nothing, not even its metadata. At most
    ///     16 KiB in total.
    ///   - body: the reads and writes of the transaction.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, with nothing changed; `.invalidArgument` for metadata over 16
    ///   KiB; `.cannotWriteWhileReading` inside a read transaction; `.readOnly`, `.closed`,
    ///   `.outOfSpace`, `.durabilityUnknown`.
    @discardableResult
    public func write<Result>(
        metadata: CommitMetadata = CommitMetadata(), _ body: () throws -> Result
    ) throws -> Result {
        try engine.write(metadata: metadata.pairs) { _ in try body() }
    }

    /// Runs `body` over one version of the store. All reads in it agree, whatever is committed
    /// meanwhile.
    ///
    /// A read transaction blocks no writer. Inside a write transaction, it joins that transaction
    /// and sees its changes. Throws the error of `body`, and `.closed`.
    @discardableResult
    public func read<Result>(_ body: () throws -> Result) throws -> Result {
        try engine.readTransaction(body)
    }
}
