import DaybookBytes
import DaybookEngine
import DaybookRecords
public import DaybookRows

/// The objects of one entity without their types, in a store or in one version of it.
///
/// Objects are ``AnyRow`` values, and puts take values by name. The store may be opened without the
/// entity's type, or without any type.
///
/// ```swift
/// let people = try store.rows(of: "Person")
/// let id = try people.put(["name": "Ann", "age": 31])
/// let age = try people.get(id)?["age"]
/// ```
///
/// Each call is a transaction of its own, unless it runs inside ``Store/write(metadata:_:)`` or
/// ``Store/read(_:)``. Every call throws `.closed` after the store was closed, and `.corruption`
/// for damaged bytes.
public struct RowBox: Sendable {
    /// The name of the entity.
    public let entityName: String
    let types: StoreTypes

    init(_ entityName: String, _ types: StoreTypes) throws(DaybookError) {
        self.entityName = entityName
        self.types = types
        try types.requireOpen()
        _ = try form()
    }

    func form() throws(DaybookError) -> RowForm { try RowForm(entityName, types.engine.schemas) }

    /// Returns the object with an id, or nil. Cost: a tree lookup, one for each relation, and the
    /// object's frame from the cache or the disk.
    public func get(_ id: Id) throws -> AnyRow? {
        let form = try form()
        return try types.read {
            let scope = try types.scope()
            return try scope.row(form.entity, id).map { try form.object($0, in: scope) }
        }
    }

    /// Returns whether there is an object with the id. Cost: one tree lookup.
    public func contains(_ id: Id) throws -> Bool {
        try types.scope().contains(try form().entity, id)
    }

    /// Returns the number of objects. Cost: O(1).
    public func count() throws -> Int { try types.scope().count(try form().entity) }

    /// Returns all objects, in the order of their ids. Prefer `forEach` if they need not be in
    /// memory at once.
    public func all() throws -> [AnyRow] {
        var rows: [AnyRow] = []
        try forEach { rows.append($0) }
        return rows
    }

    /// Calls `body` with each object, one at a time in the order of ids. All objects come from one
    /// version. Throws the error of `body`.
    public func forEach(_ body: (AnyRow) throws -> Void) throws {
        let form = try form()
        try types.read {
            let scope = try types.scope()
            guard let view = scope.view else {
                return try types.engine.forEachRow(form.entity) { row in
                    try body(try form.object(row, in: scope))
                    return true
                }
            }
            var scan = view.scan(form.entity)
            while let row = try scan.next() { try body(try form.object(row, in: scope)) }
        }
    }

    /// Stores an object by its values and returns its id.
    ///
    /// Properties that `values` does not have keep their stored values; in a new object they are
    /// null, or zero if they are not optional. Relations that `links` does not have keep their
    /// targets; the others get exactly the given ones. Delete rules and converters belong to types
    /// and are not applied to values.
    ///
    /// - Parameters:
    ///   - values: the values by the names of the properties. Each must fit the type in
    ///     ``StoreSchema``. Integers may be given for floating-point and decimal numbers.
    ///   - id: the id of the object; 0 for a new object, or for the object with the same primary
    ///     key. An id that the store never assigned is allowed, so that objects can be copied with
    ///     their ids.
    ///   - links: the ids of the targets by the names of the relations.
    ///   - keys: the keys of the targets by the names of the relations, for maps of objects, in the
    ///     order of the ids in `links`. A map of objects needs a key for each id.
    ///   - mode: whether the object may, or must, exist.
    /// - Throws: `.invalidArgument` for an unknown name, with the nearest one, and for missing
    ///   keys; `.invalidValue` for a value that does not fit, with the property and its type, and
    ///   for a key that is too long; `.uniqueViolation`, `.idExists`, `.idInvalid`, and `.notFound`
    ///   as `mode` requires, and for a target that does not exist; `.readOnly` for a box of a view;
    ///   and the errors of every write. Nothing is changed then.
    @discardableResult
    public func put(
        _ values: [String: RowValue], id: Id = 0, links: [String: [Id]] = [:],
        keys: [String: [String]] = [:], mode: PutMode = .put
    ) throws -> Id {
        try requireWritable()
        return try types.engine.operate { transaction in
            let form = try form()
            let targets = try links.map { (try form.relation($0), $1, keys[$0]) }
            let outcome = try RowPut(form).put(
                values, id: id, PutOptions(mode: mode, isAssignable: true), in: transaction)
            for (relation, ids, keys) in targets {
                try form.setTargets(
                    of: relation, from: outcome.id, to: ids, keys: keys, in: transaction)
            }
            return outcome.id
        }
    }

    /// Removes the object with an id and its links, and returns whether there was one. The delete
    /// rules of the types that the store was opened with apply.
    ///
    /// Throws `.relationDenied` if a rule denies the removal, `.readOnly` for a box of a view, and
    /// the errors of every write. Nothing is changed then.
    @discardableResult
    public func remove(_ id: Id) throws -> Bool {
        try requireWritable()
        return try types.engine.operate { transaction in
            try transaction.changes.remove(try form().entity, id)
        }
    }

    private func requireWritable() throws(DaybookError) {
        guard types.view != nil else { return }
        throw DaybookError(
            .readOnly,
            "The rows belong to a view of the store, which cannot be changed. Use the rows of the"
                + " store.")
    }
}
