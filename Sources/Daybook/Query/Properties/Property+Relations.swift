import DaybookBytes
import DaybookQuery

extension Property where Value: ToOneRelation {
    /// Whether it leads to an object that is as the condition says:
    /// `Order.customer.link { Customer.name == "Ada" }`.
    public func link(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.any, condition())
    }

    /// Whether it leads to an object that is as the condition says:
    /// `$0.customer.link { $0.name == "Ada" }`.
    public func link(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.any, condition(Value.Target.self)) }

    /// Whether it leads to the object of an id.
    public static func == (property: Self, id: EntityId<Value.Target>) -> Condition<Root> {
        Condition(property.term) {
            .compare($0, .equal, .value(.integer(Int128(id.value))), [])
        }
    }

    /// Whether it does not lead to the object of an id: to another, or nowhere.
    public static func != (property: Self, id: EntityId<Value.Target>) -> Condition<Root> {
        !(property == id)
    }

    /// Whether it leads to an object that is stored.
    @_disfavoredOverload
    public static func == (property: Self, object: Value.Target) -> Condition<Root> {
        property == EntityId<Value.Target>(object.entityId)
    }

    /// Whether it does not lead to an object.
    @_disfavoredOverload
    public static func != (property: Self, object: Value.Target) -> Condition<Root> {
        !(property == EntityId<Value.Target>(object.entityId))
    }

    /// Whether it leads to one of some objects, by their ids.
    public static func ∈ (
        property: Self, ids: [EntityId<Value.Target>]
    ) -> Condition<Root> {
        Condition(property.term) {
            .oneOf($0, ids.map { .integer(Int128($0.value)) }, [])
        }
    }

    /// The opposite of `∈`.
    public static func ∉ (
        property: Self, ids: [EntityId<Value.Target>]
    ) -> Condition<Root> { !(property ∈ ids) }

    /// The id of the object that it leads to.
    public var targetId: Property<Root, EntityId<Value.Target>?> {
        Property<Root, EntityId<Value.Target>?>(
            PropertyTerm(copying: term, term.value),
            OptionalConversion(IdentityConversion<EntityId<Value.Target>>()))
    }
}

extension Property where Value: ToManyRelation {
    /// Whether one of its objects is as the condition says:
    /// `Customer.orders.link { Order.total > 100 }`.
    public func link(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.any, condition())
    }

    /// Whether one of its objects is as the condition says.
    public func link(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.any, condition(Value.Target.self)) }

    /// Whether one of its objects is as the condition says.
    public func any(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.any, condition())
    }

    /// Whether one of its objects is as the condition says: `$0.orders.any { $0.total > 100 }`.
    public func any(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.any, condition(Value.Target.self)) }

    /// Whether all of its objects are as the condition says; so it is where there is none.
    public func all(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.all, condition())
    }

    /// Whether all of its objects are as the condition says; so it is where there is none.
    public func all(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.all, condition(Value.Target.self)) }

    /// Whether none of its objects is as the condition says.
    public func none(_ condition: () -> Condition<Value.Target>) -> Condition<Root> {
        linked(.none, condition())
    }

    /// Whether none of its objects is as the condition says.
    public func none(
        _ condition: (Value.Target.Type) -> Condition<Value.Target>
    ) -> Condition<Root> { linked(.none, condition(Value.Target.self)) }

    /// How many objects it leads to; of a list, how many elements it has.
    public var count: Property<Root, Int> {
        Property<Root, Int>(term.aggregated(.count, isCollection: true), PlainConversion())
    }

    /// Whether one of its objects has the id.
    public func contains(_ id: EntityId<Value.Target>) -> Condition<Root> {
        let isIt = QueryCondition.compare(
            .property(.ownId), .equal, .value(.integer(Int128(id.value))), [])
        return linked(.any, Condition<Value.Target>(isIt))
    }

    /// Whether an object is one of its objects.
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
    /// About another expression of the same objects.
    init(copying term: PropertyTerm, _ expression: QueryExpression) {
        self = term
        isToOne = false
        self.expression = expression
    }
}
