/// A list as Realm's models have it: in order, with reference semantics.
///
/// Its elements are values or embedded objects, and then it is kept in the row of the object that
/// has it, as an array is. Or they are objects: then it is a relation, in which one may stand
/// several times. The objects are read at the first use of the collection, and kept until
/// ``reset()``; a put of the object that has the list writes what differs, and puts new objects
/// along. A copy of a reference is the same list. Not for use from two threads at once.
///
/// In a file that also imports SwiftUI, which has a `List` too, write `Daybook.List`.
public final class List<Element> {
    /// The elements; none where ``relation`` is not nil.
    var elements: [Element]
    /// Whether the elements were given, or changed.
    var isSet = false
    /// In a list of objects that was read or put: what stands for each.
    var relation: ListRelation<Element>?

    /// Makes an empty list.
    public init() { elements = [] }

    /// Makes a list of elements.
    public init(_ elements: some Sequence<Element>) {
        self.elements = Array(elements)
        isSet = true
    }

    /// What it shows.
    var contents: [Element] {
        guard let relation else { return elements }
        try? relation.resolve()
        return relation.slots.map(\.element)
    }
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
    /// The position behind the last element.
    public var endIndex: Int { count }
    /// How many elements there are.
    public var count: Int {
        guard let relation else { return elements.count }
        try? relation.resolve()
        return relation.slots.count
    }

    /// The element at a position. As with an array, one outside the list is a programming error
    /// that traps.
    public subscript(position: Int) -> Element {
        get {
            guard let relation else { return elements[position] }
            try? relation.resolve()
            return relation.slots[position].element
        }
        set { replace(index: position, object: newValue) }
    }

    /// Goes through the elements that the list has now, whatever is done to it meanwhile.
    public func makeIterator() -> IndexingIterator<[Element]> { contents.makeIterator() }
}

extension List: Equatable where Element: PropertyValue & Equatable {
    /// Whether two lists have equal elements in the same order.
    public static func == (one: List, other: List) -> Bool { one.elements == other.elements }
}

extension List: CustomStringConvertible {
    /// As an array of the elements describes itself. Of a list of objects, their ids as far as they
    /// are in memory: it reads nothing, and describes no object, for objects lead back to each
    /// other.
    public var description: String {
        guard Element.self is any Entity.Type else { return elements.description }
        let ids =
            relation.map { relation in relation.slots.map(relation.id(of:)) }
            ?? elements.map { ($0 as? any Entity)?.entityId ?? 0 }
        return describe("List<\(Element.self)>", ids, isRead: relation?.isResolved ?? true)
    }
}
