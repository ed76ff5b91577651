import DaybookBytes
import DaybookEngine

/// What a commit did to one object of an entity.
///
/// Objects are decoded when they are asked for, where that is done. They are as they were in the
/// version: but relations of theirs, when they are followed, lead to what is linked now.
public struct Change<E: Entity>: Sendable {
    let recorded: RecordedChange

    /// What was done. The first look at a change that may be an update may read the log.
    public var kind: ChangeKind { recorded.kind }
    /// Whose change it is.
    public var id: EntityId<E> { EntityId(recorded.change.id) }

    /// The object since the commit; nil where it was removed.
    ///
    /// Throws `.entityNotRegistered`, `.corruption`, and what the type's own decoding throws.
    public var after: E? { get throws { try recorded.change.after.map(decode) } }

    /// The object before the commit; nil where there was none, and where a compaction has dropped
    /// that version: see ``isBeforeGone``.
    ///
    /// Cost: a look into the log, once. `Commit.readVersionsBefore()` does that for all, without
    /// blocking. Throws as ``after`` does, and `.closed`.
    public var before: E? {
        get throws {
            guard case .row(let row) = try recorded.before() else { return nil }
            return try decode(row)
        }
    }

    /// Whether there was an object before the commit, or a trace of one, that a compaction has
    /// dropped. Cost and errors as ``before``.
    public var isBeforeGone: Bool {
        get throws {
            if case .gone = try recorded.before() { return true }
            return false
        }
    }

    /// The names in Swift of the properties that have another value than before: of an object that
    /// is new, or gone, those that have one. Relations are not among them, for links are changes of
    /// their own: see ``Commit/links``.
    ///
    /// Cost and errors as ``before``.
    public var changedProperties: Set<String> {
        get throws { try recorded.changedProperties(recorded.types.binding(of: E.self)) }
    }

    /// Whether a property has another value than before: `change.has(\.name)`. Cost and errors as
    /// ``before``.
    public func has<Value>(_ path: KeyPath<E.Type, Property<E, Value>>) throws -> Bool {
        try has(E.self[keyPath: path])
    }

    /// Whether a property has another value than before. Cost and errors as ``before``.
    public func has<Value>(_ property: Property<E, Value>) throws -> Bool {
        let name = try property.ownName()
        return try changedProperties.contains(name)
    }

    private func decode(_ row: StoredRow) throws -> E {
        let binding = try recorded.types.binding(of: E.self)
        return try binding.decode(row, as: E.self, recorded.types.owned(by: binding))
    }
}

extension Property {
    /// The name of the property, which has to be one of the type's own.
    func ownName() throws(DaybookError) -> String {
        if case .property(let path) = term.expression, path.steps.count == 1 {
            return path.steps[0]
        }
        throw DaybookError(
            .invalidArgument,
            "\(Root.self) is followed by properties of its own; what they lead to is not among"
                + " them.",
            details: ["entity": String(describing: Root.self)])
    }
}
