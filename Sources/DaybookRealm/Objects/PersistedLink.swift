import Daybook

/// The link of a property of an optional object. All copies of a wrapper share it.
///
/// A class declaration may name a target type whose conformance to `Entity` is not visible there,
/// so the link contains the object itself until a relation is needed.
@usableFromInline
final class PersistedLink<Value> {
    /// The object of a link that was neither read nor put.
    private var object: Value
    private var relation: (any LinkRelation<Value>)?

    init(_ object: Value) { self.object = object }

    init(_ relation: any LinkRelation<Value>, empty: Value) {
        self.relation = relation
        object = empty
    }

    /// The object, read at the first access; nil if it cannot be read.
    @usableFromInline var value: Value {
        get { relation?.target ?? object }
        set {
            guard let relation else { return object = newValue }
            relation.target = newValue
        }
    }

    /// Returns the relation. The first call creates it with `make` from the object.
    func relation<Relation: LinkRelation<Value>>(
        _ make: (Value) -> Relation, empty: Value
    ) -> Relation {
        if let relation = relation as? Relation { return relation }
        let made = make(object)
        relation = made
        object = empty
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
