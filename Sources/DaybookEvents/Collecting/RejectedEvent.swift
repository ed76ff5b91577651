public import Daybook
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An event that a collecting store could not represent: its program does not know the type or a
/// property. ``EventInbox/retryRejected()`` appends it when the program does.
public struct RejectedEvent: Entity, Sendable, Hashable {
    /// The id of the object.
    public var entityId: Id = 0
    /// The identity of the store that has the event.
    public var store: String
    /// The commit of the event in that store.
    public var sequence: UInt64
    /// The number of the event within its commit, from 1.
    public var index: UInt64
    /// The time of the commit in microseconds since 1970.
    public var commitMicroseconds: Int64
    /// The name of the event's type.
    public var entityName: String
    /// The values of the event, a JSON object.
    public var values: String
    /// The metadata of the commit.
    public var metadata: [String: String]
    /// The reason of the rejection.
    public var reason: String

    /// The time of the commit.
    public var date: Date { Date(timeIntervalSince1970: Double(commitMicroseconds) / 1_000_000) }

    /// The properties and the key.
    public static let entityDescription = EntityDescription(
        "RejectedEvent",
        [
            .property("store", String.self), .property("sequence", UInt64.self),
            .property("index", UInt64.self), .property("commitMicroseconds", Int64.self),
            .property("entityName", String.self, .index), .property("values", String.self),
            .property("metadata", [String: String].self), .property("reason", String.self),
        ], .primaryKey("store", "sequence", "index"))

    /// Reads the properties.
    public static func decode(_ row: borrowing RowReader) throws -> RejectedEvent {
        RejectedEvent(
            entityId: row.id, store: try row.read(0), sequence: try row.read(1),
            index: try row.read(2), commitMicroseconds: try row.read(3),
            entityName: try row.read(4),
            values: try row.read(5), metadata: try row.read(6), reason: try row.read(7))
    }

    /// Writes the properties.
    public func encode(into row: inout RowWriter) throws {
        try row.write(store, at: 0)
        try row.write(sequence, at: 1)
        try row.write(index, at: 2)
        try row.write(commitMicroseconds, at: 3)
        try row.write(entityName, at: 4)
        try row.write(values, at: 5)
        try row.write(metadata, at: 6)
        try row.write(reason, at: 7)
    }
}
