package import DaybookBytes
package import DaybookRecords
import DaybookPages

// Searches for nearest neighbours.
extension QueryAccess {
    /// The vector index over a property, and whether it is built in this version; nil if the entity
    /// declares none.
    package func vectorIndex(
        over property: UInt32, of entity: UInt32
    ) throws(DaybookError) -> (index: IndexPlan.Index, form: VectorForm, isBuilt: Bool)? {
        for index in schemas.traits(of: entity).plan?.indexes ?? [] {
            guard case .vector(let form) = index.form,
                index.definition.propertyIDs == [property]
            else { continue }
            let built = try indexes(of: entity, over: property)
            return (index, form, built.contains { $0.indexID == index.indexID })
        }
        return nil
    }

    /// Passes the graph of a vector index to `body`; if its pages are damaged, passes the rebuilt
    /// index. Vectors that are read stay in memory as long as there is room: a quarter of the
    /// budget of the frame cache, apart from the columns of scans. After several searches in one
    /// version, links that are read stay in memory, too, in the room that vectors leave.
    package func searchVectors<Result>(
        _ index: IndexPlan.Index, _ form: VectorForm,
        _ body: (inout VectorGraph) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            let memories = memories
            return try withTrees { reader throws(DaybookError) in
                var graph = VectorGraph(reader, index: index.indexID, form, memories)
                return try body(&graph)
            }
        } catch  where error.isDamagedSnapshot {
            // Slots of rebuilt trees have other vectors.
            let rebuilt = try rebuiltTrees(for: index, after: 0)
            var graph = VectorGraph(rebuilt, index: index.indexID, form, VectorMemories())
            return try body(&graph)
        }
    }

    private var memories: VectorMemories {
        guard let view else { return base?.vectors ?? VectorMemories() }
        let memories = view.vectors
        memories.budgetBytes = view.noteBudgetBytes
        return memories
    }
}

/// Measures the vectors in rows, for objects that are not in the index. For one thread.
package struct RowDistances {
    private var keys: KeyReader
    private let index: IndexPlan.Index
    private let metric: VectorMetric
    private let query: PaddedVector
    private let schemas: SchemaTable

    /// - Parameter query: the vector, as ``VectorForm/stored(_:)`` returns it.
    package init?(
        _ index: IndexPlan.Index, _ form: VectorForm, entity: UInt32, query: [Float],
        _ access: QueryAccess
    ) {
        guard let plan = access.schemas.traits(of: entity).plan else { return nil }
        keys = KeyReader(plan)
        self.index = index
        metric = form.metric
        self.query = PaddedVector(query)
        schemas = access.schemas
    }

    /// The distance of a row's vector; nil for a row without a vector that can be in the index.
    /// Throws `.corruption` for a damaged row.
    package mutating func distance(
        of row: Span<UInt8>, layout: UInt32
    ) throws(DaybookError) -> Float? {
        let schemas = schemas
        let key = try keys.keys(of: row, layout: layout, in: [index]) { id throws(DaybookError) in
            try schemas.rowLayout(id)
        }.first
        guard let key, !key.bytes.isEmpty else { return nil }
        return query.distance(metric, to: PaddedVector(littleEndian: key.bytes.span))
    }
}
