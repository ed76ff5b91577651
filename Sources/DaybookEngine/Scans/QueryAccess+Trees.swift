package import DaybookBytes
import DaybookRecords
package import DaybookPages

// Which trees are read.
extension QueryAccess: MendableTrees {
    /// The trees that the query began with.
    package var trees: PageReader {
        get throws(DaybookError) {
            if let view { return view.trees }
            try transaction?.requireUsable()
            guard let base else { preconditionFailure("a transaction has trees") }
            return base.working
        }
    }

    package func mendedTrees() throws(DaybookError) -> PageReader {
        try either({ view throws(DaybookError) in try view.mendedTrees() }) {
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
            try either({ view throws(DaybookError) in view.treesMendedSoFar }) {
                transaction throws(DaybookError) in
                try transaction.withChanges { changes in
                    let current = changes.engine.slot.current
                    return current === base ? nil : current.working
                }
            }
        }
    }
}
