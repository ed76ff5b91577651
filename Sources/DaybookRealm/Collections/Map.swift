/// A dictionary as Realm's models have it, with reference semantics. With keys of type `String` it
/// is stored as a `Dictionary` is.
///
/// A copy of a reference is the same map, and a change needs no `var`. Not for use from two threads
/// at once. A put throws `.invalidValue` for a key that contains "." or begins with "$".
public final class Map<Key: Hashable, Value> {
    var members: [Key: Value]

    /// Makes an empty map.
    public init() { members = [:] }

    /// Makes a map of the pairs of a dictionary.
    public init(_ members: [Key: Value]) { self.members = members }

    /// The keys, in no order.
    public var keys: [Key] { Array(members.keys) }

    /// The values, in the order of ``keys``.
    public var values: [Value] { Array(members.values) }

    /// The value of a key; nil if the map does not have the key. Assigning nil removes the key.
    public subscript(key: Key) -> Value? {
        get { members[key] }
        set { members[key] = newValue }
    }

    /// The value of a key, or `fallback` if the map does not have the key.
    public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
        get { members[key, default: fallback()] }
        set { members[key] = newValue }
    }

    /// Sets the value of a key, and returns the previous value.
    @discardableResult
    public func updateValue(_ value: Value, forKey key: Key) -> Value? {
        members.updateValue(value, forKey: key)
    }

    /// Removes a key, and returns its value.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? { members.removeValue(forKey: key) }

    /// Removes a key, if the map has it.
    public func removeObject(for key: Key) { members.removeValue(forKey: key) }

    /// Sets the keys of another map to their values there.
    public func merge(_ other: Map) { members.merge(other.members) { $1 } }

    /// Removes all keys.
    public func removeAll() { members.removeAll() }
}

extension Map: Collection {
    /// A pair.
    public typealias Element = (key: Key, value: Value)

    /// The position of some pair, from which all others can be reached.
    public var startIndex: [Key: Value].Index { members.startIndex }
    /// The position after the last pair.
    public var endIndex: [Key: Value].Index { members.endIndex }
    /// How many pairs there are.
    public var count: Int { members.count }
    /// The position after another.
    public func index(after index: [Key: Value].Index) -> [Key: Value].Index {
        members.index(after: index)
    }
    /// The pair at a position. As with `Dictionary`, the position must come from this map as it is
    /// now.
    public subscript(position: [Key: Value].Index) -> Element { members[position] }
    /// Iterates over the pairs that the map has now. Later changes do not affect the iterator.
    public func makeIterator() -> [Key: Value].Iterator { members.makeIterator() }
}

extension Map: ExpressibleByDictionaryLiteral {
    /// Makes a map of the pairs of a literal. The last of several equal keys wins.
    public convenience init(dictionaryLiteral pairs: (Key, Value)...) {
        self.init(Dictionary(pairs) { $1 })
    }
}

extension Map: Equatable where Value: Equatable {
    /// Whether two maps have equal pairs.
    public static func == (one: Map, other: Map) -> Bool { one.members == other.members }
}

extension Map: CustomStringConvertible {
    /// As a dictionary of the pairs describes itself.
    public var description: String { members.description }
}

extension Map: PersistedDefault {
    /// An empty map.
    public static func makePersistedDefault() -> Map { Map() }
}
