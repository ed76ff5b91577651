import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Finds the objects of a search for nearest neighbours in one version: the nearest objects that
/// match the other conditions of the query.
///
/// Compares all vectors if there are few, or if the other conditions leave few objects. Otherwise
/// searches the graph, and evaluates the other conditions for the nearest objects, for more and
/// more of them until enough match. If too many do not match, all matching objects are compared.
/// Objects that the index lacks are always compared. For one thread.
struct NearestRun {
    /// The way in which the objects were found, for descriptions.
    enum Method: String {
        case exact, graph
        /// Without an index, because it is not built yet.
        case rows
    }

    /// Up to this number of vectors, comparing all is faster than the graph.
    static let exactCountMax = 2_000
    /// The minimum number of slots that a search of the graph compares.
    private static let widthMin = 64

    /// The other conditions.
    private let rest: QueryRunner
    private let access: QueryAccess
    private let search: NearestSearch
    private let index: IndexPlan.Index
    let form: VectorForm
    private let isBuilt: Bool
    /// The vector as the index contains vectors.
    private let vector: [Float]
    private(set) var method = Method.exact
    /// The objects, nearest first.
    private(set) var neighbors: [VectorNeighbor] = []

    /// Searches. Throws `.invalidArgument` for a property without a vector index, and for a vector
    /// that has no distance to those of the index.
    init(_ query: QueryRunner, _ search: NearestSearch, _ access: QueryAccess) throws {
        let property = search.column.property
        let entity = query.model.entities[query.entity]?.name ?? "entity \(query.entity)"
        guard let found = try access.vectorIndex(over: property.propertyID, of: query.entity)
        else {
            throw DaybookError(
                .invalidArgument,
                "The property \(property.name) of \(entity) has no vector index. Declare it with"
                    + " @Vector(dimensions:metric:).",
                details: ["entity": entity, "property": property.name])
        }
        if let problem = found.form.problem(of: search.vector) {
            throw problem.error(property.name, of: entity, isQuery: true)
        }
        rest = query.matching
        self.access = access
        self.search = search
        (index, form, isBuilt) = found
        vector = found.form.stored(search.vector) ?? []
        guard search.count > 0 else { return }
        neighbors = try isBuilt ? indexed() : compared()
    }

    /// The search, for descriptions.
    var text: String {
        let entity = rest.model.entities[rest.entity]?.name ?? "entity \(rest.entity)"
        return "nearest \(search.count) by \(form.metric.word) \(entity).\(search.column.name),"
            + " \(method.rawValue)"
    }

    /// The property whose index was used; nil for none.
    var column: String? { isBuilt ? search.column.name : nil }

    /// The other conditions; nil for none.
    var filter: BoundCondition? { rest.condition == .always(true) ? nil : rest.condition }

    // MARK: Without the index

    /// Compares the rows of all matching objects.
    private mutating func compared() throws -> [VectorNeighbor] {
        method = .rows
        var nearest = NearestNeighbors(count: search.count)
        guard var rows = rowDistances else { return [] }
        try rest.readRows(access) { row, layout, id in
            if let distance = try rows.distance(of: row, layout: layout) {
                nearest.add(VectorNeighbor(id: id, distance: distance))
            }
        }
        return nearest.sorted()
    }

    private var rowDistances: RowDistances? {
        RowDistances(index, form, entity: rest.entity, query: vector, access)
    }

    // MARK: With the index

    private mutating func indexed() throws -> [VectorNeighbor] {
        let unlisted = try access.unlisted(rest.entity, in: index)
        var nearest = NearestNeighbors(count: search.count)
        try forEachDistance(unlisted) { nearest.add($0) }
        for neighbor in try listed(without: Set(unlisted)) { nearest.add(neighbor) }
        return nearest.sorted()
    }

    /// Passes the distances of objects that match and that the index lacks.
    private func forEachDistance(
        _ ids: [UInt64], _ body: (VectorNeighbor) -> Void
    ) throws {
        guard !ids.isEmpty, var rows = rowDistances else { return }
        let judge = RowEvaluator(rest.condition, access, entity: rest.entity)
        try access.forEachRow(rest.entity, ids) { row, layout, id in
            if try judge.isTrue(of: row, layout: layout, id: id),
                let distance = try rows.distance(of: row, layout: layout)
            {
                body(VectorNeighbor(id: id, distance: distance))
            }
            return true
        }
    }

    /// The nearest matching objects in the index, without some objects.
    private mutating func listed(without unlisted: Set<UInt64>) throws -> [VectorNeighbor] {
        let total = try access.searchVectors(index, form) { graph throws(DaybookError) in
            try graph.count()
        }
        if rest.condition == .always(true) {
            return try unconditional(total, without: unlisted)
        }
        let planner = Planner(rest, access)
        let path = try planner.bestPath(to: rest.condition, of: rest.entity)
        var estimate = path.estimate
        if case .scan = path.kind { estimate = total }
        if estimate > max(Self.exactCountMax, total / 16),
            let found = try filtered(total, without: unlisted)
        {
            return found
        }
        method = .exact
        let ids = try rest.ids(access).filter { !unlisted.contains($0) }
        try access.checkCancellation()
        let (vector, count) = (vector, search.count)
        return try access.searchVectors(index, form) { graph throws(DaybookError) in
            try graph.search(vector, among: ids, count: count)
        }
    }

    private mutating func unconditional(
        _ total: Int, without unlisted: Set<UInt64>
    ) throws -> [VectorNeighbor] {
        let (wanted, isOver) = search.count.addingReportingOverflow(unlisted.count)
        let count = isOver ? total : min(wanted, total)
        if total > Self.exactCountMax, count < total / 4 {
            let found = try graph(count).filter { !unlisted.contains($0.id) }
            // Links may not lead to all vectors.
            if found.count >= min(search.count, count - unlisted.count) {
                method = .graph
                return found
            }
        }
        let vector = vector
        return try access.searchVectors(index, form) { graph throws(DaybookError) in
            try graph.searchAll(vector, count: count)
        }.filter { !unlisted.contains($0.id) }
    }

    /// The nearest objects of the graph.
    private func graph(_ count: Int) throws(DaybookError) -> [VectorNeighbor] {
        let width = max(Self.widthMin, 2 * count)
        let vector = vector
        return try access.searchVectors(index, form) { graph throws(DaybookError) in
            try graph.search(vector, count: count, width: width)
        }
    }

    /// The nearest matching objects of the graph; nil if too few of the nearest objects match.
    private mutating func filtered(
        _ total: Int, without unlisted: Set<UInt64>
    ) throws -> [VectorNeighbor]? {
        let judge = RowEvaluator(rest.condition, access, entity: rest.entity)
        var judged: Set<UInt64> = unlisted
        var matching: Set<UInt64> = []
        var count = max(Self.widthMin, min(search.count, total) * 4)
        while count <= total / 8 {
            try access.checkCancellation()
            let found = try graph(count)
            let fresh = found.map(\.id).filter { judged.insert($0).inserted }.sorted()
            try access.forEachRow(rest.entity, fresh) { row, layout, id in
                if try judge.isTrue(of: row, layout: layout, id: id) { matching.insert(id) }
                return true
            }
            if matching.count >= search.count {
                method = .graph
                return found.filter { matching.contains($0.id) }
            }
            count *= 4
        }
        return nil
    }
}
