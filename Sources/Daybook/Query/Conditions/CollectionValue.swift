/// A type of property with several values: an array, a set, the values of a dictionary, or an
/// optional of these.
public protocol CollectionValue {
    /// The type of the elements.
    associatedtype Member
}

/// A type of property with string keys and values.
public protocol MapValue: CollectionValue {}

/// The keys of a dictionary as the subject of conditions: see ``Property/keys``.
public enum MapKeys: CollectionValue {
    /// The type of the keys.
    public typealias Member = String
}

/// The root of conditions on an element of a collection: `Order.tags.any { $0 > 3 }`.
public enum QueryElement {}

extension Array: CollectionValue {
    /// The type of the elements.
    public typealias Member = Element
}
extension Set: CollectionValue {
    /// The type of the elements.
    public typealias Member = Element
}
extension Dictionary: CollectionValue, MapValue where Key == String {
    /// The type of the values.
    public typealias Member = Value
}
extension Optional: CollectionValue where Wrapped: CollectionValue {
    /// The type of the elements.
    public typealias Member = Wrapped.Member
}
extension Optional: MapValue where Wrapped: MapValue {}
