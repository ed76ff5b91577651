import Daybook

/// An unordered set with reference semantics, as in Realm's models.
///
/// A set of values is stored in the row of the object that contains it, like a `Set`. A set of
/// objects is a relation: it contains each stored object once, in the order of the ids. Its objects
/// are read at the first access, and kept until ``reset()`` or a put of the object that contains
/// the set. The put writes the differences, and also puts new objects. After ``removeAll()`` it
/// removes all stored elements.
///
/// A copy of the reference is the same set, and a set can be changed through a `let`. A set must
/// not be used by two threads at the same time.
public final class MutableSet<Element: Hashable> {
    /// The elements; empty if ``relation`` is not nil.
    var elements: Set<Element>
    /// Whether the elements were initialized or changed.
    var isSet = false
    /// The links of a set of objects that was read or put.
    var relation: SetRelation<Element>?

    /// Creates an empty set.
    public init() { elements = [] }

    /// Creates a set of elements.
    public init(_ elements: some Sequence<Element>) {
        self.elements = Set(elements)
        isSet = true
    }

    /// Replaces the elements, and the links of a set of objects, by those of another set, which
    /// must not be used any more. For the generated code of a `let` property.
    public func replaceContent(with other: MutableSet) {
        (elements, isSet, relation) = (other.elements, other.isSet, other.relation)
    }

    /// Whether the set contains an element. Objects are compared by `isSameObject(as:)`.
    public func contains(_ element: Element) -> Bool {
        relation?.contains(element) ?? elements.contains(element)
    }

    /// Whether another set contains all elements of this one.
    public func isSubset(of other: MutableSet) -> Bool { allSatisfy(other.contains) }

    /// Whether the sets have a common element.
    public func intersects(_ other: MutableSet) -> Bool { contains(where: other.contains) }

    /// Adds an element, unless the set contains an equal one.
    public func insert(_ element: Element) { insert(objectsIn: CollectionOfOne(element)) }

    /// Adds elements.
    public func insert(objectsIn newElements: some Sequence<Element>) {
        guard let relation else { return edit { $0.formUnion(newElements) } }
        relation.insert(Array(newElements))
    }

    /// Removes an element, if the set contains it. A removed object stays in the store.
    public func remove(_ element: Element) {
        guard let relation else { return edit { $0.remove(element) } }
        relation.remove(element)
    }

    /// Removes all elements. Removed objects stay in the store.
    public func removeAll() {
        guard let relation else { return edit { $0.removeAll() } }
        relation.removeAll()
    }

    /// Removes the elements that are not in another set.
    public func formIntersection(_ other: MutableSet) {
        for element in contents where !other.contains(element) { remove(element) }
    }

    /// Adds the elements of another set.
    public func formUnion(_ other: MutableSet) { insert(objectsIn: other.contents) }

    /// Removes the elements of another set.
    public func subtract(_ other: MutableSet) {
        for element in other.contents { remove(element) }
    }

    /// The elements, read if necessary.
    var contents: [Element] { relation?.objects ?? Array(elements) }

    private func edit(_ body: (inout Set<Element>) -> Void) {
        isSet = true
        body(&elements)
    }
}

/// A set of objects that cannot be read is an empty collection: see ``failure``.
extension MutableSet: Collection {
    /// A position in a set. As with `Set`, a change of the set invalidates its positions.
    public struct Index: Comparable {
        enum Place: Comparable {
            case value(Set<Element>.Index)
            case object(Int)
        }

        let place: Place

        /// Whether a position is before another one.
        public static func < (one: Index, other: Index) -> Bool { one.place < other.place }
    }

    /// The position of the first element in the set's iteration order.
    public var startIndex: Index {
        Index(place: relation == nil ? .value(elements.startIndex) : .object(0))
    }
    /// The position after the last element.
    public var endIndex: Index {
        guard let relation else { return Index(place: .value(elements.endIndex)) }
        return Index(place: .object(relation.objects.count))
    }
    /// The number of elements.
    public var count: Int { relation?.objects.count ?? elements.count }
    /// Returns the position after another position.
    public func index(after index: Index) -> Index {
        switch index.place {
        case .value(let index): Index(place: .value(elements.index(after: index)))
        case .object(let index): Index(place: .object(index + 1))
        }
    }
    /// The element at a position. Traps if the position is out of bounds, like a `Set`.
    public subscript(position: Index) -> Element {
        switch position.place {
        case .value(let index): elements[index]
        case .object(let index): contents[index]
        }
    }
    /// Iterates over the current elements. Later changes do not affect the iterator.
    public func makeIterator() -> IndexingIterator<[Element]> { contents.makeIterator() }
}

extension MutableSet: ExpressibleByArrayLiteral {
    /// Creates a set of the elements of a literal.
    public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MutableSet: Equatable {
    /// Whether two sets have equal elements. Objects are compared by `isSameObject(as:)`.
    public static func == (one: MutableSet, other: MutableSet) -> Bool {
        one.count == other.count && one.isSubset(of: other)
    }
}

extension MutableSet: CustomStringConvertible {
    /// Describes a set of values like a `Set`, and a set of objects by the ids that are in memory.
    /// Reads nothing, because objects may refer to each other.
    public var description: String {
        guard Element.self is any Entity.Type else { return elements.description }
        if let relation { return relation.idDescription }
        let ids = elements.map { ($0 as? any Entity)?.entityId ?? 0 }.sorted()
        return "MutableSet<\(Element.self)>(ids: \(ids))"
    }
}

extension MutableSet: PersistedDefault {
    /// An empty set.
    public static func makePersistedDefault() -> MutableSet { MutableSet() }
}
