import DaybookEngine

/// A change of one object, or an appended event, of any type.
public struct AnyChange: Sendable {
    let recorded: RecordedChange

    /// The kind of change. For a change that may be an update, the first access may read the log.
    public var kind: ChangeKind { recorded.kind }
    /// The id of the object or of the event.
    public var id: Id { recorded.change.id }
    /// The entity's name in the store.
    public var entityName: String {
        let entity = recorded.change.entity
        return recorded.types.engine.schemas.schema.entity(entity)?.name ?? "entity \(entity)"
    }

    /// The change as a change of an object of `type`. Nil if it is a change of another entity, or
    /// if the store was opened without the type.
    public func change<E: Entity>(of type: E.Type) -> Change<E>? {
        recorded.types[type]?.entity == recorded.change.entity ? Change(recorded: recorded) : nil
    }

    /// The appended event, or nil if the change is of another entity.
    ///
    /// Throws `.entityNotRegistered`, `.corruption`, and the errors of the type's own decoding.
    public func event<E: Event>(as type: E.Type) throws -> E? {
        let binding = try recorded.types.binding(of: type)
        guard binding.entity == recorded.change.entity, let row = recorded.change.after else {
            return nil
        }
        return try binding.decode(row, as: type, recorded.types.owned(by: binding))
    }
}
