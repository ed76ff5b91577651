/// The values of one property of all elements of a collection: see ``Swift/Array/projectTo``.
@dynamicMemberLookup
public struct ProjectedElements<Base: Sequence> {
    let base: Base

    /// Makes the values of properties of the elements of `base`.
    package init(base: Base) { self.base = base }

    /// The property of every element, in their order.
    public subscript<Value>(dynamicMember path: KeyPath<Base.Element, Value>) -> [Value] {
        base.map { $0[keyPath: path] }
    }
}

extension Array {
    /// Takes one property of every element: `addresses.projectTo.city` is the array of cities.
    public var projectTo: ProjectedElements<Self> { ProjectedElements(base: self) }
}

extension Set {
    /// Takes one property of every element; an array, in no order.
    public var projectTo: ProjectedElements<Self> { ProjectedElements(base: self) }
}
