import DaybookBytes
import DaybookEngine

extension Box {
    /// The objects of the box, each as an excerpt.
    public func projections<P: EntityProjection>(
        _ type: P.Type
    ) -> Projections<P> where P.Root == E {
        Projections(box: self)
    }
}

/// The objects of an entity, each as an excerpt of which nothing else is read. Made by
/// ``Box/projections(_:)``; each call is a transaction of its own, as a box's is.
public struct Projections<P: EntityProjection>: Sendable {
    let box: Box<P.Root>

    /// The projection of the object under an id, or nil. Throws as ``Box/get(_:)-(Id)`` does.
    public func get(_ id: Id) throws -> P? {
        let binding = try box.binding()
        return try box.engine.row(binding.entity, id).map { try decode($0, binding) }
    }

    /// All of them, in the order of ids.
    public func all() throws -> [P] {
        var all: [P] = []
        all.reserveCapacity(try count())
        try forEach { all.append($0) }
        return all
    }

    /// Gives each to `body`, one at a time in the order of ids. All come from one version, which is
    /// held meanwhile. Throws what `body` throws, and as `get` does.
    public func forEach(_ body: (P) throws -> Void) throws {
        let binding = try box.binding()
        try box.engine.forEachRow(binding.entity) { row in
            try body(try decode(row, binding))
            return true
        }
    }

    /// How many objects there are.
    public func count() throws -> Int { try box.count() }

    /// Changes the object under an id through its projection, in one transaction, and returns what
    /// `body` returns.
    ///
    /// Throws `.notFound` where there is no such object, `.invalidArgument` where a property was
    /// changed that cannot be written back, what `body` throws, and as ``Box/put(_:mode:)`` does.
    /// Nothing is changed then. A change of a value that cannot be compared, where the path cannot
    /// be written, is not seen.
    @discardableResult
    public func update<Result>(_ id: Id, _ body: (inout P) throws -> Result) throws -> Result {
        let binding = try box.binding()
        return try box.engine.operate { transaction in
            guard let row = try transaction.row(binding.entity, id) else {
                throw DaybookError(
                    .notFound, "There is no \(P.Root.self) under the id \(id). Put it first.",
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
            try transaction.put(
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
