/// A dictionary with reference semantics, as in Realm's models. With `String` keys, it is stored
/// like a `Dictionary`.
///
/// A copy of the reference is the same map, and a map can be changed through a `let`. A map must
/// not be used by two threads at the same time. A put throws `.invalidValue` for a key that
/// contains "." or begins with "$".
public final class Map<Key: Hashable, Value> {
    var members: [Key: Value]

    /// Creates an empty map.
    public init() { members = [:] }

    /// Creates a map of the pairs of a dictionary.
    public init(_ members: [Key: Value]) { self.members = members }

    /// The keys, in unspecified order.
    public var keys: [Key] { Array(members.keys) }

    /// The values, in the order of ``keys``.
    public var values: [Value] { Array(members.values) }

    /// The value of a key, or nil if the map does not contain the key. Assigning nil removes the
    /// key.
    public subscript(key: Key) -> Value? {
        get { members[key] }
        set { members[key] = newValue }
    }

    /// The value of a key, or `fallback` if the map does not contain the key.
    public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
        get { members[key, default: fallback()] }
        set { members[key] = newValue }
    }

    /// Sets the value of a key, and returns the previous value.
    @discardableResult
    public func updateValue(_ value: Value, forKey key: Key) -> Value? {
        members.updateValue(value, forKey: key)
    }

    /// Removes a key, and returns its value, or nil if the map does not contain the key.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? { members.removeValue(forKey: key) }

    /// Removes a key, if the map contains it.
    public func removeObject(for key: Key) { members.removeValue(forKey: key) }

    /// Adds the pairs of another map. They replace values of existing keys.
    public func merge(_ other: Map) { members.merge(other.members) { $1 } }

    /// Removes all keys.
    public func removeAll() { members.removeAll() }
}

extension Map: Collection {
    /// A pair of a key and a value.
    public typealias Element = (key: Key, value: Value)

    /// The position of the first pair in the map's iteration order.
    public var startIndex: [Key: Value].Index { members.startIndex }
    /// The position after the last pair.
    public var endIndex: [Key: Value].Index { members.endIndex }
    /// The number of pairs.
    public var count: Int { members.count }
    /// Returns the position after another position.
    public func index(after index: [Key: Value].Index) -> [Key: Value].Index {
        members.index(after: index)
    }
    /// The pair at a position. As with `Dictionary`, a change of the map invalidates its positions.
    public subscript(position: [Key: Value].Index) -> Element { members[position] }
    /// Iterates over the current pairs. Later changes do not affect the iterator.
    public func makeIterator() -> [Key: Value].Iterator { members.makeIterator() }
}

extension Map: ExpressibleByDictionaryLiteral {
    /// Creates a map of the pairs of a literal. The last of several equal keys wins.
    public convenience init(dictionaryLiteral pairs: (Key, Value)...) {
        self.init(Dictionary(pairs) { $1 })
    }
}

extension Map: Equatable where Value: Equatable {
    /// Whether two maps have equal pairs.
    public static func == (one: Map, other: Map) -> Bool { one.members == other.members }
}

extension Map: CustomStringConvertible {
    /// The description of a dictionary with the same pairs.
    public var description: String { members.description }
}

extension Map: PersistedDefault {
    /// An empty map.
    public static func makePersistedDefault() -> Map { Map() }
}
