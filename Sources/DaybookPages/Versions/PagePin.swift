/// Retains a version with the memory of its pages, for cursors and readers that outlive a call.
///
/// While the pin lives, evicted pages cannot be freed. So a long scan should replace it from time
/// to time, with ``VersionPin/hold()``. ``PageSpace/withPinned(_:)`` is much cheaper for short
/// reads.
package final class PagePin: Sendable {
    private let pinned: VersionPin
    private let hold: UInt64

    init(_ pinned: VersionPin) {
        self.pinned = pinned
        hold = pinned.space.readers.hold()
    }

    deinit { pinned.space.readers.release(hold) }

    /// The pinned version.
    package var version: PageVersion { pinned.version }

    /// A reader of the version. Must not be used after the pin is released.
    package var reader: PageReader { PageReader(pinned.space.table, version) }
}
