public import Daybook

/// An ordered list with reference semantics, as in Realm's models.
///
/// A list of values or embedded objects is stored in the row of the object that contains it, like
/// an array. A list of objects is a relation, and may contain an object several times. Its objects
/// are read at the first access, and kept until ``reset()`` or a put of the object that contains
/// the list; the next access then reads them again. The put writes the differences, and also puts
/// new objects. After ``removeAll()`` it removes all stored elements. A copy of the reference is
/// the same list. A list must not be used by two threads at the same time.
///
/// In a file that also imports SwiftUI, which has a `List` too, write `DaybookRealm.List`.
public final class List<Element> {
    /// The elements; empty if ``relation`` is not nil.
    var elements: [Element]
    /// Whether the elements were initialized or changed.
    var isSet = false
    /// The links of a list of objects that was read or put.
    var relation: ListRelation<Element>?

    /// Creates an empty list.
    public init() { elements = [] }

    /// Creates a list of elements.
    public init(_ elements: some Sequence<Element>) {
        self.elements = Array(elements)
        isSet = true
    }

    /// Replaces the elements, and the links of a list of objects, by those of another list, which
    /// must not be used any more. For the generated code of a `let` property.
    public func replaceContent(with other: List) {
        (elements, isSet, relation) = (other.elements, other.isSet, other.relation)
    }

    /// The elements, read if necessary.
    var contents: [Element] { relation?.elements ?? elements }
}

extension List: ExpressibleByArrayLiteral {
    /// Creates a list of the elements of a literal.
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
    /// The number of elements.
    public var count: Int { relation?.count ?? elements.count }

    /// The element at a position. Traps if the position is out of bounds, like an array.
    public subscript(position: Int) -> Element {
        get { relation?[position] ?? elements[position] }
        set { replace(index: position, object: newValue) }
    }

    /// Iterates over the current elements. Later changes do not affect the iterator.
    public func makeIterator() -> IndexingIterator<[Element]> { contents.makeIterator() }
}

extension List: Equatable where Element: PropertyValue & Equatable {
    /// Whether two lists have equal elements in the same order.
    public static func == (one: List, other: List) -> Bool { one.elements == other.elements }
}

extension List: CustomStringConvertible {
    /// Describes a list of values like an array, and a list of objects by the ids that are in
    /// memory. Reads nothing, and does not describe the objects, because objects may refer to each
    /// other.
    public var description: String {
        guard Element.self is any Entity.Type else { return elements.description }
        if let relation { return relation.idDescription }
        let ids = elements.map { ($0 as? any Entity)?.entityId ?? 0 }
        return "List<\(Element.self)>(ids: \(ids))"
    }
}
