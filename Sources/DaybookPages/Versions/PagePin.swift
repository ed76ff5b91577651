/// Holds a version for as long as it lives: its pages stay as they are. For reads that take long or
/// outlive a call; for short ones ``PageSpace/withPinned(_:)`` is much cheaper.
package final class PagePin: Sendable {
    private let space: PageSpace
    /// The version that is held.
    package let version: PageVersion

    init(_ space: PageSpace) {
        self.space = space
        version = space.readers.register()
    }

    /// Pins the state that the writer holds, which need not be published.
    init(working version: PageVersion, of space: PageSpace) {
        self.space = space
        self.version = version
        space.readers.register(working: version)
    }

    deinit { space.readers.unregister(version.sequence) }

    /// What readers of any version have worked out of its space's pages.
    package var notes: PageNotes { space.notes }

    /// Reads the version. It must not be used after the pin is gone.
    package var reader: PageReader { PageReader(space.table, version) }
}
