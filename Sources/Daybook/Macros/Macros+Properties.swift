#if Macros
// Attributes that `@Entity`, `@Embedded` and `@Event` read. Their arguments must be literals,
// because the macros read them at compile time.

/// Excludes a property from the store. The property needs a default value, which decoded objects
/// have.
@attached(peer)
public macro Transient() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Marks a property as the id. With `assignable`, `put` accepts ids that the store never assigned.
///
/// Needed if the id is not clear from the type or the name: for an `Int64` or `UInt64` with another
/// name than `id`, or if there are several properties of type ``Id``.
@attached(peer)
public macro Id(assignable: Bool = false) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Sets the stored name of a property or, next to `@Entity`, of the type.
@attached(peer)
public macro Name(_ name: String) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Lists the former stored names of a property or, next to `@Entity`, of the type, so that data
/// with these names is still found.
@attached(peer)
public macro Renamed(from name: String, _ more: String...) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Sets the value for missing and unknown stored values, such as an enum's case that another
/// version of the program wrote: `@Convert(default: Status.open)`.
@attached(peer)
public macro Convert<Value>(default: Value) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Sets the value for missing and unknown stored values, for cases with a common name:
/// `@Convert(default: .unknown)`. Otherwise as the macro with a value of any type.
@attached(peer)
public macro Convert(default: UsualCase) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Stores a property as another type. `converter` has two static functions `convert`: one from the
/// property's type to the stored type, and one back.
///
/// ```swift
/// @Convert(RoleConverter.self, as: Int.self) var role = Role.author
/// ```
@attached(peer)
public macro Convert<Converter, Stored>(_ converter: Converter.Type, as stored: Stored.Type) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Stores a `Date` with a precision of nanoseconds instead of milliseconds.
@attached(peer)
public macro Nanoseconds() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Stores a value of any `Codable` type as JSON.
@attached(peer)
public macro Encoded() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Common names of cases for missing or unknown values.
///
/// The compiler checks a macro's argument before it knows the property's type, so `.unknown` must
/// be a member of some type. Write any other case with its type.
public enum UsualCase {
    case unknown, none, other, `default`, undefined, unspecified, empty
}
#endif
