import DaybookBytes
import DaybookEngine

/// A change of one object of an entity by a commit.
///
/// Objects are decoded on access, in the caller's isolation. Their properties have the values of
/// that version, but their relations return the objects that are linked now.
public struct Change<E: Entity>: Sendable {
    let recorded: RecordedChange

    /// The kind of change. For a change that may be an update, the first access may read the log.
    public var kind: ChangeKind { recorded.kind }
    /// The id of the changed object.
    public var id: EntityId<E> { EntityId(recorded.change.id) }

    /// The object after the commit, or nil if it was removed.
    ///
    /// Throws `.entityNotRegistered`, `.corruption`, and the errors of the type's own decoding.
    public var after: E? { get throws { try recorded.change.after.map(decode) } }

    /// The object before the commit. Nil if there was none, and if a compaction has dropped that
    /// version: see ``isBeforeGone``.
    ///
    /// Cost: one read of the log at the first access; a program that asks one change of a commit
    /// after the other reads the log once for many of them. `Commit.readVersionsBefore()` performs
    /// the reads for all changes of a commit without blocking. Throws `.closed` and the errors of
    /// ``after``.
    public var before: E? {
        get throws {
            guard case .row(let row) = try recorded.before() else { return nil }
            return try decode(row)
        }
    }

    /// Whether a compaction or an erasure has dropped the version before the commit. That version
    /// may be an object or a tombstone. Cost and errors as for ``before``.
    public var isBeforeGone: Bool {
        get throws {
            if case .gone = try recorded.before() { return true }
            return false
        }
    }

    /// The Swift names of the properties whose values differ from the version before. For an
    /// inserted or removed object, the properties that have a value. Relations are not included,
    /// because links are separate changes: see ``Commit/links``.
    ///
    /// Cost and errors as for ``before``.
    public var changedProperties: Set<String> {
        get throws { try recorded.changedProperties(recorded.types.binding(of: E.self)) }
    }

    /// Whether the value of a property differs from the version before: `change.has(\.name)`. Cost
    /// and errors as for ``before``.
    public func has<Value>(_ path: KeyPath<E.Type, Property<E, Value>>) throws -> Bool {
        try has(E.self[keyPath: path])
    }

    /// Whether the value of a property differs from the version before. Cost and errors as for
    /// ``before``.
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
    /// The name of the property. Throws `.invalidArgument` for a property of a related object.
    func ownName() throws(DaybookError) -> String {
        if case .property(let path) = term.expression, path.steps.count == 1 {
            return path.steps[0]
        }
        throw DaybookError(
            .invalidArgument,
            "Changes of \(Root.self) can be followed only for its own properties, not for those of"
                + " related objects.",
            details: ["entity": String(describing: Root.self)])
    }
}
