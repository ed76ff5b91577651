#if Macros
// Attributes that `@Entity` and its like read. Each must be written with literals, because it is
// read before the program runs.

/// Keeps a property out of the store. It needs a default value, which decoded objects have.
@attached(peer)
public macro Transient() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Says which property is the id. With `assignable`, a put takes ids that the store never gave out.
///
/// Needed where the type or the name does not tell: for an `Int64` or `UInt64` of another name than
/// `id`, or among several of type ``Id``.
@attached(peer)
public macro Id(assignable: Bool = false) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Gives a property, or beside `@Entity` the type, another name in the store.
@attached(peer)
public macro Name(_ name: String) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Says which names a property, or beside `@Entity` the type, had in the store before, so that
/// what is stored under them is still found.
@attached(peer)
public macro Renamed(from name: String, _ more: String...) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Stores a property through a value for what is missing or unknown, such as an enum's case that
/// another version of the program wrote: `@Convert(default: Status.open)`.
@attached(peer)
public macro Convert<Value>(default: Value) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// As the other with a value of any type, for cases of a usual name: `@Convert(default: .unknown)`.
@attached(peer)
public macro Convert(default: UsualCase) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Stores a property as another type, through two static functions `convert` of `converter`: one
/// from the property's type to the stored one, one back.
///
/// ```swift
/// @Convert(RoleConverter.self, as: Int.self) var role = Role.author
/// ```
@attached(peer)
public macro Convert<Converter, Stored>(_ converter: Converter.Type, as stored: Stored.Type) =
    #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Keeps a `Date` to the nanosecond instead of the millisecond.
@attached(peer)
public macro Nanoseconds() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Stores any `Codable` value, as JSON.
@attached(peer)
public macro Encoded() = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Names that cases for what is missing or unknown usually have.
///
/// A macro's argument is checked before the property's type is known, so that `.unknown` must be a
/// member of something. Any other case is written with its type.
public enum UsualCase {
    case unknown, none, other, `default`, undefined, unspecified, empty
}
#endif
