/// The values of one property of all elements of a collection. See ``Swift/Array/projectTo``.
@dynamicMemberLookup
public struct ProjectedElements<Base: Sequence> {
    let base: Base

    /// Creates a projection of the elements of `base`.
    package init(base: Base) { self.base = base }

    /// Returns the property's value of each element, in their order.
    public subscript<Value>(dynamicMember path: KeyPath<Base.Element, Value>) -> [Value] {
        base.map { $0[keyPath: path] }
    }
}

extension Array {
    /// Reads one property of each element: `addresses.projectTo.city` is the array of cities.
    public var projectTo: ProjectedElements<Self> { ProjectedElements(base: self) }
}

extension Set {
    /// Reads one property of each element. The result is an array in no particular order.
    public var projectTo: ProjectedElements<Self> { ProjectedElements(base: self) }
}
