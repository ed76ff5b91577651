/// Retains a version: its pages do not change while the pin lives. For long reads, or reads that
/// outlive a call. ``PageSpace/withPinned(_:)`` is much cheaper for short reads.
package final class PagePin: Sendable {
    private let space: PageSpace
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

    /// A reader of the version. Must not be used after the pin is released.
    package var reader: PageReader { PageReader(space.table, version) }
}
