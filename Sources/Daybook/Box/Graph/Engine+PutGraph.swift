import DaybookEngine

extension Engine {
    /// Puts a graph as one operation. `build` runs inside the transaction.
    func putGraph(
        _ options: PutOptions, _ types: StoreTypes,
        _ build: (inout GraphBuilder) throws -> Void
    ) throws -> GraphOutcome {
        try putGraph { transaction in
            var builder = GraphBuilder(types)
            try build(&builder)
            let (graph, receipts) = builder.finish()
            return (try graph.put(in: transaction, options), receipts)
        }
    }

    /// Puts a graph as one operation, and updates its objects and relations. If the operation
    /// fails, the objects have their previous ids.
    @discardableResult
    func putGraph(
        _ put: (WriteTransaction) throws -> (GraphOutcome, GraphReceipts)
    ) throws -> GraphOutcome {
        var changed: [(object: any Entity, before: Id)] = []
        do {
            var outcome = GraphOutcome()
            try operate { transaction in
                let receipts: GraphReceipts
                (outcome, receipts) = try put(transaction)
                changed = receipts.settle(outcome, in: transaction)
            }
            return outcome
        } catch {
            for (object, id) in changed { GraphReceipts.setId(of: object, to: id) }
            throw error
        }
    }
}
