import DaybookEngine

/// What a commit did to one object, or which event it appended, whatever its type.
public struct AnyChange: Sendable {
    let recorded: RecordedChange

    /// What was done. The first look at a change that may be an update may read the log.
    public var kind: ChangeKind { recorded.kind }
    /// The object's id, or the number of the event.
    public var id: Id { recorded.change.id }
    /// The entity's name in the store.
    public var entityName: String {
        let entity = recorded.change.entity
        return recorded.types.engine.schemas.schema.entity(entity)?.name ?? "entity \(entity)"
    }

    /// The change as one of the type's objects; nil where it is of another entity, and where the
    /// store was opened without the type.
    public func change<E: Entity>(of type: E.Type) -> Change<E>? {
        recorded.types[type]?.entity == recorded.change.entity ? Change(recorded: recorded) : nil
    }

    /// The event that was appended; nil where the change is of another entity.
    ///
    /// Throws `.entityNotRegistered`, `.corruption`, and what the type's own decoding throws.
    public func event<E: Event>(as type: E.Type) throws -> E? {
        let binding = try recorded.types.binding(of: type)
        guard binding.entity == recorded.change.entity, let row = recorded.change.after else {
            return nil
        }
        return try binding.decode(row, as: type, recorded.types.owned(by: binding))
    }
}
