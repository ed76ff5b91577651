import DaybookBytes
import DaybookQuery

/// The new values of the members of an embedded value, in the closure of ``Query/update(_:)``:
/// `$0.address.city = "Ulm"`. Its members are the properties of the embedded type. They are set and
/// read as those of ``PropertyAssignments``, with one difference: a calculation of another property
/// that reads a member of an optional embedded value, after a statement that set this member, is an
/// error of the update. `+=` and the like may follow.
@dynamicMemberLookup
public struct MemberAssignments<E: Entity, Parent: Embedded> {
    private(set) var assignments: PropertyAssignments<E>
    /// The path of the embedded value.
    private let term: PropertyTerm
    /// Whether an object may have no such value.
    private let isOptional: Bool

    init(_ assignments: PropertyAssignments<E>, _ term: PropertyTerm, isOptional: Bool) {
        self.assignments = assignments
        self.term = term
        self.isOptional = isOptional
    }

    private func member<Value>(_ path: KeyPath<Parent.Type, Property<Parent, Value>>)
        -> (term: PropertyTerm, own: Property<Parent, Value>)
    {
        let own = Parent.self[keyPath: path]
        return (term.appending(own.term, isToMany: false), own)
    }

    /// A member, with the value that it has after the previous statements. It is nil in an object
    /// without the embedded value. Set it to a property or a calculation of the same type.
    public subscript<Value>(
        dynamicMember path: KeyPath<Parent.Type, Property<Parent, Value>>
    ) -> Property<E, Value?> {
        get {
            let (term, own) = member(path)
            return assignments.current(
                Property<E, Value?>(term, own.conversion.optional), isForItself: true)
        }
        set { assignments.set(member(path).term, isConditional: isOptional) { newValue.term } }
    }

    /// An optional member, with the value that it has after the previous statements.
    public subscript<Value>(
        dynamicMember path: KeyPath<Parent.Type, Property<Parent, Value?>>
    ) -> Property<E, Value?> {
        get {
            let (term, own) = member(path)
            return assignments.current(
                Property<E, Value?>(term, own.conversion), isForItself: true)
        }
        set { assignments.set(member(path).term, isConditional: isOptional) { newValue.term } }
    }

    /// A member that is set to a property or a calculation with a value in every object. It cannot
    /// be read.
    @_disfavoredOverload
    public subscript<Value>(
        dynamicMember path: KeyPath<Parent.Type, Property<Parent, Value>>
    ) -> Property<E, Value> {
        @available(*, unavailable, message: "a member is read as an optional property")
        get { preconditionFailure("unavailable") }
        set { assignments.set(member(path).term, isConditional: isOptional) { newValue.term } }
    }

    /// A member that is set to a value. Nil for a member that is not optional is an error of the
    /// update. The value cannot be read.
    @_disfavoredOverload
    public subscript<Value>(
        dynamicMember path: KeyPath<Parent.Type, Property<Parent, Value>>
    ) -> Value? {
        @available(*, unavailable, message: "an update has properties, and no values")
        get { preconditionFailure("unavailable") }
        set {
            let (term, own) = member(path)
            let types = assignments.types
            assignments.set(term, isConditional: isOptional) {
                PropertyTerm(.value(try newValue.map { try own.stored($0, types) } ?? .null))
            }
        }
    }

    /// An embedded value inside this one, whose members are set.
    @_disfavoredOverload
    public subscript<Value: Embedded>(
        dynamicMember path: KeyPath<Parent.Type, Property<Parent, Value>>
    ) -> MemberAssignments<E, Value> {
        get {
            MemberAssignments<E, Value>(
                assignments, member(path).term, isOptional: isOptional)
        }
        set { assignments = newValue.assignments }
    }

    /// An optional embedded value inside this one, whose members are set.
    @_disfavoredOverload
    public subscript<Value: Embedded>(
        dynamicMember path: KeyPath<Parent.Type, Property<Parent, Value?>>
    ) -> MemberAssignments<E, Value> {
        get { MemberAssignments<E, Value>(assignments, member(path).term, isOptional: true) }
        set { assignments = newValue.assignments }
    }
}
