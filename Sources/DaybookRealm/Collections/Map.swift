import Daybook

/// A dictionary with reference semantics, as in Realm's models. Stored maps have `String` keys.
///
/// A map of values or embedded objects is stored in the row of the object that contains it, like a
/// `Dictionary`. A map of objects, `Map<String, Dog?>`, is a relation. Its objects are read at the
/// first access, and kept until ``reset()`` or a put of the object that contains the map; the next
/// access then reads them again. The put writes the keys that changed, and also puts new objects. A
/// key without an object is not in the map: setting nil removes it, and so does the removal of its
/// object from the store.
///
/// A copy of the reference is the same map, and a map can be changed through a `let`. A map must
/// not be used by two threads at the same time. A put throws `.invalidValue` for a key that
/// contains "." or begins with "$", and for a key of an object that has more than 254 bytes.
public final class Map<Key: Hashable, Value> {
    /// The pairs; empty if ``relation`` is not nil.
    private(set) var own: [Key: Value]
    /// Whether the pairs were initialized or changed.
    private(set) var isSet = false
    /// The links of a map of objects that was read or put.
    var relation: MapRelation<Key, Value>? {
        didSet { own = [:] }
    }

    /// The value of a key, read if necessary.
    private func value(forKey key: Key) -> Value? {
        if let relation { return relation.value(forKey: key) }
        return own[key]
    }

    /// Creates an empty map.
    public init() { own = [:] }

    /// Creates a map of the pairs of a dictionary.
    public init(_ members: [Key: Value]) {
        own = members.filter { !Self.isNothing($0.value) }
        isSet = true
    }

    /// Replaces the pairs, and the links of a map of objects, by those of another map, which must
    /// not be used any more. For the generated code of a `let` property.
    public func replaceContent(with other: Map) {
        relation = other.relation
        (own, isSet) = (other.own, other.isSet)
    }

    /// The pairs, read if necessary.
    var members: [Key: Value] { relation?.members ?? own }

    private func change(_ edit: (inout [Key: Value]) -> Void) {
        edit(&own)
        isSet = true
    }

    /// Whether a value is a missing object: in a map of objects, its key is not in the map.
    private static func isNothing(_ value: Value) -> Bool {
        (Value.self as? any OptionalObject.Type)?.isNothing(value) ?? false
    }

    /// The keys, in unspecified order.
    public var keys: [Key] { Array(members.keys) }

    /// The values, in the order of ``keys``.
    public var values: [Value] { Array(members.values) }

    /// The value of a key, or nil if the map does not contain the key. Assigning nil removes the
    /// key.
    public subscript(key: Key) -> Value? {
        get { value(forKey: key) }
        set {
            if let newValue {
                updateValue(newValue, forKey: key)
            } else {
                removeValue(forKey: key)
            }
        }
    }

    /// The value of a key, or `fallback` if the map does not contain the key.
    public subscript(key: Key, default fallback: @autoclosure () -> Value) -> Value {
        get { value(forKey: key) ?? fallback() }
        set { updateValue(newValue, forKey: key) }
    }

    /// Sets the value of a key, and returns the previous value.
    @discardableResult
    public func updateValue(_ value: Value, forKey key: Key) -> Value? {
        let old = self.value(forKey: key)
        if let relation {
            relation.set(value, forKey: key)
        } else {
            change { $0[key] = Self.isNothing(value) ? nil : value }
        }
        return old
    }

    /// Removes a key, and returns its value, or nil if the map does not contain the key.
    @discardableResult
    public func removeValue(forKey key: Key) -> Value? {
        let old = self.value(forKey: key)
        if let relation {
            relation.remove(key: key)
        } else {
            change { $0[key] = nil }
        }
        return old
    }

    /// Removes a key, if the map contains it.
    public func removeObject(for key: Key) { removeValue(forKey: key) }

    /// Adds the pairs of another map. They replace values of existing keys.
    public func merge(_ other: Map) {
        for (key, value) in other.members { updateValue(value, forKey: key) }
    }

    /// Removes all keys.
    public func removeAll() {
        if let relation {
            relation.removeAll()
        } else {
            change { $0 = [:] }
        }
    }
}

extension Map: Collection {
    /// A pair of a key and a value.
    public typealias Element = (key: Key, value: Value)

    // A map of objects that cannot be read is empty: see ``failure``.

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
    /// Describes a map of values like a dictionary, and a map of objects by the ids that are in
    /// memory. Reads nothing, and does not describe the objects, because objects may refer to each
    /// other.
    public var description: String {
        if let relation { return relation.idDescription }
        guard let type = Value.self as? any OptionalObject.Type else { return own.description }
        return "\(own.mapValues { type.id(of: $0) })"
    }
}

extension Map: PersistedDefault {
    /// An empty map.
    public static func makePersistedDefault() -> Map { Map() }
}
