#if Macros
// Attributes for relations, which `@Entity` reads. Their arguments must be literals, because the
// macro reads them at compile time.

/// Sets the delete rules of a relation: a ``ToOne``, ``ToMany``, ``Reference``, ``References``, or
/// a list of objects of DaybookRealm.
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
///   - onDelete: What happens to the related objects when the object with the property is removed.
///   - onTargetDelete: What happens to the object with the property when a related object is
///     removed.
///   - removesOrphans: Whether a related object is removed in the commit that removes its last link
///     of this relation.
@attached(peer)
public macro Relation(
    onDelete: DeleteRule = .nullify, onTargetDelete: DeleteRule = .nullify,
    removesOrphans: Bool = false
) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Makes a ``ToMany``, or the linking objects of DaybookRealm, a backlink: it reads the relation at
/// `path` of other objects in reverse.
///
/// ```swift
/// @Entity final class Customer {
///     var id: Id = 0
///     @Backlink(\Order.customer, onDelete: .cascade) var orders: ToMany<Order> = nil
/// }
/// ```
///
/// The rule for this object when one of the other objects is removed is declared at the relation:
/// see ``Relation(onDelete:onTargetDelete:removesOrphans:)``.
///
/// - Parameters:
///   - path: The relation to this type.
///   - onDelete: What happens to the objects that refer to this object when it is removed.
///   - removesOrphans: Whether an object that refers to this object is removed in the commit that
///     removes its last link of the relation.
@attached(peer)
public macro Backlink<Root, Value>(
    _ path: KeyPath<Root, Value>, onDelete: DeleteRule = .nullify, removesOrphans: Bool = false
) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")

/// Makes a property a backlink, given only the name of the relation. The relation is a property of
/// the target type of this property.
///
/// - Parameters:
///   - name: The Swift name of the relation.
///   - onDelete: What happens to the objects that refer to this object when it is removed.
///   - removesOrphans: Whether an object that refers to this object is removed in the commit that
///     removes its last link of the relation.
@attached(peer)
public macro Backlink(
    _ name: String, onDelete: DeleteRule = .nullify, removesOrphans: Bool = false
) = #externalMacro(module: "DaybookMacros", type: "MarkMacro")
#endif
