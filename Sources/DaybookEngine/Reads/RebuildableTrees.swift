package import DaybookBytes
import DaybookRecords
package import DaybookPages

/// A state of the store in trees whose pages are loaded from a snapshot when they are first used,
/// and may then prove to be damaged. The same state is then replayed from the log, and the read
/// continues in those trees.
package protocol RebuildableTrees {
    /// The trees. Reads of a damaged page throw.
    var trees: PageReader { get throws(DaybookError) }

    /// The trees that replace damaged ones.
    func rebuiltTrees() throws(DaybookError) -> PageReader
}

extension RebuildableTrees {
    /// Reads the trees; if a page is damaged, the trees that replace them.
    package func reading<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try body(try trees)
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
