#if Macros
// Attributes for indexes, which `@Entity` reads. Names are the names of Swift properties; `@Entity`
// checks them.

/// Indexes a property. The kind of the index depends on the property's type.
@attached(peer)
public macro Index() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Indexes a property with an index of the given kind.
@attached(peer)
public macro Index(_ kind: IndexKind) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Indexes several properties together, in that order. Attached to the type, next to `@Entity`.
@attached(peer)
public macro Index(_ name: String, _ more: String..., kind: IndexKind = .value) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Indexes the vectors of a `[Float]` property, for searches of nearest neighbours. Same parameters
/// as ``PropertyAttribute/vector(dimensions:metric:neighborsPerNode:indexingSearchCount:)``.
@attached(peer)
public macro Vector(
    dimensions: Int, metric: VectorMetric = .euclidean, neighborsPerNode: Int = 16,
    indexingSearchCount: Int = 128
) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Makes a property unique: no two objects have the same value. `onConflict` decides what a put of
/// a second one does.
@attached(peer)
public macro Unique(onConflict: UniqueConflict = .fail) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Makes several properties unique together: no two objects have the same values of all of them.
/// Attached to the type, next to `@Entity`.
@attached(peer)
public macro Unique(_ name: String, _ more: String..., onConflict: UniqueConflict = .fail) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Makes a property the primary key: no two objects have the same value. The entity then needs no
/// id.
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Makes several properties together the primary key. Attached to the type, next to `@Entity`.
@attached(peer)
public macro PrimaryKey(_ name: String, _ more: String...) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")
#endif
