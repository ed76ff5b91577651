package import DaybookBytes
import DaybookRecords
package import DaybookPages

// The trees of the query.
extension QueryAccess: RebuildableTrees {
    /// The trees at the beginning of the query.
    package var trees: PageReader {
        get throws(DaybookError) {
            switch scope {
            case .read(let view): return view.trees
            case .write(let transaction):
                try transaction.requireUsable()
                guard let base else { preconditionFailure("a transaction has trees") }
                return base.working
            }
        }
    }

    package func rebuiltTrees() throws(DaybookError) -> PageReader {
        switch scope {
        case .read(let view): return try view.rebuiltTrees()
        case .write(let transaction):
            guard let base else { preconditionFailure("a transaction has trees") }
            return try transaction.withChanges { changes throws(DaybookError) in
                try changes.engine.rebuild(replacing: base)
                return changes.engine.slot.current.working
            }
        }
    }

    /// The trees that have already replaced damaged ones.
    var treesRebuiltSoFar: PageReader? {
        get throws(DaybookError) {
            switch scope {
            case .read(let view): return view.treesRebuiltSoFar
            case .write(let transaction):
                return try transaction.withChanges { changes in
                    let current = changes.engine.slot.current
                    return current === base ? nil : current.working
                }
            }
        }
    }
}
