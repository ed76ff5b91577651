import DaybookBytes
import DaybookEngine
import DaybookRecords

extension Box {
    /// Stores an object and returns its id; an object of a class also gets it.
    ///
    /// Id 0 means a new object, which gets the next id. Another id replaces the object under it, or
    /// inserts it there if it was removed; an id that the store never gave out is `.idUnknown`,
    /// unless the entity's ids are assignable.
    ///
    /// Where another object has the same value of a unique property, its declaration says what
    /// happens; an entity with a primary key replaces the object of the same key.
    ///
    /// An object whose row damage makes unreadable can be replaced, and its indexes are mended by
    /// that; values that this program does not declare are lost with the row. As long as a unique
    /// index lacks another such object (``Store/maintenanceError``), a value that the index does
    /// not know is `.corruption`: it might be that object's. Where the disk fails to read that
    /// object, it is `.inputOutput`, and may be tried again.
    ///
    /// New objects that its relations lead to are put in the same transaction, and of its relations
    /// what was changed: see <doc:Relations>. An object that was removed and is put again has no
    /// relations until they are set.
    ///
    /// - Throws: `.uniqueViolation`, naming the property and the other object;
    ///   `.primaryKeyChanged`; `.idExists` or `.notFound` as `mode` asks; `.idUnknown`,
    ///   `.idInvalid`; `.notFound` or `.cannotRelateToUnsaved` for a relation to what is not
    ///   stored, and `.relationOfAnotherStore` for one that was read there; `.invalidValue` for a
    ///   property that cannot be stored; `.invalidArgument` for an object of a subclass, whose own
    ///   properties would be lost; and what every write throws. Nothing is changed then.
    /// - Complexity: one record in the log, and one tree path; a sync unless one is shared or the
    ///   durability asks for none.
    @discardableResult
    public func put(_ object: E, mode: PutMode = .put) throws -> Id {
        var object = object
        return try put(&object, mode: mode)
    }

    /// Stores a struct and sets its id. Else as `put` of an object of a class.
    @discardableResult
    public func put(_ object: inout E, mode: PutMode = .put) throws -> Id {
        try put(&object, PutOptions(mode: mode))
    }

    func put(_ object: inout E, _ options: PutOptions) throws -> Id {
        let binding = try binding()
        if binding.hasRelations {
            let before = object.entityId
            let id = try putGraph([object], options)[0]
            if id != before { object.entityId = id }
            return id
        }
        let row = try binding.encode(object, types)
        let before = object.entityId
        let id = try engine.operate { transaction in
            try transaction.put(
                binding.entity, before, layout: binding.layoutID, row: row.encoder.row,
                binding.completed(options)
            ).id
        }
        if id != before { object.entityId = id }
        return id
    }

    /// Stores objects in one transaction: all of them or none. Objects of a class get their ids.
    ///
    /// An empty collection is no transaction at all. Throws as `put` of one object does.
    public func put(_ objects: some Collection<E>, mode: PutMode = .put) throws {
        _ = try putAndReturnIDs(objects, mode: mode)
    }

    /// Stores objects in one transaction: all of them or none.
    public func put(_ objects: E..., mode: PutMode = .put) throws {
        _ = try putAndReturnIDs(objects, mode: mode)
    }

    /// Stores structs in one transaction and sets their ids: all of them or none.
    public func put(_ objects: inout [E], mode: PutMode = .put) throws {
        let ids = try putAndReturnIDs(objects, mode: mode)
        for (index, id) in zip(objects.indices, ids) where objects[index].entityId != id {
            objects[index].entityId = id
        }
    }

    /// Stores objects in one transaction and returns their ids, in order.
    public func putAndReturnIDs(_ objects: E..., mode: PutMode = .put) throws -> [Id] {
        try putAndReturnIDs(objects, mode: mode)
    }

    /// Stores a struct and returns a copy that has its id.
    public func put(struct object: E, mode: PutMode = .put) throws -> E {
        var object = object
        try put(&object, mode: mode)
        return object
    }

    /// Stores structs in one transaction and returns copies that have their ids.
    public func put(structs objects: [E], mode: PutMode = .put) throws -> [E] {
        var objects = objects
        try put(&objects, mode: mode)
        return objects
    }

    /// Stores objects in one transaction and returns their ids, in order.
    public func putAndReturnIDs(
        _ objects: some Collection<E>, mode: PutMode = .put
    ) throws -> [Id] {
        try putAndReturnIDs(objects, PutOptions(mode: mode))
    }

    func putAndReturnIDs(
        _ objects: some Collection<E>, _ options: PutOptions
    ) throws -> [Id] {
        let binding = try binding()
        // An array, which costs nothing where it is one: an iterator of any collection is asked
        // through its witness for each object, a tenth of the whole put.
        let objects = Array(objects)
        guard !objects.isEmpty else { return [] }
        if binding.hasRelations { return try putGraph(objects, options) }
        let options = binding.completed(options)
        var ids: [Id] = []
        ids.reserveCapacity(objects.count)
        // Objects of a class get their ids at once, so that one that stands twice in the collection
        // is stored once; where the whole fails they are taken back.
        let isClass = E.self is AnyClass
        var idsBefore: [Id] = []
        do {
            try engine.operate { transaction in
                var writer = RowWriter(binding.layout, types)
                for index in objects.indices {
                    let object = objects[index]
                    let before = object.entityId
                    try binding.write(object, to: &writer)
                    let id = try transaction.put(
                        binding.entity, before, layout: binding.layoutID, row: writer.encoder.row,
                        options
                    ).id
                    if isClass {
                        idsBefore.append(before)
                        if id != before { Self.setId(of: object, to: id) }
                    }
                    ids.append(id)
                }
            }
        } catch {
            // From the last to the first: an object may stand twice.
            for (object, id) in zip(objects, idsBefore).reversed() {
                Self.setId(of: object, to: id)
            }
            throw error
        }
        return ids
    }

    static func setId(of object: E, to id: Id) {
        var object = object
        object.entityId = id
    }
}

extension EntityBinding {
    /// The options of a put, with the entity's own: assignable ids and the rules of conflicts.
    func completed(_ options: PutOptions) -> PutOptions {
        var options = options
        options.isAssignable = hasAssignableIds
        options.onConflict = onConflict
        return options
    }
}
