/// A list as Realm's models have it: in order, with reference semantics.
///
/// Its elements are values or embedded objects, and then it is a collection like `Array`, and kept
/// as one; or they are objects, and then it is a list of their ids: see ``ids``. A copy of a
/// reference is the same list. Not for use from two threads at once.
///
/// In a file that also imports SwiftUI, which has a `List` too, write `Daybook.List`.
public final class List<Element> {
    /// The elements; none where ``links`` is not nil.
    var elements: [Element]
    /// In a list of objects that was read or changed: what stands for each.
    var links: [ObjectLink<Element>]?

    /// Makes an empty list.
    public init() { elements = [] }

    /// Makes a list of elements.
    public init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }
}

extension List: ExpressibleByArrayLiteral {
    /// Makes a list of the elements of a literal.
    public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension List: PersistedDefault {
    /// An empty list.
    public static func makePersistedDefault() -> List { List() }
}

/// An element of a list of objects.
enum ObjectLink<Element> {
    /// An object that is stored, and is not at hand.
    case stored(Id)
    case object(Element)
}

extension List: Sequence, Collection, BidirectionalCollection, RandomAccessCollection,
    MutableCollection
where Element: PropertyValue {
    /// The position of the first element: 0.
    public var startIndex: Int { 0 }
    /// The position behind the last element.
    public var endIndex: Int { elements.count }
    /// How many elements there are.
    public var count: Int { elements.count }

    /// The element at a position. As with an array, one outside the list is a programming error
    /// that traps.
    public subscript(position: Int) -> Element {
        get { elements[position] }
        set { elements[position] = newValue }
    }

    /// Goes through the elements that the list has now, whatever is done to it meanwhile.
    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }
}

extension List: Equatable where Element: PropertyValue & Equatable {
    /// Whether two lists have equal elements in the same order.
    public static func == (one: List, other: List) -> Bool { one.elements == other.elements }
}

extension List: CustomStringConvertible where Element: PropertyValue {
    /// As an array of the elements describes itself.
    public var description: String { elements.description }
}
