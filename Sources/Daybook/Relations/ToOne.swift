import DaybookBytes

/// A reference from an object to at most one other, kept as the other's id.
///
/// ```swift
/// @Entity final class Order {
///     var id: Id = 0
///     var customer: ToOne<Customer> = nil
/// }
///
/// order.customer.targetId = EntityId(customer.id)
/// ```
///
/// The id is a property of the host's row: it is written when the host is put. Objects share it as
/// objects of a class do; a struct that is copied shares its references with the copy.
public final class ToOne<Target: Entity>: ExpressibleByNilLiteral {
    /// The id of the object that it leads to; nil where it leads nowhere. Id 0 is of an object that
    /// is not stored yet: to put the host then is `.cannotRelateToUnsaved`.
    public var targetId: EntityId<Target>?

    /// Leads to the object under an id; nowhere with nil.
    public init(targetId: EntityId<Target>?) { self.targetId = targetId }

    /// Leads nowhere.
    public init(nilLiteral: ()) { targetId = nil }

    /// Whether it leads to an object.
    public var hasValue: Bool { targetId != nil }
}

/// Kept as the target's id, null where there is none.
extension ToOne: PropertyValue {
    /// As an id's.
    public static var propertyType: PropertyType { .uint64 }
    /// True: it may lead nowhere.
    public static var isOptionalProperty: Bool { true }
    /// Leads where the id says.
    public static func read(_ value: borrowing ValueReader) throws -> ToOne {
        ToOne(targetId: try Id?.read(value).map { EntityId($0) })
    }
    /// Writes the id.
    public func write(to value: inout ValueWriter) throws {
        try requireStoredTarget(nil)
        try (targetId?.value).write(to: &value)
    }
    /// Leads where the id says.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> ToOne {
        ToOne(targetId: try Id?.read(index, of: row).map { EntityId($0) })
    }
    /// Writes the id.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.check(index, .uint64)
        try requireStoredTarget(row.name(of: index))
        try (targetId?.value).write(to: &row, at: index)
    }
}

extension ToOne {
    private func requireStoredTarget(_ property: String?) throws(DaybookError) {
        guard targetId == 0 else { return }
        throw DaybookError(
            .cannotRelateToUnsaved,
            "\(property.map { "Property '\($0)'" } ?? "A collection") leads to a \(Target.self)"
                + " that is not stored yet. Put that one first, so that it has an id.",
            details: property.map { ["property": $0] } ?? [:])
    }
}

extension ToOne: Equatable {
    /// Whether both lead to the same object.
    public static func == (one: ToOne, other: ToOne) -> Bool { one.targetId == other.targetId }
}
