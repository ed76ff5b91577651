package import DaybookBytes
import DaybookRecords
package import DaybookPages

/// A state of the store in trees whose pages are loaded from a snapshot when they are first used,
/// and may then prove to be damaged. The same state is then replayed from the log, and the read
/// continues in those trees.
package protocol RebuildableTrees {
    /// Passes the trees to `body`, which must not keep them. Reads of a damaged page throw.
    func withTrees<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result

    /// The trees for a cursor, with the memory of the pages that it reads.
    func hold() throws(DaybookError) -> HeldTrees

    /// The trees that replace damaged ones.
    func rebuiltTrees() throws(DaybookError) -> PageReader
}

/// Trees for a cursor. They are valid while this value exists, so the owner of the cursor keeps
/// both together.
package struct HeldTrees {
    /// Reads of a damaged page throw.
    package let reader: PageReader
    /// Nil for the trees of a transaction, whose pages are never evicted while it runs.
    private let pin: PagePin?

    /// The number of pages or batches after which a cursor takes new ones: evicted pages cannot be
    /// freed until then.
    package static let stepCountMax = 256

    package init(_ pin: PagePin) {
        reader = pin.reader
        self.pin = pin
    }

    init(working reader: PageReader) {
        self.reader = reader
        pin = nil
    }
}

extension RebuildableTrees {
    /// Reads the trees; if a page is damaged, the trees that replace them.
    package func reading<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try withTrees(body)
        } catch  where error.isDamagedSnapshot {
            return try body(try rebuiltTrees())
        }
    }

    /// Fills `entries` with the entries of objects, including removed ones.
    func lookUp(
        _ entity: UInt32, _ ids: ArraySlice<UInt64>, into entries: inout [WordEntry]
    ) throws(DaybookError) {
        try reading { reader throws(DaybookError) in
            entries.removeAll(keepingCapacity: true)
            try reader.get(IndexTree.objects(of: entity), ids, into: &entries)
        }
    }
}
