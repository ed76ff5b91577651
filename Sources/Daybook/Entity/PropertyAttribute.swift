import DaybookRecords

/// An attribute of a property in its description, in addition to its name and type.
public struct PropertyAttribute: Sendable {
    enum Content: Sendable {
        case index(IndexKind?)
        case unique(UniqueConflict)
        case primaryKey
        case formerNames([String])
        case uid(UInt64)
        case declaredName(String)
        case relation(RemovalRules)
        case vector(VectorForm)
    }

    let content: Content

    /// An index: by hash for a `String`, by value for every other type.
    public static let index = PropertyAttribute(content: .index(nil))

    /// An index of the given kind.
    public static func index(_ kind: IndexKind) -> PropertyAttribute {
        PropertyAttribute(content: .index(kind))
    }

    /// A unique constraint: no two objects have the same value. A second one throws
    /// `.uniqueViolation`.
    public static let unique = PropertyAttribute(content: .unique(.fail))

    /// A unique constraint: no two objects have the same value. `onConflict` decides what a put of
    /// a second one does.
    public static func unique(onConflict: UniqueConflict) -> PropertyAttribute {
        PropertyAttribute(content: .unique(onConflict))
    }

    /// A primary key: the value identifies an object. It is unique, never nil, and never changes.
    public static let primaryKey = PropertyAttribute(content: .primaryKey)

    /// A vector index of a `[Float]` property, for searches of nearest neighbours: see
    /// <doc:Vectors>. Nil and an empty list are not in the index. A put of a vector with other
    /// dimensions or with a component that is not finite throws `.invalidValue`; with
    /// ``VectorMetric/cosine`` also one with only zeros, and with ``VectorMetric/geo`` a latitude
    /// beyond a pole.
    ///
    /// - Parameters:
    ///   - dimensions: the number of components of each vector, 1 to 4096.
    ///   - metric: the distance of two vectors.
    ///   - neighborsPerNode: the number of neighbours that a new vector gets in the graph, 2 to
    ///     256; twice as many are allowed. A higher number finds more of the nearest objects, and
    ///     makes puts and searches slower and the index larger.
    ///   - indexingSearchCount: the number of candidates for these neighbours, 1 to 4096. A higher
    ///     number finds more of the nearest objects, and makes puts slower.
    public static func vector(
        dimensions: Int, metric: VectorMetric = .euclidean, neighborsPerNode: Int = 16,
        indexingSearchCount: Int = 128
    ) -> PropertyAttribute {
        PropertyAttribute(
            content: .vector(
                VectorForm(
                    dimensions: dimensions, metric: metric, neighborCount: neighborsPerNode,
                    searchCount: indexingSearchCount)))
    }

    /// The names of the property in earlier releases of the program.
    public static func renamed(from names: String...) -> PropertyAttribute {
        PropertyAttribute(content: .formerNames(names))
    }

    /// A number of your choice that stays the same when the property is renamed.
    public static func uid(_ number: UInt64) -> PropertyAttribute {
        PropertyAttribute(content: .uid(number))
    }

    /// The Swift name of the property, if it differs from the stored name.
    public static func declared(_ name: String) -> PropertyAttribute {
        PropertyAttribute(content: .declaredName(name))
    }

    /// The delete rules of a relation.
    ///
    /// - Parameters:
    ///   - onDelete: what happens to the related objects when the object with the property is
    ///     removed.
    ///   - onTargetDelete: what happens to the object with the property when a related object is
    ///     removed.
    ///   - removesOrphans: whether a related object is removed in the commit that removes its last
    ///     link of this relation.
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
