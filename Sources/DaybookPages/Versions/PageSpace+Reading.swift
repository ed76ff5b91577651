extension PageSpace {
    /// Runs `body` with a reader of the published version, which stays valid until `body` returns.
    ///
    /// Takes no lock and touches no shared counter: about 10 ns. Calls may be nested, and the
    /// reader must not escape. For long reads use ``pin()``, because the number of slots is
    /// limited.
    @inlinable
    package func withPinned<Result, Failure: Error>(
        _ body: (PageReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let claim = enter()
        defer { leave(claim) }
        return try body(claim.reader)
    }

    /// Retains the published version until the returned object is released. Retains the space, too.
    package func pinVersion() -> VersionPin { VersionPin(self) }

    /// Retains the published version and the memory of its pages until the returned object is
    /// released.
    package func pin() -> PagePin { pinVersion().hold() }

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

    /// The sequence of the oldest version in use, or of the published version if no reads are
    /// running. Later reads use this version or a newer one.
    package var oldestPinnedSequence: UInt64 {
        var pinned: [UInt64] = []
        let published = readers.look(into: &pinned)
        return min(published, pinned.first ?? published)
    }

    /// Whether any read is running. After the slot replaced this space, no new reads start, except
    /// on a thread that was suspended between finding the space and entering it.
    package var isRead: Bool {
        var pinned: [UInt64] = []
        _ = readers.look(into: &pinned)
        return !pinned.isEmpty
    }
}
