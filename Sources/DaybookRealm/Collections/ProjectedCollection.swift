public import Daybook

/// Realm's name for the values that a projection takes from a collection. It is an array.
public typealias ProjectedCollection<Value> = [Value]

extension List {
    /// The values of one property of all elements: `addresses.projectTo.city` is the array of
    /// cities.
    public var projectTo: ProjectedElements<List> { ProjectedElements(base: self) }
}

extension MutableSet {
    /// The values of one property of all elements; an array, in no order.
    public var projectTo: ProjectedElements<MutableSet> { ProjectedElements(base: self) }
}
