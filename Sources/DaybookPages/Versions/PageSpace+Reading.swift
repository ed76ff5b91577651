extension PageSpace {
    /// Runs `body` with a reader of the published version, which holds until `body` returns.
    ///
    /// Takes no lock and touches no shared count: about 10 ns. Calls may be nested and must not
    /// leak the reader. For long reads take a ``pin()``: a slot that is held long is lost to other
    /// readers.
    @inlinable
    package func withPinned<Result, Failure: Error>(
        _ body: (PageReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let claim = enter()
        defer { leave(claim) }
        return try body(claim.reader)
    }

    /// Holds the published version until the returned object is released. Keeps the space alive.
    package func pin() -> PagePin { PagePin(self) }

    /// A claimed version.
    @usableFromInline
    struct Claim {
        @usableFromInline let reader: PageReader
        let ticket: Int
    }

    @usableFromInline
    func enter() -> Claim {
        let (version, ticket) = readers.enter()
        return Claim(reader: PageReader(table, version), ticket: ticket)
    }

    @usableFromInline
    func leave(_ claim: Claim) { readers.leave(claim.reader.sequence, claim.ticket) }
}
