import DaybookBytes
import DaybookQuery

// Properties of related objects and embedded values. A relation or an optional may lead to no
// value, so these properties are optional, also through an embedded value that is not optional.

extension Property {
    private func leading<Target, Member>(
        to member: Property<Target, Member>, isToMany: Bool = false
    ) -> Property<Root, Member?> {
        Property<Root, Member?>(
            term.appending(member.term, isToMany: isToMany), member.conversion.optional)
    }

    private func leading<Target, Member>(
        to member: Property<Target, Member?>, isToMany: Bool = false
    ) -> Property<Root, Member?> {
        Property<Root, Member?>(
            term.appending(member.term, isToMany: isToMany), member.conversion)
    }
}

extension Property where Value: ToOneRelation {
    /// A property of the related object: `Order.customer.name`. Nil if there is no related object.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Target.Type, Property<Value.Target, Member>>
    ) -> Property<Root, Member?> { leading(to: Value.Target.self[keyPath: path]) }

    /// An optional property of the related object.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Target.Type, Property<Value.Target, Member?>>
    ) -> Property<Root, Member?> { leading(to: Value.Target.self[keyPath: path]) }

    /// A property of the related object whose name is also a member of `Property`:
    /// `Order.customer[member: \.count]`. Otherwise the same as `Order.customer.name`.
    public subscript<Member>(
        member path: KeyPath<Value.Target.Type, Property<Value.Target, Member>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }

    /// An optional property of the related object whose name is also a member of `Property`.
    public subscript<Member>(
        member path: KeyPath<Value.Target.Type, Property<Value.Target, Member?>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }
}

extension Property where Value: Embedded {
    /// A property of the embedded value: `Order.shipTo.city`.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Type, Property<Value, Member>>
    ) -> Property<Root, Member?> { leading(to: Value.self[keyPath: path]) }

    /// An optional property of the embedded value.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Type, Property<Value, Member?>>
    ) -> Property<Root, Member?> { leading(to: Value.self[keyPath: path]) }

    /// A property of the embedded value whose name is also a member of `Property`:
    /// `Order.shipTo[member: \.count]`. Otherwise the same as `Order.shipTo.city`.
    public subscript<Member>(
        member path: KeyPath<Value.Type, Property<Value, Member>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }

    /// An optional property of the embedded value whose name is also a member of `Property`.
    public subscript<Member>(
        member path: KeyPath<Value.Type, Property<Value, Member?>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }
}

extension Property where Value: OptionalValue, Value.Wrapped: Embedded {
    /// A property of the embedded value: `Order.shipTo.city`. Nil if there is no embedded value.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Wrapped.Type, Property<Value.Wrapped, Member>>
    ) -> Property<Root, Member?> { leading(to: Value.Wrapped.self[keyPath: path]) }

    /// An optional property of the embedded value.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Wrapped.Type, Property<Value.Wrapped, Member?>>
    ) -> Property<Root, Member?> { leading(to: Value.Wrapped.self[keyPath: path]) }

    /// A property of the embedded value whose name is also a member of `Property`:
    /// `Order.shipTo[member: \.count]`. Otherwise the same as `Order.shipTo.city`.
    public subscript<Member>(
        member path: KeyPath<Value.Wrapped.Type, Property<Value.Wrapped, Member>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }

    /// An optional property of the embedded value whose name is also a member of `Property`.
    public subscript<Member>(
        member path: KeyPath<Value.Wrapped.Type, Property<Value.Wrapped, Member?>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }
}

extension Property where Value: ToManyRelation {
    /// A property of the related objects. A condition on it is true if it is true for at least one
    /// of them. ``max``, ``min``, ``sum`` and ``average`` aggregate all of them.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Target.Type, Property<Value.Target, Member>>
    ) -> Property<Root, Member?> { leading(to: Value.Target.self[keyPath: path], isToMany: true) }

    /// An optional property of the related objects.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Target.Type, Property<Value.Target, Member?>>
    ) -> Property<Root, Member?> { leading(to: Value.Target.self[keyPath: path], isToMany: true) }

    /// A property of the related objects whose name is also a member of `Property`:
    /// `Person.dogs[member: \.count]`. Otherwise the same as `Person.dogs.name`.
    public subscript<Member>(
        member path: KeyPath<Value.Target.Type, Property<Value.Target, Member>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }

    /// An optional property of the related objects whose name is also a member of `Property`.
    public subscript<Member>(
        member path: KeyPath<Value.Target.Type, Property<Value.Target, Member?>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }
}

extension ValueConversion {
    /// The conversion of optional values.
    var optional: any ValueConversion<Value?> { OptionalConversion(self) }
}
