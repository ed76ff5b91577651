package import DaybookBytes

/// Retains a version: its pages do not change while the pin lives. Pages that the version shares
/// with a snapshot may leave the memory between two reads.
package final class VersionPin: Sendable {
    let space: PageSpace
    /// The pinned version.
    package let version: PageVersion

    init(_ space: PageSpace) {
        self.space = space
        version = space.readers.register()
    }

    /// Pins the writer's state, which may be unpublished.
    init(working version: PageVersion, of space: PageSpace) {
        self.space = space
        self.version = version
        space.readers.register(working: version)
    }

    deinit { space.readers.unregister(version.sequence) }

    /// The cache of data derived from the pages of the version's space.
    package var notes: DerivedPageCache { space.notes }

    /// The vectors in memory of the version's space.
    package var vectors: VectorMemories { space.vectors }

    /// Runs `body` with a reader of the version, which stays valid until `body` returns. Costs as
    /// much as ``PageSpace/withPinned(_:)``.
    package func withReader<Result, Failure: Error>(
        _ body: (PageReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let claim = space.enter()
        defer { space.leave(claim) }
        return try body(PageReader(space.table, version))
    }

    /// Retains the version and the memory that is read from now on.
    package func hold() -> PagePin { PagePin(self) }
}
