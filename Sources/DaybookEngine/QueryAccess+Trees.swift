import DaybookBytes
import DaybookIndex
import DaybookPages

// Which trees are read. Those of a snapshot may prove to be damaged in the middle of a query: then
// the same state is folded from the log, and what was begun goes on there.
extension QueryAccess {
    /// The trees that the query began with.
    var trees: PageReader {
        get throws(DaybookError) {
            if let view { return view.reader }
            try transaction?.requireUsable()
            guard let base else { preconditionFailure("a transaction has trees") }
            return base.working
        }
    }

    /// The trees that take the place of damaged ones.
    func mendedTrees() throws(DaybookError) -> PageReader {
        try either({ view throws(DaybookError) in try view.mendedReader() }) {
            transaction throws(DaybookError) in
            guard let base else { preconditionFailure("a transaction has trees") }
            return try transaction.withChanges { changes throws(DaybookError) in
                try changes.engine.rebuild(replacing: base)
                return changes.engine.slot.current.working
            }
        }
    }

    /// The trees that have taken the place of damaged ones already.
    var treesMendedSoFar: PageReader? {
        get throws(DaybookError) {
            try either({ view throws(DaybookError) in view.readerMendedSoFar }) {
                transaction throws(DaybookError) in
                try transaction.withChanges { changes in
                    let current = changes.engine.slot.current
                    return current === base ? nil : current.working
                }
            }
        }
    }

    /// Reads the trees, and where they are damaged those that take their place.
    func reading<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            return try body(try trees)
        } catch  where error.isDamagedSnapshot {
            return try body(try mendedTrees())
        }
    }
}
