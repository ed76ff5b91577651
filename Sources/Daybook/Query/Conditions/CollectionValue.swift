/// A property that holds several values: arrays, sets, and the values of dictionaries; and the
/// optional of each.
public protocol CollectionValue {
    /// The type of one of them.
    associatedtype Member
}

/// A property that holds values under keys.
public protocol MapValue: CollectionValue {}

/// The keys of a dictionary, as what conditions are about: see ``Property/keys``.
public enum MapKeys: CollectionValue {
    /// The type of one of the values.
    public typealias Member = String
}

/// Stands for the object of which an element of a collection is a property:
/// `Order.tags.any { $0 > 3 }`.
public enum QueryElement {}

extension Array: CollectionValue {
    /// The type of one of the values.
    public typealias Member = Element
}
extension Set: CollectionValue {
    /// The type of one of the values.
    public typealias Member = Element
}
extension Dictionary: CollectionValue, MapValue where Key == String {
    /// The type of one of the values.
    public typealias Member = Value
}
extension Optional: CollectionValue where Wrapped: CollectionValue {
    /// The type of one of the values.
    public typealias Member = Wrapped.Member
}
extension Optional: MapValue where Wrapped: MapValue {}
