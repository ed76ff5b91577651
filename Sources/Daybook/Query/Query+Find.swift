import DaybookBytes
import DaybookEngine
import DaybookQuery

extension Query {
    /// Returns the objects in the query's order, or in the order of ids if the query has no order.
    ///
    /// - Throws: See ``Query``.
    /// - Complexity: See ``explain(isRun:)``.
    @inlinable
    public func find() throws -> [E] {
        var objects: [E] = []
        // Inlined into the client, so that the entity's decoding is specialized.
        try read(into: &objects) { objects, row in
            objects.append(try E.decode(row))
        }
        return objects
    }

    /// Calls `add` with each row in the query's order, and loads the included relations.
    @usableFromInline
    func read(
        into objects: inout [E],
        _ add: (_ objects: inout [E], _ row: borrowing RowReader) throws -> Void
    ) throws {
        let (runner, binding) = (try runner(), try binding())
        try types.query { access in
            try runner.readRows(access) { bytes, layout, id in
                try binding.withReader(bytes, layout: layout, id: id, types) { row in
                    try add(&objects, row)
                }
            }
            for path in included { try path.load(objects) }
        }
    }

    /// Returns the first object, or nil. Reads no more rows than needed.
    public func findFirst() throws -> E? {
        let (runner, binding) = (try runner(), try binding())
        return try types.query { access in
            try loaded(
                try runner.first(access).map { [try binding.decode($0, as: E.self, types)] } ?? []
            ).first
        }
    }

    /// Returns the only object, or nil if there is none. Throws `.nonUniqueResult` if there are
    /// several.
    public func findUnique() throws -> E? {
        let found = try part(offset: 0, limit: 2).find()
        try Self.requireOne(found.count)
        return found.first
    }

    /// Returns the ids of the objects in the query's order. No object is decoded.
    public func findIds() throws -> [EntityId<E>] {
        let runner = try runner()
        return try types.query { try runner.ids($0).map { EntityId($0) } }
    }

    /// Returns the number of objects. Offset and limit apply.
    public func count() throws -> Int {
        let runner = try runner()
        return try types.query { try runner.count($0) }
    }

    /// Returns whether the query finds no object. Cost: stops at the first object.
    public func isEmpty() throws -> Bool {
        let runner = try runner()
        return try types.query { try !runner.exists($0) }
    }

    /// Calls `body` with each object in the query's order. Objects and rows are read one at a time
    /// and not kept in memory. All objects are of one version. Inside a write transaction, the
    /// objects are determined at the beginning, and each is read when its turn comes. Rethrows the
    /// errors of `body`.
    public func forEach(_ body: (E) throws -> Void) throws {
        try visit { object in
            try body(object)
            return true
        }
    }

    /// Calls `visitor` with each object, as `forEach` does, until it returns false.
    public func visit(_ visitor: (E) throws -> Bool) throws {
        let (runner, binding) = (try runner(), try binding())
        try types.query { access in
            try runner.forEachRow(access) { row in
                try visitor(try loaded([try binding.decode(row, as: E.self, types)])[0])
            }
        }
    }

    /// Returns a projection of each object. Only the properties of the projection are read.
    public func find<P: EntityProjection>(as type: P.Type) throws -> [P] where P.Root == E {
        let (runner, binding) = (try runner(), try binding())
        return try types.query { access in
            try runner.rows(access).map { try decode($0, as: P.self, binding) }
        }
    }

    /// Removes the objects in one transaction, as ``Box/remove(_:ifUnchangedSince:)`` does,
    /// and returns their number. Throws the errors of every write, and `.readOnly` for a query of a
    /// view.
    @discardableResult
    public func remove() throws -> Int {
        let (runner, entity) = (try writing(), try binding().entity)
        return try types.engine.operate { transaction in
            let ids = try types.query { try runner.ids($0) }
            return ids.isEmpty ? 0 : try transaction.changes.remove(entity, ids)
        }
    }

    /// Returns the execution plan: the steps, the indexes that they use, and the expected number of
    /// objects of each step. If `isRun` is true, the query is run, and the plan also has the actual
    /// numbers.
    public func explain(isRun: Bool = false) throws -> ExplainedQuery {
        let runner = try runner()
        return try types.query { try runner.explain($0, isRun: isRun) }
    }

    func writing() throws(DaybookError) -> QueryRunner {
        let runner = try runner()
        guard types.view == nil else {
            throw DaybookError(
                .readOnly,
                "The query belongs to a view of the store, which cannot be changed. Use a box of"
                    + " the store.")
        }
        return runner
    }

    /// The objects, after loading the included relations.
    func loaded(_ objects: [E]) throws -> [E] {
        for path in included { try path.load(objects) }
        return objects
    }

    func decode<P: EntityProjection>(
        _ row: StoredRow, as type: P.Type, _ binding: EntityBinding
    ) throws -> P where P.Root == E {
        try binding.withReader(row, types) { reader in
            try P.decode(ProjectionReader(reader, binding.declared))
        }
    }

    static func requireOne(_ count: Int) throws(DaybookError) {
        guard count > 1 else { return }
        throw DaybookError(
            .nonUniqueResult,
            "The query for one \(E.self) finds several. Narrow its condition, or use findFirst.",
            details: ["type": "\(E.self)"])
    }
}
