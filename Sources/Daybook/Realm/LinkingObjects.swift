public import DaybookBytes

/// The objects that relate to one by a property of theirs: the inverse of a ``List`` of objects, or
/// of a ``ToOne`` or ``ToMany``.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
///
/// It is a collection that cannot be changed, in the order of the objects' ids; one that relates
/// several times stands in it once. The objects are read at the first use, and kept until
/// ``reset()``. In an object that was never put it is empty.
public struct LinkingObjects<Element: Object> {
    /// The name of the property by which the other objects relate; empty where the object was read,
    /// and its type's declaration says it.
    public let originProperty: String
    /// A ``ToMany``: its elements have to be entities, which those of the declaration need not be
    /// known to be.
    private let related: AnyObject?

    /// Stands for the objects that relate by their property of that name.
    public init(originProperty: String) {
        self.originProperty = originProperty
        related = nil
    }
}

extension LinkingObjects where Element: Entity {
    init(_ attachment: Attachment?) {
        originProperty = attachment?.owner.relations[attachment?.place ?? .field(-1)]?.origin ?? ""
        related = ToMany<Element>(attachment)
    }

    var objects: ToMany<Element> { related as? ToMany<Element> ?? nil }

    /// The ids of the objects, ascending.
    public var ids: [Id] { objects.ids.map(\.value) }

    /// Why the last read failed; nil where it went well. The collection is empty then.
    public var failure: DaybookError? { objects.failure }

    /// Reads the objects, unless they are in memory. Throws as ``Box/get(_:)-(Id)`` does.
    public func resolve() throws { try objects.resolve() }

    /// `resolve` without blocking.
    public nonisolated(nonsending) func resolve() async throws { try await objects.resolve() }

    /// Forgets what was read: the next use reads anew.
    public func reset() { objects.reset() }

    /// Takes one property of every object: `owners.projectTo.name` is the array of names.
    public var projectTo: ProjectedElements<LinkingObjects> { ProjectedElements(base: self) }
}

extension LinkingObjects: CustomStringConvertible {
    /// The ids of the objects, where they were read. Reads nothing, and describes no object.
    public var description: String {
        (related as? any CustomStringConvertible)?.description
            ?? "LinkingObjects<\(Element.self)>()"
    }
}

extension LinkingObjects: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Element: Entity {
    /// The position of the first object: 0.
    public var startIndex: Int { 0 }
    /// The position behind the last object.
    public var endIndex: Int { objects.count }
    /// The object at a position. As with an array, one outside is a programming error that traps.
    public subscript(position: Int) -> Element { objects[position] }
    /// Goes through the objects.
    public func makeIterator() -> IndexingIterator<[Element]> { objects.makeIterator() }
}
