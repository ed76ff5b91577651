import DaybookRecords

/// What a description says of a property beside its name and type.
public struct PropertyAttribute: Sendable {
    enum Content: Sendable {
        case index(IndexKind?)
        case unique(UniqueConflict)
        case primaryKey
        case formerNames([String])
        case uid(UInt64)
        case declaredName(String)
        case relation(RemovalRules)
    }

    let content: Content

    /// An index: by hash for a `String`, by value for every other type.
    public static let index = PropertyAttribute(content: .index(nil))

    /// An index of a kind.
    public static func index(_ kind: IndexKind) -> PropertyAttribute {
        PropertyAttribute(content: .index(kind))
    }

    /// No two objects have the same value; a second one is `.uniqueViolation`.
    public static let unique = PropertyAttribute(content: .unique(.fail))

    /// No two objects have the same value; what happens to a second one is chosen.
    public static func unique(onConflict: UniqueConflict) -> PropertyAttribute {
        PropertyAttribute(content: .unique(onConflict))
    }

    /// Objects are known by this value: unique, never nil, and never changed.
    public static let primaryKey = PropertyAttribute(content: .primaryKey)

    /// Names that the property had in earlier releases of the program.
    public static func renamed(from names: String...) -> PropertyAttribute {
        PropertyAttribute(content: .formerNames(names))
    }

    /// A number of your choice that stays the same when the property is renamed.
    public static func uid(_ number: UInt64) -> PropertyAttribute {
        PropertyAttribute(content: .uid(number))
    }

    /// The name that the property has in Swift, where the store has another for it.
    public static func declared(_ name: String) -> PropertyAttribute {
        PropertyAttribute(content: .declaredName(name))
    }

    /// What becomes of the objects of a relation.
    ///
    /// - Parameters:
    ///   - onDelete: of those that it leads to, when the object that has the property is removed.
    ///   - onTargetDelete: of the object that has the property, when one that it leads to is
    ///     removed.
    ///   - removesOrphans: whether an object that it led to is removed at the commit that takes its
    ///     last link of this relation away.
    public static func relation(
        onDelete: DeleteRule = .nullify, onTargetDelete: DeleteRule = .nullify,
        removesOrphans: Bool = false
    ) -> PropertyAttribute {
        var rules = RemovalRules()
        rules.onSourceRemoved = onDelete
        rules.onTargetRemoved = onTargetDelete
        rules.removesOrphanTargets = removesOrphans
        return PropertyAttribute(content: .relation(rules))
    }
}
