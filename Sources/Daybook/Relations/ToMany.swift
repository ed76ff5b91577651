/// Declares a relation to any number of objects.
///
/// ```swift
/// @Entity final class Customer {
///     var id: Id = 0
///     @Backlink(\Order.customer) var orders: ToMany<Order> = nil
/// }
/// ```
///
/// It is a declaration and nothing more: it holds no objects, and nothing of it is stored. A model
/// that has such properties can be used for all the others.
public struct ToMany<Target: Entity>: ExpressibleByNilLiteral, Sendable {
    /// Declares it.
    public init(nilLiteral: ()) {}
}
