/// An unordered set with reference semantics, as in Realm's models. It is stored like a `Set`.
///
/// A copy of the reference is the same set, and a set can be changed through a `let`. A set must
/// not be used by two threads at the same time.
public final class MutableSet<Element: Hashable> {
    var elements: Set<Element>

    /// Creates an empty set.
    public init() { elements = [] }

    /// Creates a set of elements.
    public init(_ elements: some Sequence<Element>) { self.elements = Set(elements) }

    /// Whether the set contains an element.
    public func contains(_ element: Element) -> Bool { elements.contains(element) }

    /// Whether another set contains all elements of this one.
    public func isSubset(of other: MutableSet) -> Bool {
        elements.isSubset(of: other.elements)
    }

    /// Whether the sets have a common element.
    public func intersects(_ other: MutableSet) -> Bool {
        !elements.isDisjoint(with: other.elements)
    }

    /// Adds an element, unless the set contains an equal one.
    public func insert(_ element: Element) { elements.insert(element) }

    /// Adds elements.
    public func insert(objectsIn newElements: some Sequence<Element>) {
        elements.formUnion(newElements)
    }

    /// Removes an element, if the set contains it.
    public func remove(_ element: Element) { elements.remove(element) }

    /// Removes all elements.
    public func removeAll() { elements.removeAll() }

    /// Removes the elements that are not in another set.
    public func formIntersection(_ other: MutableSet) {
        elements.formIntersection(other.elements)
    }

    /// Adds the elements of another set.
    public func formUnion(_ other: MutableSet) { elements.formUnion(other.elements) }

    /// Removes the elements of another set.
    public func subtract(_ other: MutableSet) { elements.subtract(other.elements) }
}

extension MutableSet: Collection {
    /// The position of the first element in the set's iteration order.
    public var startIndex: Set<Element>.Index { elements.startIndex }
    /// The position after the last element.
    public var endIndex: Set<Element>.Index { elements.endIndex }
    /// The number of elements.
    public var count: Int { elements.count }
    /// Returns the position after another position.
    public func index(after index: Set<Element>.Index) -> Set<Element>.Index {
        elements.index(after: index)
    }
    /// The element at a position. As with `Set`, a change of the set invalidates its positions.
    public subscript(position: Set<Element>.Index) -> Element { elements[position] }
    /// Iterates over the current elements. Later changes do not affect the iterator.
    public func makeIterator() -> Set<Element>.Iterator { elements.makeIterator() }
}

extension MutableSet: ExpressibleByArrayLiteral {
    /// Creates a set of the elements of a literal.
    public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MutableSet: Equatable {
    /// Whether two sets have equal elements.
    public static func == (one: MutableSet, other: MutableSet) -> Bool {
        one.elements == other.elements
    }
}

extension MutableSet: CustomStringConvertible {
    /// The description of a `Set` with the same elements.
    public var description: String { elements.description }
}

extension MutableSet: PersistedDefault {
    /// An empty set.
    public static func makePersistedDefault() -> MutableSet { MutableSet() }
}
