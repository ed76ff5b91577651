import DaybookBytes
import DaybookEngine
import DaybookRecords

// Puts return plain ids. The overloads are disfavored, so that programs that import
// `DaybookObjectBox` get ids of their declared types instead, as in ObjectBox.

extension Box {
    /// Stores an object and returns its id. Also sets the id of an object of a class.
    ///
    /// Id 0 means a new object; it gets the next id. Another id replaces the object with that id,
    /// or inserts the object if that one was removed. An id that the store never assigned is
    /// `.idUnknown`, unless the entity's ids are assignable.
    ///
    /// If another object has the same value of a unique property, the property's declaration
    /// decides what happens. In an entity with a primary key, the object with the same key is
    /// replaced.
    ///
    /// An object whose row is unreadable because of damage can be replaced; this also repairs its
    /// index entries. The values of properties that this program does not declare are lost with the
    /// row. While a unique index lacks another such object (``Store/maintenanceError``), a value
    /// that is not in the index is `.corruption`, because that object might have it. If that object
    /// cannot be read because of a disk error, it is `.inputOutput`; the put may be tried again.
    ///
    /// New objects in its relations are stored in the same transaction. Of its relations only
    /// changes are stored: see <doc:Relations>. An object that was removed and is put again has no
    /// relations until they are set.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - sequence: if not nil, the object is stored only if it is unchanged since that commit:
    ///     the value of ``sequence(of:)`` when the object was read, or any later commit at
    ///     which it was read, such as ``Store/sequence``. A later commit that changed or removed
    ///     the object is a `.conflict`. A commit that only changed its links is no conflict, and
    ///     neither are changes of the running transaction itself. An object without an id, whose
    ///     primary key no object has, is inserted. One more tree lookup.
    ///   - mode: whether the object may, or must, exist.
    /// - Throws: `.conflict`, whose `details` name the object (`"entity"`, `"id"`) and both commits
    ///   (`"expected"`, `"sequence"`); ``conflict(in:)`` returns the other version.
    ///   `.invalidArgument` for a sequence that does not exist yet. `.uniqueViolation` with the
    ///   property and the other object; `.primaryKeyChanged`; `.idExists` or `.notFound` as `mode`
    ///   requires; `.idUnknown`, `.idInvalid`; `.notFound` or
    ///   `.cannotRelateToUnsaved` for a relation to an object that is not stored, and
    ///   `.relationOfAnotherStore` for a relation that was read from another store; `.invalidValue`
    ///   for a property that cannot be stored; `.invalidArgument` for an object of a subclass,
    ///   because its own properties would be lost; and the errors of every write. Nothing is
    ///   changed then.
    /// - Complexity: one record in the log and one tree path. One sync, unless concurrent commits
    ///   share it or the durability does not require one.
    @_disfavoredOverload
    @discardableResult
    public func put(
        _ object: E, ifUnchangedSince sequence: UInt64? = nil, mode: PutMode = .put
    ) throws -> Id {
        var object = object
        return try put(&object, PutOptions(mode: mode, unchangedSince: sequence))
    }

    /// Stores a struct and sets its id. Otherwise as `put` of an object of a class.
    @_disfavoredOverload
    @discardableResult
    public func put(
        _ object: inout E, ifUnchangedSince sequence: UInt64? = nil, mode: PutMode = .put
    ) throws -> Id {
        try put(&object, PutOptions(mode: mode, unchangedSince: sequence))
    }

    func put(_ object: inout E, _ options: PutOptions) throws -> Id {
        let binding = try binding()
        if binding.hasRelations {
            let before = object.entityId
            let id = try putGraph([object], options).ids[0]
            if id != before { object.entityId = id }
            return id
        }
        let row = try binding.encode(object, types)
        let before = object.entityId
        let id = try engine.operate { transaction in
            try transaction.changes.put(
                binding.entity, before, layout: binding.layoutID, row: row.encoder.row,
                binding.completed(options)
            ).id
        }
        if id != before { object.entityId = id }
        return id
    }

    /// Stores objects in one transaction, all of them or none, and returns their ids in order. Sets
    /// the ids of objects of a class.
    ///
    /// An empty collection makes no transaction. Throws as `put` of one object.
    @_disfavoredOverload
    @discardableResult
    public func put(_ objects: some Collection<E>, mode: PutMode = .put) throws -> [Id] {
        try put(objects, PutOptions(mode: mode))
    }

    /// Stores structs in one transaction, all of them or none, sets their ids, and returns the ids
    /// in order.
    @_disfavoredOverload
    @discardableResult
    public func put(_ objects: inout [E], mode: PutMode = .put) throws -> [Id] {
        let ids = try put(objects, PutOptions(mode: mode))
        for (index, id) in zip(objects.indices, ids) where objects[index].entityId != id {
            objects[index].entityId = id
        }
        return ids
    }

    func put(_ objects: some Collection<E>, _ options: PutOptions) throws -> [Id] {
        try putAll(objects, options).ids
    }

    func putAll(_ objects: some Collection<E>, _ options: PutOptions) throws -> PutResult {
        let binding = try binding()
        // Free if it is an array already. Iterating over `some Collection` calls a witness per
        // object, which costs a tenth of the whole put.
        let objects = Array(objects)
        guard !objects.isEmpty else { return PutResult() }
        if binding.hasRelations { return try putGraph(objects, options) }
        let options = binding.completed(options)
        var result = PutResult()
        result.ids.reserveCapacity(objects.count)
        // Objects of a class get their ids at once, so an object that is in the collection twice is
        // stored once. If the transaction fails, the ids are reset.
        let isClass = E.self is AnyClass
        var idsBefore: [Id] = []
        do {
            try engine.operate { transaction in
                var writer = RowWriter(binding.layout, types)
                for index in objects.indices {
                    let object = objects[index]
                    let before = object.entityId
                    try binding.write(object, to: &writer)
                    let id = try transaction.changes.put(
                        binding.entity, before, layout: binding.layoutID, row: writer.encoder.row,
                        options, counting: &result.counts
                    ).id
                    if isClass {
                        idsBefore.append(before)
                        if id != before { Self.setId(of: object, to: id) }
                    }
                    result.ids.append(id)
                }
            }
        } catch {
            // From last to first, because an object may be in the collection twice.
            for (object, id) in zip(objects, idsBefore).reversed() {
                Self.setId(of: object, to: id)
            }
            throw error
        }
        return result
    }

    static func setId(of object: E, to id: Id) {
        var object = object
        object.entityId = id
    }
}

extension EntityBinding {
    /// Returns the options of a put, completed with the entity's own: assignable ids and the rules
    /// for unique conflicts.
    func completed(_ options: PutOptions) -> PutOptions {
        var options = options
        options.isAssignable = hasAssignableIds
        options.onConflict = onConflict
        return options
    }
}
