import DaybookBytes
import DaybookQuery

extension Property where Value: ToOneRelation {
    /// Whether the related object matches a condition: `Order.customer.link { Customer.name ==
    /// "Ada" }`. False if there is no related object.
    public func link(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.any, condition())
    }

    /// Whether the related object matches a condition: `$0.customer.link { $0.name == "Ada" }`.
    /// False if there is no related object.
    public func link(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.any, condition(Value.Target.self)) }

    /// Whether the related object has an id.
    public static func == (property: Self, id: EntityId<Value.Target>) -> Condition<Root> {
        Condition(property.term) {
            .compare($0, .equal, .value(.integer(Int128(id.value))), [])
        }
    }

    /// Whether the related object has another id. True if there is no related object.
    public static func != (property: Self, id: EntityId<Value.Target>) -> Condition<Root> {
        !(property == id)
    }

    /// Whether the related object is a stored object, compared by id.
    @_disfavoredOverload
    public static func == (property: Self, object: Value.Target) -> Condition<Root> {
        property == EntityId<Value.Target>(object.entityId)
    }

    /// Whether the related object is another object, compared by id. True if there is no related
    /// object.
    @_disfavoredOverload
    public static func != (property: Self, object: Value.Target) -> Condition<Root> {
        !(property == EntityId<Value.Target>(object.entityId))
    }

    /// Whether the id of the related object is one of some ids.
    public func isIn(_ ids: [EntityId<Value.Target>]) -> Condition<Root> {
        Condition(term) {
            .oneOf($0, ids.map { .integer(Int128($0.value)) }, [])
        }
    }

    /// The id of the related object; nil if there is none.
    public var targetId: Property<Root, EntityId<Value.Target>?> {
        Property<Root, EntityId<Value.Target>?>(
            PropertyTerm(copying: term, term.value),
            OptionalConversion(IdentityConversion<EntityId<Value.Target>>()))
    }
}

extension Property where Value: ToManyRelation {
    /// Whether at least one related object matches a condition: `Customer.orders.any { Order.total
    /// > 100 }`.
    public func any(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.any, condition())
    }

    /// Whether at least one related object matches a condition: `$0.orders.any { $0.total > 100 }`.
    public func any(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.any, condition(Value.Target.self)) }

    /// Whether all related objects match a condition. True if there are none.
    public func all(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.all, condition())
    }

    /// Whether all related objects match a condition. True if there are none.
    public func all(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.all, condition(Value.Target.self)) }

    /// Whether no related object matches a condition.
    public func none(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.none, condition())
    }

    /// Whether no related object matches a condition.
    public func none(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.none, condition(Value.Target.self)) }

    /// The number of related objects. For a list, the number of its elements.
    public var count: Property<Root, Int> {
        Property<Root, Int>(term.aggregated(.count, isCollection: true), PlainConversion())
    }

    /// Whether a related object has an id.
    public func contains(_ id: EntityId<Value.Target>) -> Condition<Root> {
        let isIt = QueryCondition.compare(
            .property(.ownId), .equal, .value(.integer(Int128(id.value))), [])
        return linked(.any, Condition<Value.Target>(isIt))
    }

    /// Whether an object is one of the related objects, compared by id.
    @_disfavoredOverload
    public func contains(_ object: Value.Target) -> Condition<Root> {
        contains(EntityId<Value.Target>(object.entityId))
    }
}

extension Property {
    fileprivate func linked<Target>(
        _ quantifier: QueryQuantifier, _ condition: Condition<Target>
    ) -> Condition<Root> {
        Condition(around: condition) { inner in
            let path = try term.path(for: "A condition about other objects")
            return term.wrapped(.linked(path, quantifier, inner))
        }
    }
}

extension PropertyTerm {
    /// Creates a term of another expression on the same objects.
    init(copying term: PropertyTerm, _ expression: QueryExpression) {
        self = term
        isToOne = false
        self.expression = expression
    }
}
