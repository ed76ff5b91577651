public import Daybook

/// A list as Realm's models have it: in order, with reference semantics.
///
/// A list of values or embedded objects is stored in the row of the object that has it, as an array
/// is. A list of objects is a relation, which may contain an object several times. The objects are
/// read at the first use of the collection, and kept until ``reset()`` or a put of the object that
/// has the list; the next use then reads them again. The put writes the differences, and also puts
/// new objects. After ``removeAll()`` it removes all stored elements. A copy of a reference is the
/// same list. Not for use from two threads at once.
///
/// In a file that also imports SwiftUI, which has a `List` too, write `DaybookRealm.List`.
public final class List<Element> {
    /// The elements; empty where ``relation`` is not nil.
    var elements: [Element]
    /// Whether the elements were given, or changed.
    var isSet = false
    /// The links of a list of objects that was read or put.
    var relation: ListRelation<Element>?

    /// Makes an empty list.
    public init() { elements = [] }

    /// Makes a list of elements.
    public init(_ elements: some Sequence<Element>) {
        self.elements = Array(elements)
        isSet = true
    }

    /// The elements, read if necessary.
    var contents: [Element] { relation?.elements ?? elements }
}

extension List: ExpressibleByArrayLiteral {
    /// Makes a list of the elements of a literal.
    public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: PersistedDefault {
    /// An empty list.
    public static func makePersistedDefault() -> List { List() }
}

/// A list of objects that cannot be read is an empty collection: see ``failure``.
extension List: RandomAccessCollection, MutableCollection {
    /// The position of the first element: 0.
    public var startIndex: Int { 0 }
    /// The position after the last element.
    public var endIndex: Int { count }
    /// How many elements there are.
    public var count: Int { relation?.count ?? elements.count }

    /// The element at a position. As with an array, one outside the list is a programming error
    /// that traps.
    public subscript(position: Int) -> Element {
        get { relation?[position] ?? elements[position] }
        set { replace(index: position, object: newValue) }
    }

    /// Iterates over the elements that the list has now. Later changes do not affect the iterator.
    public func makeIterator() -> IndexingIterator<[Element]> { contents.makeIterator() }
}

extension List: Equatable where Element: PropertyValue & Equatable {
    /// Whether two lists have equal elements in the same order.
    public static func == (one: List, other: List) -> Bool { one.elements == other.elements }
}

extension List: CustomStringConvertible {
    /// Describes a list of values as an array, and a list of objects by the ids that are in memory.
    /// Reads nothing, and describes no object, because objects may refer to each other.
    public var description: String {
        guard Element.self is any Entity.Type else { return elements.description }
        if let relation { return relation.idDescription }
        let ids = elements.map { ($0 as? any Entity)?.entityId ?? 0 }
        return "List<\(Element.self)>(ids: \(ids))"
    }
}
