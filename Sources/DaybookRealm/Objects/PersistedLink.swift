import Daybook

/// The link of a property of an optional object. All copies of a wrapper share it.
///
/// A class declaration may name a target type whose conformance to `Entity` is not visible there,
/// so the link contains the object itself until a relation is needed.
@usableFromInline
final class PersistedLink<Value> {
    /// The object of a link that was neither read nor put.
    private var object: Value
    /// Whether an object was set before there was a relation.
    private var isSet: Bool
    private let empty: Value
    private var relation: (any LinkRelation<Value>)?

    init(_ object: Value, isSet: Bool, empty: Value) {
        self.object = object
        self.isSet = isSet
        self.empty = empty
    }

    init(_ relation: any LinkRelation<Value>, empty: Value) {
        self.relation = relation
        self.empty = empty
        (object, isSet) = (empty, false)
    }

    deinit {
        // A long chain of objects that were not put would otherwise overflow the stack.
        if isSet { DeferredRelease.release(now: { object = empty }, later: object) }
    }

    /// The object, read at the first access; nil if it cannot be read.
    @usableFromInline var value: Value {
        get { relation?.target ?? object }
        set {
            if let relation {
                relation.target = newValue
            } else {
                (object, isSet) = (newValue, true)
            }
        }
    }

    /// Returns the relation. The first call creates it with `make` from the object.
    func relation<Relation: LinkRelation<Value>>(_ make: (Value) -> Relation) -> Relation {
        if let relation = relation as? Relation { return relation }
        let made = make(object)
        relation = made
        (object, isSet) = (empty, false)
        return made
    }
}

/// A relation whose target has the type of a property: `ToOne`.
protocol LinkRelation<Value>: AnyObject {
    associatedtype Value
    var target: Value { get set }
}

extension ToOne: LinkRelation where Target: Object {
    typealias Value = Target?
}
