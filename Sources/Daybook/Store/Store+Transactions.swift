import DaybookEngine

extension Store {
    /// Runs `body` as one write transaction: all of its changes or none, and one commit.
    ///
    /// Writers queue; readers go on undisturbed. The operations of this store's boxes in `body`, on
    /// this thread, belong to it and see its changes.
    ///
    /// An operation that throws has changed nothing: catch its error, and the transaction may go
    /// on. A transaction inside another joins it; if the inner *block* throws, the whole is rolled
    /// back, even where the error is caught: everything after throws `.transactionDoomed`.
    ///
    /// Ids that were given out in a transaction that is rolled back are not given to other objects
    /// by this store while it is open, so an object that kept such an id may be put again.
    ///
    /// - Parameter metadata: The metadata that the log stores with the commit, such as an author, a
    ///   cause or a correlation; `daybook replay` prints it with each event. It adds to
    ///   ``CommitMetadata/current``, and replaces values of the same key. A transaction inside
    ///   another adds its pairs to those of the outer one. A transaction without changes writes
    ///   nothing, metadata included. At most 16 KiB in all.
    /// - Throws: what `body` throws, with nothing changed; `.invalidArgument` for longer metadata;
    ///   `.cannotWriteWhileReading` inside a read transaction; `.readOnly`, `.closed`,
    ///   `.outOfSpace`, `.durabilityUnknown`.
    @discardableResult
    public func write<Result>(
        metadata: CommitMetadata = CommitMetadata(), _ body: () throws -> Result
    ) throws -> Result {
        try engine.write(metadata: metadata.pairs) { _ in try body() }
    }

    /// Runs `body` over one version of the store: whatever is committed meanwhile, all reads in it
    /// agree.
    ///
    /// Nobody waits for a reader. Inside a write transaction it joins that one and sees its
    /// changes. Throws what `body` throws, and `.closed`.
    @discardableResult
    public func read<Result>(_ body: () throws -> Result) throws -> Result {
        try engine.readTransaction(body)
    }
}
