import DaybookBytes
import DaybookEngine

extension Box {
    /// Returns projections of the objects in the box.
    public func projections<P: EntityProjection>(
        _ type: P.Type
    ) -> Projections<P> where P.Root == E {
        Projections(box: self)
    }
}

/// Projections of the objects of an entity; only the projected properties are read. Created by
/// ``Box/projections(_:)``. Each call is a transaction of its own, as in a box.
public struct Projections<P: EntityProjection>: Sendable where P.Root: Entity {
    let box: Box<P.Root>

    /// Returns the projection of the object with an id, or nil. Throws as ``Box/get(_:)``.
    public func get(_ id: Id) throws -> P? {
        let binding = try box.binding()
        return try box.engine.row(binding.entity, id).map { try decode($0, binding) }
    }

    /// Returns all projections, in the order of ids.
    public func all() throws -> [P] {
        var all: [P] = []
        all.reserveCapacity(try count())
        try forEach { all.append($0) }
        return all
    }

    /// Calls `body` with each projection, one at a time in the order of ids. All come from one
    /// version, which is held meanwhile. Throws the error of `body`, and as `get`.
    public func forEach(_ body: (P) throws -> Void) throws {
        let binding = try box.binding()
        try box.engine.forEachRow(binding.entity) { row in
            try body(try decode(row, binding))
            return true
        }
    }

    /// Returns the number of objects.
    public func count() throws -> Int { try box.count() }

    /// Updates the object with an id through its projection, in one transaction, and returns the
    /// result of `body`.
    ///
    /// Throws `.notFound` if there is no such object, `.invalidArgument` if a property was changed
    /// that cannot be written back, the error of `body`, and as ``Box/put(_:mode:)``. Nothing is
    /// changed then. If a value is not `Equatable` and its path is not writable, a change of it is
    /// not detected.
    @discardableResult
    public func update<Result>(_ id: Id, _ body: (inout P) throws -> Result) throws -> Result {
        let binding = try box.binding()
        return try box.engine.operate { transaction in
            guard let row = try transaction.changes.row(binding.entity, id) else {
                throw DaybookError(
                    .notFound, "There is no \(P.Root.self) with the id \(id). Put it first.",
                    details: ["entity": binding.name, "id": "\(id)"])
            }
            var projection = try decode(row, binding)
            let result = try body(&projection)
            var root = try binding.decode(row, as: P.Root.self, box.types)
            root.entityId = id
            try projection.apply(to: &root)
            let options = PutOptions(mode: .update)
            if binding.hasRelations {
                _ = try box.putGraph([root], options)
                return result
            }
            let encoded = try binding.encode(root, box.types)
            try transaction.changes.put(
                binding.entity, id, layout: binding.layoutID, row: encoded.encoder.row,
                binding.completed(options))
            return result
        }
    }

    func decode(_ row: StoredRow, _ binding: EntityBinding) throws -> P {
        try binding.withReader(row, box.types) { reader in
            try P.decode(ProjectionReader(reader, binding.declared))
        }
    }
}
