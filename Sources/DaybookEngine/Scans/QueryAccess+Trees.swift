package import DaybookBytes
import DaybookRecords
package import DaybookPages

// The trees of the query.
extension QueryAccess: RebuildableTrees {
    package func withTrees<Result>(
        _ body: (PageReader) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        switch scope {
        case .read(let view): try view.withTrees(body)
        case .write(let transaction): try body(try working(transaction))
        }
    }

    package func hold() throws(DaybookError) -> HeldTrees {
        switch scope {
        case .read(let view): view.hold()
        case .write(let transaction): HeldTrees(working: try working(transaction))
        }
    }

    /// The trees at the beginning of a query in a transaction.
    private func working(_ transaction: WriteTransaction) throws(DaybookError) -> PageReader {
        try transaction.changes.requireUsable()
        guard let base else { preconditionFailure("a transaction has trees") }
        return base.working
    }

    package func rebuiltTrees() throws(DaybookError) -> PageReader {
        switch scope {
        case .read(let view): return try view.rebuiltTrees()
        case .write(let transaction):
            guard let base else { preconditionFailure("a transaction has trees") }
            let engine = transaction.changes.engine
            try engine.rebuild(replacing: base)
            return engine.slot.current.working
        }
    }

    /// The trees that have already replaced damaged ones.
    var treesRebuiltSoFar: PageReader? {
        switch scope {
        case .read(let view): return view.treesRebuiltSoFar
        case .write(let transaction):
            let current = transaction.changes.engine.slot.current
            return current === base ? nil : current.working
        }
    }
}
