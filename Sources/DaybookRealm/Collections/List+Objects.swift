public import Daybook

// A list of objects is a relation.

extension List where Element: Object & Entity {
    /// The ids of the objects in order; 0 for an object that is not stored yet. Reads the links,
    /// but no objects. Empty if the links cannot be read.
    public var ids: [Id] { relation?.ids ?? elements.map(\.entityId) }

    /// Whether the objects are in memory.
    public var resolved: Bool { relation?.isResolved ?? true }

    /// The error of the last read; nil if it succeeded. After an error, the list shows none of the
    /// stored objects, and a put removes none of them.
    public var failure: DaybookError? { relation?.failure }

    /// Reads the objects unless they are in memory. Throws the errors of `get` of a box.
    public func resolve() throws { try relation?.resolve() }

    /// `resolve` without blocking.
    public nonisolated(nonsending) func resolve() async throws { try await relation?.resolve() }

    /// Discards the objects that were read, and the changes that were not put. The next access
    /// reads the list again. Has no effect if the object that contains the list was never put.
    public func reset() { relation?.reset() }

    /// The links. After the first put, a list of objects tracks its changes.
    fileprivate var links: ListRelation<Element> {
        if let relation { return relation }
        let made = ListRelation(elements, isSet: isSet)
        relation = made
        elements = []
        return made
    }
}

extension List: ObjectRelation where Element: Object & Entity {
    /// Reads the objects of many lists in one pass. See `ObjectRelation`.
    @discardableResult
    public static func load(_ relations: [List]) throws -> [Element] {
        try ListRelation.load(relations.compactMap(\.relation))
        return loaded(relations)
    }

    /// `load` without blocking.
    @discardableResult
    public nonisolated(nonsending) static func load(
        _ relations: [List]
    ) async throws -> [Element] {
        try await ListRelation.load(relations.compactMap(\.relation))
        return loaded(relations)
    }

    private static func loaded(_ relations: [List]) -> [Element] {
        relations.flatMap(\.contents).map { ($0, $0) }.distinct { $0.entityId }
    }
}

extension List: ToManyRelation where Element: Object & Entity {
    /// The type of the related objects.
    public typealias Target = Element
}

extension RowReader {
    /// Reads a list of objects. The links and the objects are read at the first access.
    public func read<E: Object & Entity>(_ index: Int) throws -> List<E> {
        let list = List<E>()
        list.relation = try self.list(index)
        return list
    }
}

extension RowWriter {
    /// Collects the links of a list of objects. The row contains no links.
    public mutating func write<E: Object & Entity>(_ value: List<E>, at index: Int) throws {
        try write(value.links, at: index)
    }
}

extension ProjectionReader {
    /// Reads a list of objects. The links and the objects are read at the first access.
    public func read<E: Object & Entity>(
        _ path: KeyPath<Root, List<E>>, named name: String
    ) throws -> List<E> {
        guard let index = index(of: name, storedAs: .objects(E.self)) else {
            return try readWhole(path)
        }
        return try row.read(index)
    }
}

extension Property {
    /// Creates the property of the list of objects with a Swift name.
    public init<Element: Object & Entity>(_ name: String) where Value == List<Element> {
        self.init(relationNamed: name)
    }

    /// Creates the property of the list of objects with a Swift name. The path provides the type,
    /// and is not kept.
    public init<Element: Object & Entity>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == List<Element> {
        self.init(relationNamed: name)
    }
}

extension PropertyDescription {
    /// Describes a list of objects.
    public static func property<E: Object & Entity>(
        _ name: String, _ type: List<E>.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(relation: name, .objects(E.self), attributes)
    }

    /// Describes a list of objects whose type is inferred by the compiler.
    public static func property<Root, E: Object & Entity>(
        _ name: String, _ path: KeyPath<Root, List<E>>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(relation: name, .objects(E.self), attributes)
    }
}
