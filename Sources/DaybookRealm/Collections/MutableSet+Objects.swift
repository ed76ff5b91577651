public import Daybook

// A set of objects is a relation.

extension MutableSet where Element: Object & Entity {
    /// The ids of the objects, ascending; 0 for an object that is not stored yet. Empty if the
    /// links cannot be read.
    public var ids: [Id] { links.ids.map(\.value) }

    /// Whether the objects are in memory.
    public var resolved: Bool { links.resolved }

    /// The error of the last read; nil if it succeeded. After an error, the set shows none of the
    /// stored objects, and a put removes none of them.
    public var failure: DaybookError? { links.failure }

    /// Reads the objects unless they are in memory. Throws the errors of `get` of a box.
    public func resolve() throws { try links.get() }

    /// `resolve` without blocking.
    public nonisolated(nonsending) func resolve() async throws { try await links.get() }

    /// Discards the objects that were read, and the changes that were not put. The next access
    /// reads the set again. Has no effect if the object that contains the set was never put.
    public func reset() { links.reset() }

    /// The links. After the first use, the relation tracks the changes of the set.
    fileprivate var links: ToMany<Element> {
        if let relation = relation as? ObjectSetRelation<Element> { return relation.links }
        let made: ToMany<Element> = isSet ? ToMany(elements) : ToMany()
        relation = ObjectSetRelation(made)
        elements = []
        return made
    }
}

extension MutableSet: ObjectRelation where Element: Object & Entity {
    /// Reads the objects of many sets in one pass. See `ObjectRelation`.
    @discardableResult
    public static func load(_ relations: [MutableSet]) throws -> [Element] {
        try ToMany.load(relations.map(\.links))
    }

    /// `load` without blocking.
    @discardableResult
    public nonisolated(nonsending) static func load(
        _ relations: [MutableSet]
    ) async throws -> [Element] {
        try await ToMany.load(relations.map(\.links))
    }
}

extension MutableSet: ToManyRelation where Element: Object & Entity {
    /// The type of the related objects.
    public typealias Target = Element
}

extension RowReader {
    /// Reads a set of objects. The links and the objects are read at the first access.
    public func read<E: Object & Entity>(_ index: Int) throws -> MutableSet<E> {
        let set = MutableSet<E>()
        set.relation = ObjectSetRelation(try read(index, as: ToMany<E>.self))
        return set
    }
}

extension RowWriter {
    /// Collects the links of a set of objects. The row contains no links.
    public mutating func write<E: Object & Entity>(
        _ value: MutableSet<E>, at index: Int
    ) throws {
        try write(value.links, at: index)
    }
}

extension ProjectionReader {
    /// Reads a set of objects. The links and the objects are read at the first access.
    public func read<E: Object & Entity>(
        _ path: KeyPath<Root, MutableSet<E>>, named name: String
    ) throws -> MutableSet<E> {
        guard let index = index(of: name, storedAs: .toMany(E.self)) else {
            return try readWhole(path)
        }
        return try row.read(index)
    }
}

extension Property {
    /// Creates the property of the set of objects with a Swift name.
    public init<Element: Object & Entity>(_ name: String) where Value == MutableSet<Element> {
        self.init(relationNamed: name)
    }

    /// Creates the property of the set of objects with a Swift name. The path provides the type,
    /// and is not kept.
    public init<Element: Object & Entity>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == MutableSet<Element> {
        self.init(relationNamed: name)
    }
}

extension PropertyDescription {
    /// Describes a set of objects.
    public static func property<E: Object & Entity>(
        _ name: String, _ type: MutableSet<E>.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(relation: name, .toMany(E.self), attributes)
    }

    /// Describes a set of objects whose type is inferred by the compiler.
    public static func property<Root, E: Object & Entity>(
        _ name: String, _ path: KeyPath<Root, MutableSet<E>>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(relation: name, .toMany(E.self), attributes)
    }
}
