#if Macros
// Attributes that `@Entity` reads, about what is looked up. Names are those of Swift properties;
// `@Entity` checks them.

/// Keeps an index of a property, of the kind that suits its type.
@attached(peer)
public macro Index() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Keeps an index of a property.
@attached(peer)
public macro Index(_ kind: IndexKind) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Beside `@Entity`: keeps one index of several properties, in that order.
@attached(peer)
public macro Index(_ name: String, _ more: String..., kind: IndexKind = .value) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Refuses two objects with the same value. `onConflict` says what a put does that would make them.
@attached(peer)
public macro Unique(onConflict: UniqueConflict = .fail) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Beside `@Entity`: refuses two objects that have the same values in all of these properties.
@attached(peer)
public macro Unique(_ name: String, _ more: String..., onConflict: UniqueConflict = .fail) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Objects are known by this property: no two have the same value. The entity needs no id then.
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Beside `@Entity`: objects are known by the values of these properties together.
@attached(peer)
public macro PrimaryKey(_ name: String, _ more: String...) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")
#endif
