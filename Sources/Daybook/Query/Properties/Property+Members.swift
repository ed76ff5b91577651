import DaybookBytes
import DaybookQuery

// Members of what a property leads to. Through a relation or an optional a value may be missing,
// so what is at the end is optional; it is so through an embedded value, too.

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
    /// A member of the object that it leads to: `Order.customer.name`. Where it
    /// leads nowhere, that is nil.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Target.Type, Property<Value.Target, Member>>
    ) -> Property<Root, Member?> { leading(to: Value.Target.self[keyPath: path]) }

    /// A member that is optional itself.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Target.Type, Property<Value.Target, Member?>>
    ) -> Property<Root, Member?> { leading(to: Value.Target.self[keyPath: path]) }

    /// The same as `Order.customer.name`, for members that are called as one of the methods here:
    /// `Order.customer[member: \.count]`.
    public subscript<Member>(
        member path: KeyPath<Value.Target.Type, Property<Value.Target, Member>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }

    /// A member that is optional itself.
    public subscript<Member>(
        member path: KeyPath<Value.Target.Type, Property<Value.Target, Member?>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }
}

extension Property where Value: Embedded {
    /// A member of the embedded value: `Order.shipTo.city`.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Type, Property<Value, Member>>
    ) -> Property<Root, Member?> { leading(to: Value.self[keyPath: path]) }

    /// A member that is optional itself.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Type, Property<Value, Member?>>
    ) -> Property<Root, Member?> { leading(to: Value.self[keyPath: path]) }

    /// The same as `Order.shipTo.city`, for members that are called as one of the methods here:
    /// `Order.shipTo[member: \.count]`.
    public subscript<Member>(
        member path: KeyPath<Value.Type, Property<Value, Member>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }

    /// A member that is optional itself.
    public subscript<Member>(
        member path: KeyPath<Value.Type, Property<Value, Member?>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }
}

extension Property where Value: OptionalValue, Value.Wrapped: Embedded {
    /// A member of the embedded value: `Order.shipTo.city`. Where there
    /// is none, that is nil.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Wrapped.Type, Property<Value.Wrapped, Member>>
    ) -> Property<Root, Member?> { leading(to: Value.Wrapped.self[keyPath: path]) }

    /// A member that is optional itself.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Wrapped.Type, Property<Value.Wrapped, Member?>>
    ) -> Property<Root, Member?> { leading(to: Value.Wrapped.self[keyPath: path]) }

    /// The same as `Order.shipTo.city`, for members that are called as one of the methods here:
    /// `Order.shipTo[member: \.count]`.
    public subscript<Member>(
        member path: KeyPath<Value.Wrapped.Type, Property<Value.Wrapped, Member>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }

    /// A member that is optional itself.
    public subscript<Member>(
        member path: KeyPath<Value.Wrapped.Type, Property<Value.Wrapped, Member?>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }
}

extension Property where Value: ToManyRelation {
    /// A member of the objects that it leads to. A condition on it is true where it is true of any
    /// of them; ``max``, ``min``, ``sum`` and ``average`` are of all of them.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Target.Type, Property<Value.Target, Member>>
    ) -> Property<Root, Member?> { leading(to: Value.Target.self[keyPath: path], isToMany: true) }

    /// A member that is optional itself.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Target.Type, Property<Value.Target, Member?>>
    ) -> Property<Root, Member?> { leading(to: Value.Target.self[keyPath: path], isToMany: true) }

    /// The same as `Person.dogs.name`, for members that are called as one of the methods here:
    /// `Person.dogs[member: \.count]`.
    public subscript<Member>(
        member path: KeyPath<Value.Target.Type, Property<Value.Target, Member>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }

    /// A member that is optional itself.
    public subscript<Member>(
        member path: KeyPath<Value.Target.Type, Property<Value.Target, Member?>>
    ) -> Property<Root, Member?> { self[dynamicMember: path] }
}

extension ValueConversion {
    /// The same with nil in addition.
    var optional: any ValueConversion<Value?> { OptionalConversion(self) }
}
