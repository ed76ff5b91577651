/// A set as Realm's models have it: in no order, with reference semantics; kept as `Set` is.
///
/// A copy of a reference is the same set. It is changed where it stands, which needs no `var`. Not
/// for use from two threads at once.
public final class MutableSet<Element: Hashable> {
    var elements: Set<Element>

    /// Makes an empty set.
    public init() { elements = [] }

    /// Makes a set of elements; those that are equal count once.
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

    /// Adds an element; one that is equal to it stays.
    public func insert(_ element: Element) { elements.insert(element) }

    /// Adds elements.
    public func insert(objectsIn newElements: some Sequence<Element>) {
        elements.formUnion(newElements)
    }

    /// Takes out an element, if it is there.
    public func remove(_ element: Element) { elements.remove(element) }

    /// Takes out all elements.
    public func removeAll() { elements.removeAll() }

    /// Takes out what is not in another set.
    public func formIntersection(_ other: MutableSet) {
        elements.formIntersection(other.elements)
    }

    /// Adds what is in another set.
    public func formUnion(_ other: MutableSet) { elements.formUnion(other.elements) }

    /// Takes out what is in another set.
    public func subtract(_ other: MutableSet) { elements.subtract(other.elements) }
}

extension MutableSet: Collection {
    /// The position of some element, from which all others can be reached.
    public var startIndex: Set<Element>.Index { elements.startIndex }
    /// The position behind the last element.
    public var endIndex: Set<Element>.Index { elements.endIndex }
    /// How many elements there are.
    public var count: Int { elements.count }
    /// The position behind another.
    public func index(after index: Set<Element>.Index) -> Set<Element>.Index {
        elements.index(after: index)
    }
    /// The element at a position. As with `Set`, the position must come from this set as it is now.
    public subscript(position: Set<Element>.Index) -> Element { elements[position] }
    /// Goes through the elements that the set has now, whatever is done to it meanwhile.
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
