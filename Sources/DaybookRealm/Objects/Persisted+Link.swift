public import Daybook

// A property of an optional object is a to-one relation. Generated code reads and writes it through
// the wrapper, because the code cannot know whether an optional class is an object or an embedded
// value.

extension Persisted where Value: OptionalValue, Value.Wrapped: Object & Entity {
    /// The link of the property: `try dog.$owner.link.get()` reads the object, and throws if it
    /// cannot be read, whereas `dog.owner` is nil then.
    ///
    /// The link also provides the id of the object without a read of the object, the error of the
    /// last read, and `reset()`. `box.including(\.$owner.link)` reads the objects of many links in
    /// one pass.
    public var link: ToOne<Value.Wrapped> {
        (self as? Persisted<Value.Wrapped?>)?.relation() ?? nil
    }
}

extension Persisted {
    fileprivate init<E: Object & Entity>(_ relation: ToOne<E>) where Value == E? {
        value = nil
        persistedLink = PersistedLink(relation, empty: nil)
    }

    fileprivate func relation<E: Object & Entity>() -> ToOne<E> where Value == E? {
        persistedLink?.relation { ToOne($0) } ?? ToOne(value)
    }
}

extension RowReader {
    /// Reads a property that is not a link.
    public func read<Value: PropertyValue>(_ index: Int) throws -> Persisted<Value> {
        Persisted(wrappedValue: try read(index))
    }

    /// Reads an optional case by its raw value.
    @_disfavoredOverload
    public func read<E: RawRepresentable>(_ index: Int) throws -> Persisted<E?>
    where E.RawValue: PropertyValue & Equatable {
        Persisted(wrappedValue: try read(index))
    }

    /// Reads a link to an object. The link and the object are read at the first access.
    public func read<E: Object & Entity>(_ index: Int) throws -> Persisted<E?> {
        Persisted(try read(index, as: ToOne<E>.self))
    }
}

extension RowWriter {
    /// Writes a property that is not a link.
    public mutating func write<Value: PropertyValue>(
        _ value: Persisted<Value>, at index: Int
    ) throws {
        try write(value.wrappedValue, at: index)
    }

    /// Writes the raw value of an optional case.
    @_disfavoredOverload
    public mutating func write<E: RawRepresentable>(
        _ value: Persisted<E?>, at index: Int
    ) throws where E.RawValue: PropertyValue & Equatable {
        try write(value.wrappedValue, at: index)
    }

    /// Adds a link to the put. The row contains no data of it.
    public mutating func write<E: Object & Entity>(
        _ value: Persisted<E?>, at index: Int
    ) throws {
        try write(value.relation(), at: index)
    }
}

extension ProjectionReader {
    /// Reads the object of a link. Throws if it cannot be read.
    public func read<E: Object & Entity>(
        _ path: KeyPath<Root, E?>, named name: String
    ) throws -> E? {
        guard let index = index(of: name, storedAs: .toOne(E.self)) else {
            return try readWhole(path)
        }
        return try row.read(index, as: ToOne<E>.self).get()
    }
}

extension Property {
    /// Creates the property with a Swift name. The path provides the type, and is not kept.
    public init(_ path: KeyPath<Root, Persisted<Value>>, _ name: String)
    where Value: PropertyValue {
        self.init(name)
    }

    /// Creates the property of an optional case. The path provides the type, and is not kept.
    @_disfavoredOverload
    public init<E: RawRepresentable>(_ path: KeyPath<Root, Persisted<E?>>, _ name: String)
    where Value == E?, E.RawValue: PropertyValue & Equatable {
        self.init(name)
    }

    /// Creates the property of a link. The path provides the type, and is not kept.
    public init<E: Object & Entity>(_ path: KeyPath<Root, Persisted<E?>>, _ name: String)
    where Value == ToOne<E> {
        self.init(name)
    }
}

extension PropertyDescription {
    /// Describes a link to an object.
    public static func property<E: Object & Entity>(
        _ name: String, _ type: E?.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(relation: name, .toOne(E.self), attributes)
    }

    /// Describes a link to an object whose type is inferred by the compiler.
    public static func property<Root, E: Object & Entity>(
        _ name: String, _ path: KeyPath<Root, Persisted<E?>>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(relation: name, .toOne(E.self), attributes)
    }

    /// Describes a property that is not a link and whose type is inferred by the compiler.
    public static func property<Root, Value: PropertyValue>(
        _ name: String, _ path: KeyPath<Root, Persisted<Value>>,
        _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, of: Value.self, attributes)
    }
}
