/// A dictionary as Realm's models have it, with reference semantics. With keys of type `String` it
/// is kept as `Dictionary` is.
///
/// A copy of a reference is the same map. It is changed where it stands, which needs no `var`. Not
/// for use from two threads at once. Keys are free until the map is stored: one that contains "."
/// or begins with "$" is then `.invalidValue`.
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

    /// The value of a key, nil where there is none; assigning nil takes the key out.
    public subscript(key: Key) -> Value? {
        get { members[key] }
        set { members[key] = newValue }
    }

    /// The value of a key, or another where there is none.
    public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
        get { members[key, default: fallback()] }
        set { members[key] = newValue }
    }

    /// Gives a key a value, and returns the one that it had.
    @discardableResult
    public func updateValue(_ value: Value, forKey key: Key) -> Value? {
        members.updateValue(value, forKey: key)
    }

    /// Takes out a key, and returns the value that it had.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? { members.removeValue(forKey: key) }

    /// Takes out a key, if it is there.
    public func removeObject(for key: Key) { members.removeValue(forKey: key) }

    /// Gives a key of this map the values of another, for each key of that.
    public func merge(_ other: Map) { members.merge(other.members) { $1 } }

    /// Takes out all keys.
    public func removeAll() { members.removeAll() }
}

extension Map: Collection {
    /// A pair.
    public typealias Element = (key: Key, value: Value)

    /// The position of some pair, from which all others can be reached.
    public var startIndex: [Key: Value].Index { members.startIndex }
    /// The position behind the last pair.
    public var endIndex: [Key: Value].Index { members.endIndex }
    /// How many pairs there are.
    public var count: Int { members.count }
    /// The position behind another.
    public func index(after index: [Key: Value].Index) -> [Key: Value].Index {
        members.index(after: index)
    }
    /// The pair at a position. As with `Dictionary`, the position must come from this map as it is
    /// now.
    public subscript(position: [Key: Value].Index) -> Element { members[position] }
    /// Goes through the pairs that the map has now, whatever is done to it meanwhile.
    public func makeIterator() -> [Key: Value].Iterator { members.makeIterator() }
}

extension Map: ExpressibleByDictionaryLiteral {
    /// Makes a map of the pairs of a literal; of equal keys the last counts.
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
