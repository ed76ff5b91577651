package import DaybookBytes
import DaybookRecords
package import DaybookPages

/// A state of the store in trees that may prove to be damaged, for the pages of a snapshot come
/// when they are touched. Then the same state is folded from the log, which still has all that the
/// snapshot said, and what was begun goes on there.
package protocol MendableTrees {
    /// The trees as they are.
    var trees: PageReader { get throws(DaybookError) }

    /// The trees that take the place of damaged ones.
    func mendedTrees() throws(DaybookError) -> PageReader
}

extension MendableTrees {
    /// Reads the trees, and where they are damaged those that take their place.
    package func reading<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try body(try trees)
        } catch  where error.isDamagedSnapshot {
            return try body(try mendedTrees())
        }
    }

    /// Makes `entries` those of the objects that there are or were.
    func lookUp(
        _ entity: UInt32, _ ids: ArraySlice<UInt64>, into entries: inout [WordEntry]
    ) throws(DaybookError) {
        try reading { reader throws(DaybookError) in
            entries.removeAll(keepingCapacity: true)
            try reader.get(IndexTree.objects(of: entity), ids, into: &entries)
        }
    }
}
