package import DaybookBytes

/// The id of a tree, chosen by the caller. A tree exists while it has entries.
package typealias TreeID = UInt32

/// A set of ordered trees in copy-on-write pages, with one writer, any number of readers, and
/// versions.
///
/// The caller makes the writer's calls (`begin`, the changes, `end`, `capture`, `working`,
/// `checkStructure`) on one thread at a time. All other calls are allowed on any thread.
@usableFromInline package final class PageSpace: @unchecked Sendable {
    // SENDABLE: the table, the slots and the published version are atomics; the pins are protected
    // by a Mutex; `writer` is used only by calls that the caller serialises (checked in debug
    // builds). `hasPages` changes once, after all reads and writes.

    let table: PageTable
    let readers: ReaderRegistry
    /// The cache of data derived from its pages.
    package let notes = DerivedPageCache()
    /// The vectors in memory of its vector indexes.
    package let vectors = VectorMemories()
    let source: GroupSource
    /// Groups below this number belong to the base of the fork.
    let sharedGroupCount: Int
    let writer: WriterAccess
    private var hasPages = true

    /// Creates an empty space at version {0, 0}.
    package convenience init() {
        self.init(source: GroupSource(), version: PageVersion(sequence: 0, catalog: 0))
    }

    init(source: GroupSource, version: PageVersion) {
        self.source = source
        sharedGroupCount = source.sharedGroupCount
        table = PageTable(source: source)
        readers = ReaderRegistry(version)
        writer = WriterAccess(PageWriter(table: table, source: source, version: version))
    }

    deinit {
        discardPages()
        readers.deallocate()
    }

    /// Frees the space's own pages and releases the snapshot or base of the others. Only the reader
    /// registry remains, some 16 KiB. The caller ensures that all reads and writes have ended.
    func discardPages() {
        guard hasPages else { return }
        hasPages = false
        let groupCount = writer.withWriter { writer in writer.allocator.groupCount }
        writer.deallocate()
        table.deallocate(groups: sharedGroupCount..<groupCount)
        source.discard()
        notes.removeAll()
        vectors.removeAll()
    }

    /// Reads pages from the adopted snapshot, if there is one.
    var loader: GroupLoader? { source.loader }

    /// The newest version that readers see.
    package var publishedVersion: PageVersion { readers.publishedVersion }

    /// Publishes a version: new reads use it. Callable on any thread. Publishing a version that is
    /// not newer has no effect. About 15 ns.
    package func publish(_ version: PageVersion) { readers.publish(version) }
}
