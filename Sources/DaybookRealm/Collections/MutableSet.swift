/// A set as Realm's models have it: in no order, with reference semantics. It is stored as a `Set`
/// is.
///
/// A copy of a reference is the same set, and a change needs no `var`. Not for use from two threads
/// at once.
public final class MutableSet<Element: Hashable> {
    var elements: Set<Element>

    /// Makes an empty set.
    public init() { elements = [] }

    /// Makes a set of elements.
    public init(_ elements: some Sequence<Element>) { self.elements = Set(elements) }

    /// Whether an element is in the set.
    public func contains(_ element: Element) -> Bool { elements.contains(element) }

    /// Whether every element is in another set, too.
    public func isSubset(of other: MutableSet) -> Bool {
        elements.isSubset(of: other.elements)
    }

    /// Whether another set has an element of this one.
    public func intersects(_ other: MutableSet) -> Bool {
        !elements.isDisjoint(with: other.elements)
    }

    /// Adds an element, unless the set has an equal one.
    public func insert(_ element: Element) { elements.insert(element) }

    /// Adds elements.
    public func insert(objectsIn newElements: some Sequence<Element>) {
        elements.formUnion(newElements)
    }

    /// Removes an element, if the set has it.
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
    /// The position of some element, from which all others can be reached.
    public var startIndex: Set<Element>.Index { elements.startIndex }
    /// The position after the last element.
    public var endIndex: Set<Element>.Index { elements.endIndex }
    /// How many elements there are.
    public var count: Int { elements.count }
    /// The position after another.
    public func index(after index: Set<Element>.Index) -> Set<Element>.Index {
        elements.index(after: index)
    }
    /// The element at a position. As with `Set`, the position must come from this set as it is now.
    public subscript(position: Set<Element>.Index) -> Element { elements[position] }
    /// Iterates over the elements that the set has now. Later changes do not affect the iterator.
    public func makeIterator() -> Set<Element>.Iterator { elements.makeIterator() }
}

extension MutableSet: ExpressibleByArrayLiteral {
    /// Makes a set of the elements of a literal.
    public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension MutableSet: Equatable {
    /// Whether two sets have equal elements.
    public static func == (one: MutableSet, other: MutableSet) -> Bool {
        one.elements == other.elements
    }
}

extension MutableSet: CustomStringConvertible {
    /// As a set of the elements describes itself.
    public var description: String { elements.description }
}

extension MutableSet: PersistedDefault {
    /// An empty set.
    public static func makePersistedDefault() -> MutableSet { MutableSet() }
}
