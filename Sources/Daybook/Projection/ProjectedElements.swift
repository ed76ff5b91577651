/// The elements of a collection, of each of which one property is taken: see
/// ``Swift/Array/projectTo``.
@dynamicMemberLookup
public struct ProjectedElements<Base: Sequence> {
    let base: Base

    /// The property of every element, in their order.
    public subscript<Value>(dynamicMember path: KeyPath<Base.Element, Value>) -> [Value] {
        base.map { $0[keyPath: path] }
    }
}

/// Realm's name for what a projection makes of a collection. It is an array.
public typealias ProjectedCollection<Value> = [Value]

extension Array {
    /// Takes one property of every element: `addresses.projectTo.city` is the array of cities.
    public var projectTo: ProjectedElements<Self> { ProjectedElements(base: self) }
}

extension Set {
    /// Takes one property of every element; an array, in no order.
    public var projectTo: ProjectedElements<Self> { ProjectedElements(base: self) }
}

extension List {
    /// Takes one property of every element: `addresses.projectTo.city` is the array of cities.
    public var projectTo: ProjectedElements<List> { ProjectedElements(base: self) }
}

extension MutableSet {
    /// Takes one property of every element; an array, in no order.
    public var projectTo: ProjectedElements<MutableSet> { ProjectedElements(base: self) }
}
