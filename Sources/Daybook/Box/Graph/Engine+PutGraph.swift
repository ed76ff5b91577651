import DaybookEngine

extension Engine {
    /// Puts a graph as one operation. `build` runs inside the transaction.
    func putGraph(
        _ options: PutOptions, _ types: StoreTypes,
        _ build: (inout GraphBuilder) throws -> Void
    ) throws -> GraphOutcome {
        var changed: [(object: any Entity, before: Id)] = []
        do {
            var outcome = GraphOutcome()
            try operate { transaction in
                var builder = GraphBuilder(types)
                try build(&builder)
                let (graph, receipts) = builder.finish()
                outcome = try graph.put(in: transaction, options)
                changed = receipts.settle(outcome, in: transaction)
            }
            return outcome
        } catch {
            for (object, id) in changed { GraphReceipts.setId(of: object, to: id) }
            throw error
        }
    }
}
