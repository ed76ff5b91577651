public import Daybook

/// The objects that refer to this one through one of their properties: the inverse of an optional
/// object, of a ``List`` or ``MutableSet`` of objects, of a `ToOne`, or of a `ToMany`.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
///
/// This is a read-only collection in the order of the objects' ids. An object that refers to this
/// one several times occurs once. The objects are read at the first access, and kept until
/// ``reset()`` or a put of this object; the next access then reads them again. The collection is
/// empty in an object that was never put.
public struct LinkingObjects<Element: Object> {
    /// The name of the property of the other objects. In an object that was read, it is the name in
    /// the type's declaration.
    public let originProperty: String
    private let related: Related

    /// The links. The first put of the object sets them.
    private final class Related {
        /// A `ToMany`. Its elements must be entities, but a class declaration may name a type whose
        /// conformance is not visible there.
        var objects: AnyObject?

        init(_ objects: AnyObject?) { self.objects = objects }
    }

    /// Creates the backlink of the property with that name.
    public init(originProperty: String) {
        self.originProperty = originProperty
        related = Related(nil)
    }

    /// Creates the backlink of a property of a type, as in older declarations of Realm:
    /// `let owners = LinkingObjects(fromType: Person.self, property: "dogs")`.
    public init(fromType type: Element.Type, property: String) {
        self.init(originProperty: property)
    }

    /// Replaces the links by those of another backlink. For the generated code of a `let` property.
    public func replaceContent(with other: LinkingObjects) {
        related.objects = other.related.objects
    }
}

extension LinkingObjects where Element: Entity {
    fileprivate init(_ objects: ToMany<Element>, originProperty: String) {
        self.originProperty = originProperty
        related = Related(objects)
    }

    fileprivate var objects: ToMany<Element> {
        if let objects = related.objects as? ToMany<Element> { return objects }
        let made = ToMany<Element>()
        related.objects = made
        return made
    }

    /// The ids of the objects, ascending.
    public var ids: [Id] { objects.ids.map(\.value) }

    /// The error of the last read; nil if it succeeded. After an error, the collection is empty.
    public var failure: DaybookError? { objects.failure }

    /// Reads the objects unless they are in memory. Throws the errors of `get` of a box.
    public func resolve() throws { try objects.get() }

    /// `resolve` without blocking.
    public nonisolated(nonsending) func resolve() async throws { try await objects.get() }

    /// Discards the objects that were read. The next access reads them again.
    public func reset() { objects.reset() }

    /// The values of one property of all objects: `owners.projectTo.name` is the array of names.
    public var projectTo: ProjectedElements<LinkingObjects> { ProjectedElements(base: self) }
}

extension LinkingObjects: CustomStringConvertible {
    /// The ids of the objects that are in memory. Reads nothing, and does not describe the objects.
    public var description: String {
        (related.objects as? any CustomStringConvertible)?.description
            ?? "LinkingObjects<\(Element.self)>()"
    }
}

extension LinkingObjects: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Element: Entity {
    /// The position of the first object: 0.
    public var startIndex: Int { 0 }
    /// The position after the last object.
    public var endIndex: Int { objects.count }
    /// The object at a position. Traps if the position is out of bounds, like an array.
    public subscript(position: Int) -> Element { objects[position] }
    /// Iterates over the objects.
    public func makeIterator() -> IndexingIterator<[Element]> { objects.makeIterator() }
}

extension LinkingObjects: ObjectRelation where Element: Entity {
    /// Reads the objects of many backlinks in one pass. See `ObjectRelation`.
    @discardableResult
    public static func load(_ relations: [LinkingObjects]) throws -> [Element] {
        try ToMany.load(relations.map(\.objects))
    }

    /// `load` without blocking.
    @discardableResult
    public nonisolated(nonsending) static func load(
        _ relations: [LinkingObjects]
    ) async throws -> [Element] {
        try await ToMany.load(relations.map(\.objects))
    }
}

extension LinkingObjects: ToManyRelation where Element: Entity {
    /// The type of the related objects.
    public typealias Target = Element
}

extension RowReader {
    /// Returns the objects that refer to this one through the backlink at `index` among the
    /// backlinks of the entity's description. The objects are read at the first access.
    public func backlink<E: Object & Entity>(_ index: Int) -> LinkingObjects<E> {
        let objects: ToMany<E> = backlink(index)
        return LinkingObjects(objects, originProperty: backlinkOrigin(index))
    }
}

extension RowWriter {
    /// Writes nothing, because the links are stored with the other objects. The next access after
    /// the put reads them.
    public mutating func write<E: Object & Entity>(
        _ value: LinkingObjects<E>, backlink index: Int
    ) throws {
        write(readOnly: value.objects, backlink: index)
    }
}

extension Property {
    /// Creates the property of the backlink with a Swift name.
    public init<Element: Object>(_ name: String) where Value == LinkingObjects<Element> {
        self.init(relationNamed: name)
    }

    /// Creates the property of the backlink with a Swift name. The path provides the type, and is
    /// not kept.
    public init<Element: Object>(_ path: KeyPath<Root, Value>, _ name: String)
    where Value == LinkingObjects<Element> {
        self.init(relationNamed: name)
    }
}
