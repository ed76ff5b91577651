public import Daybook

/// Realm's name for the values of one property of a collection's elements. It is an array.
public typealias ProjectedCollection<Value> = [Value]

extension List {
    /// The values of one property of all elements: `addresses.projectTo.city` is the array of
    /// cities.
    public var projectTo: ProjectedElements<List> { ProjectedElements(base: self) }
}

extension MutableSet {
    /// The values of one property of all elements, as an array in unspecified order.
    public var projectTo: ProjectedElements<MutableSet> { ProjectedElements(base: self) }
}
