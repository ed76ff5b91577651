public import Daybook

// Realm's names for operations of a store. Each call is a transaction of its own, unless it runs
// inside `write`.

/// Realm's name for a store.
public typealias Realm = Store

extension Store {
    /// Realm's name for the effect of a stored object with the same primary key.
    public typealias UpdatePolicy = UpsertPolicy

    /// Stores an object, and the new objects in its relations.
    ///
    /// Unlike `put` of a box, it does not replace another object with the same primary key, unless
    /// `policy` says so; the policy also applies to the new objects in relations. An object that is
    /// stored already is stored again with its changes.
    ///
    /// - Throws: `.uniqueViolation` for an object with the same primary key; `.invalidArgument` for
    ///   another policy than `.error` in a class without a primary key; otherwise as `put` of a
    ///   box. Nothing is changed then.
    public func add<E: Object & Entity>(
        _ object: E, update policy: UpdatePolicy = .error
    ) throws {
        try add(CollectionOfOne(object), update: policy)
    }

    /// Stores objects in one transaction. Otherwise as `add` of one object.
    public func add<E: Object & Entity>(
        _ objects: some Sequence<E>, update policy: UpdatePolicy = .error
    ) throws {
        _ = try box(for: E.self).add(Array(objects), policy)
    }

    /// Stores an object with given values, and returns it.
    ///
    /// ```swift
    /// let rex = try realm.create(Dog.self, value: ["name": "Rex", "age": 3, "owner": ada])
    /// ```
    ///
    /// The other properties of a new object have their initial values. With the policies
    /// `.modified` and `.all`, an object with the same primary key keeps its other values.
    ///
    /// - Parameters:
    ///   - type: the type of the object.
    ///   - value: values and objects by the Swift names of the properties. A relation has an
    ///     object or an array of objects; the new ones are stored, too. An embedded value is a
    ///     dictionary.
    ///   - policy: the effect of a stored object with the same primary key.
    /// - Throws: `.invalidArgument` for an unknown property, with the nearest name, and for a value
    ///   that cannot be stored; `.invalidValue` for a value that does not fit the property's type;
    ///   otherwise as `add`. Nothing is changed then.
    @discardableResult
    public func create<E: Object & Entity>(
        _ type: E.Type, value: [String: Any] = [:], update policy: UpdatePolicy = .error
    ) throws -> E {
        try create(E(), value, update: policy)
    }

    /// Appends an event with given values by the Swift names of its properties. The other
    /// properties have their initial values. Throws as `create` of an object.
    public func create<E: AsymmetricObject & Event>(
        _ type: E.Type, value: [String: Any] = [:]
    ) throws {
        try append(E(), value)
    }

    /// Removes an object. Links to it are removed, too; the object in memory is unchanged. Does
    /// nothing if the object is not stored. Throws as `remove` of a box.
    public func delete<E: Object & Entity>(_ object: E) throws {
        try box(for: E.self).remove(object)
    }

    /// Removes objects in one transaction. Otherwise as `delete` of one object.
    public func delete<E: Object & Entity>(_ objects: some Sequence<E>) throws {
        try box(for: E.self).remove(Array(objects))
    }

    /// Removes the objects of a query in one transaction. Throws as `remove` of a query.
    public func delete<E: Object & Entity>(_ query: Query<E>) throws { try query.remove() }

    /// Removes the objects of all entities in one transaction, also of entities that the program
    /// does not declare. The schema, the events and the history stay. Memory: 8 bytes per object of
    /// an entity.
    ///
    /// - Throws: `.relationDenied` if a delete rule denies the removal of an object as long as
    ///   another one exists; `.corruption` for an object that cannot be read; and the errors of
    ///   every write. Nothing is removed then.
    public func deleteAll() throws {
        try write {
            for entity in try schema.entities where entity.kind == .object {
                let rows = try rows(of: entity.name)
                var ids: [Id] = []
                try rows.forEach { ids.append($0.id) }
                // Delete rules may have removed some of them.
                for id in ids { try rows.remove(id) }
            }
        }
    }

    /// Returns the object with a primary key, or nil. Same as `get(key:)` of a box.
    public func object<E: Object & Entity, Key: PropertyValue>(
        ofType type: E.Type, forPrimaryKey key: Key
    ) throws -> E? { try box(for: type).get(key: key) }

    /// Returns the query for all objects of a class:
    /// `realm.objects(Dog.self).where { $0.age > 3 }`.
    public func objects<E: Object & Entity>(_ type: E.Type) -> Query<E> { box(for: type).query() }
}

extension Query {
    /// Same as `and`.
    public func `where`(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query {
        try and(condition)
    }
}
