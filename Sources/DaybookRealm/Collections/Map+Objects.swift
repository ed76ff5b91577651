public import Daybook

// A map of objects is a relation.

extension Map where Key == String, Value: OptionalValue, Value.Wrapped: Object & Entity {
    /// The ids of the objects by their keys; 0 for an object that is not stored yet. Reads the
    /// objects if they were not read. Empty if they cannot be read.
    public var ids: [String: Id] {
        members.mapValues { ($0 as Any as? Value.Wrapped)?.entityId ?? 0 }
    }

    /// Whether the objects are in memory.
    public var resolved: Bool { list?.isResolved ?? true }

    /// The error of the last read; nil if it succeeded. After an error, the map shows none of the
    /// stored objects, and a put removes none of them.
    public var failure: DaybookError? { list?.failure }

    /// Reads the objects unless they are in memory. Throws the errors of `get` of a box.
    public func resolve() throws { try list?.resolve() }

    /// `resolve` without blocking.
    public nonisolated(nonsending) func resolve() async throws { try await list?.resolve() }

    /// Discards the objects that were read, and the changes that were not put. The next access
    /// reads the map again. Has no effect if the object that contains the map was never put.
    public func reset() { list?.reset() }

    /// The links of a map that was read or put.
    fileprivate var list: ListRelation<Value.Wrapped>? {
        (relation as Any as? ObjectMapRelation<Value.Wrapped>)?.links
    }
}

extension Map where Key == String {
    /// The links. After the first put, a map of objects tracks its changes.
    fileprivate func links<E: Object & Entity>() -> ListRelation<E> where Value == E? {
        if let relation = relation as? ObjectMapRelation<E> { return relation.links }
        let pairs = own.compactMap { key, value in value.map { (key: key, element: $0) } }
        let made = ListRelation(pairs, isSet: isSet)
        relation = ObjectMapRelation(made)
        return made
    }
}

extension Map: ObjectRelation
where Key == String, Value: OptionalValue, Value.Wrapped: Object & Entity {
    /// Reads the objects of many maps in one pass. See `ObjectRelation`.
    @discardableResult
    public static func load(_ relations: [Map]) throws -> [Value.Wrapped] {
        try ListRelation.load(relations.compactMap(\.list))
        return loaded(relations)
    }

    /// `load` without blocking.
    @discardableResult
    public nonisolated(nonsending) static func load(
        _ relations: [Map]
    ) async throws -> [Value.Wrapped] {
        try await ListRelation.load(relations.compactMap(\.list))
        return loaded(relations)
    }

    private static func loaded(_ relations: [Map]) -> [Value.Wrapped] {
        relations.flatMap { $0.members.values.compactMap { $0 as Any as? Value.Wrapped } }
            .map { ($0, $0) }.distinct { $0.entityId }
    }
}

extension Map: ToManyRelation
where Key == String, Value: OptionalValue, Value.Wrapped: Object & Entity {
    /// The type of the related objects.
    public typealias Target = Value.Wrapped
}

extension RowReader {
    /// Reads a map of objects. The links and the objects are read at the first access.
    public func read<E: Object & Entity>(_ index: Int) throws -> Map<String, E?> {
        let map = Map<String, E?>()
        if let links: ListRelation<E> = try self.map(index) {
            map.relation = ObjectMapRelation(links)
        }
        return map
    }
}

extension RowWriter {
    /// Collects the links of a map of objects. The row contains no links.
    public mutating func write<E: Object & Entity>(
        _ value: Map<String, E?>, at index: Int
    ) throws {
        try writeMap(value.links(), at: index) { try MapKey.check($0, of: $1) }
    }
}

extension ProjectionReader {
    /// Reads a map of objects. The links and the objects are read at the first access.
    public func read<E: Object & Entity>(
        _ path: KeyPath<Root, Map<String, E?>>, named name: String
    ) throws -> Map<String, E?> {
        guard let index = index(of: name, storedAs: .keyedObjects(E.self)) else {
            return try readWhole(path)
        }
        return try row.read(index)
    }
}

extension Property {
    /// Creates the property of the map of objects with a Swift name.
    public init<E: Object & Entity>(_ name: String) where Value == Map<String, E?> {
        self.init(relationNamed: name)
    }

    /// Creates the property of the map of objects with a Swift name. The path provides the type,
    /// and is not kept.
    public init<E: Object & Entity>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == Map<String, E?> {
        self.init(relationNamed: name)
    }
}

extension PropertyDescription {
    /// Describes a map of objects.
    public static func property<E: Object & Entity>(
        _ name: String, _ type: Map<String, E?>.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(relation: name, .keyedObjects(E.self), attributes)
    }

    /// Describes a map of objects whose type is inferred by the compiler.
    public static func property<Root, E: Object & Entity>(
        _ name: String, _ path: KeyPath<Root, Map<String, E?>>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(relation: name, .keyedObjects(E.self), attributes)
    }
}
