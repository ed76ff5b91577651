#if Macros
// Attributes that `@Entity` reads, about relations. The rules are written with literals, because
// they are read before the program runs.

/// Sets the delete rules of a relation: of a ``ToOne``, ``ToMany``, ``Reference``, ``References``,
/// or a list of objects of DaybookRealm.
///
/// ```swift
/// @Entity final class Order {
///     var id: Id = 0
///     @Relation(onTargetDelete: .deny) var customer: ToOne<Customer> = nil
///     @Relation(onDelete: .cascade, removesOrphans: true) var lines: ToMany<Line> = nil
/// }
/// ```
///
/// - Parameters:
///   - onDelete: What happens to the objects that the property leads to when the object that has
///     the property is removed.
///   - onTargetDelete: What happens to the object that has the property when one that it leads to
///     is removed.
///   - removesOrphans: Whether an object that the property led to is removed with the commit in
///     which it loses its last link of this relation.
@attached(peer)
public macro Relation(
    onDelete: DeleteRule = .nullify, onTargetDelete: DeleteRule = .nullify,
    removesOrphans: Bool = false
) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Makes a ``ToMany``, or the linking objects of DaybookRealm, read the relation at `path` of other
/// objects backwards.
///
/// ```swift
/// @Entity final class Customer {
///     var id: Id = 0
///     @Backlink(\Order.customer, onDelete: .cascade) var orders: ToMany<Order> = nil
/// }
/// ```
///
/// What happens to this object when one of the others is removed is said at the relation itself:
/// see ``Relation(onDelete:onTargetDelete:removesOrphans:)``.
///
/// - Parameters:
///   - path: The relation, which leads to this type.
///   - onDelete: What happens to the objects that lead here when this one is removed.
///   - removesOrphans: Whether an object that led here is removed with the commit in which it loses
///     its last link of the relation.
@attached(peer)
public macro Backlink<Root, Value>(
    _ path: KeyPath<Root, Value>, onDelete: DeleteRule = .nullify, removesOrphans: Bool = false
) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// As the other, with the name of the relation alone: it is a property of the type that this one
/// leads to.
///
/// - Parameters:
///   - name: The name of the property in Swift.
///   - onDelete: What happens to the objects that lead here when this one is removed.
///   - removesOrphans: Whether an object that led here is removed with the commit in which it loses
///     its last link of the relation.
@attached(peer)
public macro Backlink(
    _ name: String, onDelete: DeleteRule = .nullify, removesOrphans: Bool = false
) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")
#endif
