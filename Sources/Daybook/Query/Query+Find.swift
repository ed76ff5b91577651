import DaybookBytes
import DaybookEngine
import DaybookQuery

extension Query {
    /// The objects, in the query's order; in the order of ids if the query has no order.
    ///
    /// - Parameters:
    ///   - offset: the number of objects to skip, in addition to ``offset(_:)``.
    ///   - limit: the highest number of objects to return; none for 0. ``limit(_:)`` applies too.
    /// - Complexity: see ``explain(isRun:)``.
    @inlinable
    public func find(offset: Int = 0, limit: Int = .max) throws -> [E] {
        var objects: [E] = []
        // Inlined with the entity's own code, which decodes and gathers it without a look at types.
        try read(offset: offset, limit: limit, into: &objects) { objects, row in
            objects.append(try E.decode(row))
        }
        return objects
    }

    /// Gives each row to `add`, in the query's order, and reads along what is to be.
    @usableFromInline
    func read(
        offset: Int, limit: Int, into objects: inout [E],
        _ add: (_ objects: inout [E], _ row: borrowing RowReader) throws -> Void
    ) throws {
        let (runner, binding) = (try runner(offset: offset, limit: limit), try binding())
        try types.query { access in
            try runner.readRows(access) { bytes, layout, id in
                try binding.withReader(bytes, layout: layout, id: id, types) { row in
                    try add(&objects, row)
                }
            }
            for path in included { try path.load(objects) }
        }
    }

    /// As ``find(offset:limit:)``, whose array is contiguous already.
    public func findContiguous() throws -> ContiguousArray<E> { ContiguousArray(try find()) }

    /// The first object, or nil. It looks no further than it must.
    public func findFirst() throws -> E? {
        let (runner, binding) = (try runner(), try binding())
        return try types.query { access in
            try loaded(
                try runner.first(access).map { [try binding.decode($0, as: E.self, types)] } ?? []
            ).first
        }
    }

    /// The only object, or nil. Throws `.nonUniqueResult` where there are more.
    public func findUnique() throws -> E? {
        let found = try find(limit: 2)
        try Self.requireOne(found.count)
        return found.first
    }

    /// The ids of the objects, in the query's order. No object is made.
    public func findIds(offset: Int = 0, limit: Int = .max) throws -> [EntityId<E>] {
        let runner = try runner(offset: offset, limit: limit)
        return try types.query { try runner.ids($0).map { EntityId($0) } }
    }

    /// How many objects it finds, offset and limit included.
    public func count() throws -> Int {
        let runner = try runner()
        return try types.query { try runner.count($0) }
    }

    /// Whether it finds an object. Cost: it stops at the first.
    public func exists() throws -> Bool {
        let runner = try runner()
        return try types.query { try runner.exists($0) }
    }

    /// Whether it finds none. Cost: as ``exists()``.
    public func isEmpty() throws -> Bool { try !exists() }

    /// Gives each object to `body`, in the query's order, one at a time: neither they nor their
    /// rows are held. All come from one version; inside a write transaction, those are given that
    /// it finds at the beginning, each as it is when its turn comes. Throws what `body` throws.
    public func forEach(_ body: (E) throws -> Void) throws {
        try visit { object in
            try body(object)
            return true
        }
    }

    /// As `forEach`, until `visitor` returns false.
    public func visit(_ visitor: (E) throws -> Bool) throws {
        let (runner, binding) = (try runner(), try binding())
        try types.query { access in
            try runner.forEachRow(access) { row in
                try visitor(try loaded([try binding.decode(row, as: E.self, types)])[0])
            }
        }
    }

    /// Each object as an excerpt, of which nothing else is read.
    public func find<P: EntityProjection>(as type: P.Type) throws -> [P] where P.Root == E {
        let (runner, binding) = (try runner(), try binding())
        return try types.query { access in
            try runner.rows(access).map { try decode($0, as: P.self, binding) }
        }
    }

    /// Removes the objects in one transaction, as ``Box/remove(_:)-(Id)`` does; returns how many
    /// there were. Throws what every write throws; of a query in a view `.readOnly`.
    @discardableResult
    public func remove() throws -> Int {
        let (runner, entity) = (try removal(), try binding().entity)
        return try types.engine.operate { transaction in
            let ids = try types.query { try runner.ids($0) }
            return ids.isEmpty ? 0 : try transaction.remove(entity, ids)
        }
    }

    /// What it does, step by step: the indexes that it uses, how many objects each step was
    /// expected to give and, with `isRun`, gave.
    public func explain(isRun: Bool = false) throws -> ExplainedQuery {
        let runner = try runner()
        return try types.query { try runner.explain($0, isRun: isRun) }
    }

    func removal() throws(DaybookError) -> QueryRunner {
        let runner = try runner()
        guard types.view == nil else {
            throw DaybookError(
                .readOnly,
                "The query is of a version of the store, which cannot be changed. Use a box of the"
                    + " store.")
        }
        return runner
    }

    /// The objects, with those that are read along.
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
            "The query for one \(E.self) finds several. Make its condition narrower, or use"
                + " findFirst.", details: ["type": "\(E.self)"])
    }
}
