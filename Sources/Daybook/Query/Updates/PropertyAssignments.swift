import DaybookBytes
import DaybookQuery

/// The new values of properties, in the closure of ``Query/update(_:)``. Its members are the
/// properties of the entity.
///
/// A property can be set to a value, to nil, to another property, or to a calculation. The
/// statements take effect one after another: a property that was set has its new value in the
/// statements that follow.
@dynamicMemberLookup
public struct PropertyAssignments<E: Entity> {
    let types: StoreTypes
    private(set) var assigned = AssignedValues()
    private(set) var failure: DaybookError?

    init(_ types: StoreTypes) { self.types = types }

    /// A property, with the value that it has after the previous statements. Set it to another
    /// property or to a calculation of the same type.
    public subscript<Value>(
        dynamicMember path: KeyPath<E.Type, Property<E, Value>>
    ) -> Property<E, Value> {
        get { current(E.self[keyPath: path]) }
        set { set(E.self[keyPath: path].term) { newValue.term } }
    }

    /// An embedded value whose members are set: `$0.address.city = "Ulm"`.
    @_disfavoredOverload
    public subscript<Value: Embedded>(
        dynamicMember path: KeyPath<E.Type, Property<E, Value>>
    ) -> MemberAssignments<E, Value> {
        get { MemberAssignments(self, E.self[keyPath: path].term, isOptional: false) }
        set { self = newValue.assignments }
    }

    /// An optional embedded value whose members are set. In an object without the value, nothing is
    /// set.
    @_disfavoredOverload
    public subscript<Value: Embedded>(
        dynamicMember path: KeyPath<E.Type, Property<E, Value?>>
    ) -> MemberAssignments<E, Value> {
        get { MemberAssignments(self, E.self[keyPath: path].term, isOptional: true) }
        set { self = newValue.assignments }
    }

    /// An optional property that is set to a property that is not optional.
    @_disfavoredOverload
    public subscript<Value>(
        dynamicMember path: KeyPath<E.Type, Property<E, Value?>>
    ) -> Property<E, Value> {
        @available(*, unavailable, message: "the property is optional")
        get { preconditionFailure("unavailable") }
        set { set(E.self[keyPath: path].term) { newValue.term } }
    }

    /// A property that is set to a value. Nil for a property that is not optional is an error of
    /// the update. The value cannot be read.
    // The optional type keeps the standard library's `+=` away, which would read the value.
    @_disfavoredOverload
    public subscript<Value>(
        dynamicMember path: KeyPath<E.Type, Property<E, Value>>
    ) -> Value? {
        @available(*, unavailable, message: "an update has properties, and no values")
        get { preconditionFailure("unavailable") }
        set {
            let (property, types) = (E.self[keyPath: path], types)
            set(property.term) {
                PropertyTerm(.value(try newValue.map { try property.stored($0, types) } ?? .null))
            }
        }
    }

    /// A property that cannot be set to nil.
    public subscript<Value: OrderedValue>(
        dynamicMember path: KeyPath<E.Type, Property<E, Value>>
    ) -> ValueOrCalculation where Value.Operand == Value {
        get { ValueOrCalculation() }
        @available(*, unavailable, message: "the property is not optional")
        set { preconditionFailure("unavailable") }
    }

    /// The property with the value that it has after the previous statements.
    ///
    /// - Parameter isForItself: See ``AssignedValues/current(_:isForItself:)``.
    func current<Value>(
        _ property: Property<E, Value>, isForItself: Bool = false
    ) -> Property<E, Value> {
        Property(assigned.current(property.term, isForItself: isForItself), property.conversion)
    }

    /// - Parameter isConditional: Whether the property belongs to an optional embedded value.
    mutating func set(
        _ property: PropertyTerm, isConditional: Bool = false, to value: () throws -> PropertyTerm
    ) {
        guard failure == nil else { return }
        do {
            assigned.set(
                try property.path(for: "An update"), to: try value().only("An update"),
                isConditional: isConditional)
        } catch {
            failure = DaybookError(inCondition: error)
        }
    }
}

/// What a property can be set to in ``Query/update(_:)``: a value of its type, or a calculation
/// with properties. Only the compiler uses this type, for its messages.
public struct ValueOrCalculation: ExpressibleByNilLiteral {
    init() {}

    /// Creates nil, which is not accepted.
    public init(nilLiteral: ()) {}
}

extension Property {
    /// The stored form of a value that the property is set to.
    func stored(_ value: Value, _ types: StoreTypes) throws -> QueryValue {
        if let relation = value as? any ToOneRelation, relation.storedTarget == .integer(0) {
            throw DaybookError(
                .cannotRelateToUnsaved,
                "The property '\(term.expression)' is set to an object that is not stored yet. Put"
                    + " that object first, so that it has an id.",
                details: ["property": "\(term.expression)"])
        }
        guard let value = value as? any PropertyValue, value.hasEmbeddedTypes else {
            return try conversion.queryValue(of: value)
        }
        // The bytes contain the numbers of the layouts in this store.
        var writer = ValueWriter(types)
        try value.write(to: &writer)
        return writer.isNull ? .null : .stored(writer.bytes.bytes)
    }
}

extension PropertyValue {
    fileprivate var hasEmbeddedTypes: Bool { !Self.propertyType.embeddedTypes.isEmpty }
}
