internal import DaybookBytes

/// The name of a tree: any number that the caller likes. A tree is there while it has entries.
package typealias TreeID = UInt32

/// A set of ordered trees in copy-on-write pages: one writer, any number of readers, versions.
///
/// The writer's calls (`begin`, the changes, `end`, `capture`, `working`, `checkStructure`) come
/// from one thread at a time, which the caller ensures. Everything else may be called from
/// anywhere.
@usableFromInline package final class PageSpace: @unchecked Sendable {
    // SENDABLE: the table, the slots and the published version are atomics; the pins are behind a
    // Mutex; `writer` is touched only by calls that the caller serialises (checked in debug
    // builds). `source` and `hasPages` change once, when nobody reads or writes any more.

    let table: PageTable
    let readers: ReaderRegistry
    /// What readers have worked out of its pages.
    let notes = PageNotes()
    private var source: GroupSource?
    /// Groups below this number are those of the space that this one is a fork of.
    let sharedGroupCount: Int
    let writer: WriterAccess
    private var hasPages = true

    /// An empty space at version {0, 0}.
    package convenience init() {
        self.init(source: nil, version: PageVersion(sequence: 0, catalog: 0))
    }

    init(source: GroupSource?, version: PageVersion) {
        self.source = source
        sharedGroupCount = source?.sharedGroupCount ?? 0
        table = PageTable(source: source)
        readers = ReaderRegistry(version)
        writer = WriterAccess(PageWriter(table: table, source: source, version: version))
    }

    deinit {
        discardPages()
        readers.deallocate()
    }

    /// Gives back all pages of its own, and the snapshot or space that others came from; what is
    /// left are the marks of the readers, some 16 KiB. Nobody may read or write any more: the
    /// caller has seen to that.
    func discardPages() {
        guard hasPages else { return }
        hasPages = false
        let groupCount = writer.withWriter { writer in writer.allocator.groupCount }
        writer.deallocate()
        table.deallocate(groups: sharedGroupCount..<groupCount)
        notes.removeAll()
        source = nil
    }

    /// What reads pages from a snapshot, if there is one.
    var loader: GroupLoader? { source?.loader }

    /// The newest version that readers see.
    package var publishedVersion: PageVersion { readers.publishedVersion }

    /// Makes a version visible: from now on readers see it. Callable from any thread; a version
    /// that is not newer than the published one changes nothing. Costs about 15 ns.
    package func publish(_ version: PageVersion) { readers.publish(version) }
}
