import Daybook

/// The links of a map of objects.
///
/// A map's value is not known to be an optional entity, so the map calls the relation through this
/// class.
class MapRelation<Key: Hashable, Value> {
    /// The pairs, read if necessary.
    var members: [Key: Value] { [:] }
    /// Describes the map by the ids that are in memory. Reads nothing.
    var idDescription: String { "" }

    /// The value of a key, read if necessary. Cost: O(1) after the read.
    func value(forKey key: Key) -> Value? { nil }
    func set(_ value: Value, forKey key: Key) {}
    func remove(key: Key) {}
    func removeAll() {}
}

/// The links of a map of objects, as a list of objects with keys.
final class ObjectMapRelation<Target: Object & Entity>: MapRelation<String, Target?> {
    let links: ListRelation<Target>
    /// The pairs of a state of the links, for iterations.
    private var pairs: (slotsVersion: Int, members: [String: Target?])?

    init(_ links: ListRelation<Target>) { self.links = links }

    override var members: [String: Target?] {
        try? links.resolve()
        if let pairs, pairs.slotsVersion == links.slotsVersion { return pairs.members }
        let members = links.keyedElements.mapValues { Optional($0) }
        pairs = (links.slotsVersion, members)
        return members
    }

    override var idDescription: String {
        links.idDescription.replacing("List<", with: "Map<String, ", maxReplacements: 1)
    }

    override func value(forKey key: String) -> Target?? {
        links.element(forKey: key).map { Optional($0) }
    }

    override func set(_ value: Target?, forKey key: String) {
        guard let value else { return remove(key: key) }
        links.set(value, forKey: key)
    }
    override func remove(key: String) { links.remove(key: key) }
    override func removeAll() { links.removeAll() }
}

/// An optional object: the value of a map of objects.
protocol OptionalObject {
    /// Whether a value of this type is nil.
    static func isNothing(_ value: Any) -> Bool
    /// The id of the object of a value of this type; 0 for nil, and for an object that is not
    /// stored yet.
    static func id(of value: Any) -> Id
}

extension Optional: OptionalObject where Wrapped: Object {
    static func isNothing(_ value: Any) -> Bool { (value as? Wrapped) == nil }
    static func id(of value: Any) -> Id { (value as? Wrapped)?.entityId ?? 0 }
}
