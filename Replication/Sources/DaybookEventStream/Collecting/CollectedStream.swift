public import Daybook

/// A stream from which an ``EventCollector`` has collected events.
public struct CollectedStream: Entity, Sendable, Hashable {
    /// The id of the object.
    public var entityId: Id = 0
    /// The name of the stream.
    public var name: String
    /// The time of the stream's creation, which differs if another stream has replaced it.
    public var creationTime: String
    /// The last message whose events are in the store.
    public var sequence: UInt64

    /// The properties and the key.
    public static let entityDescription = EntityDescription(
        "CollectedStream",
        [
            .property("name", String.self), .property("creationTime", String.self),
            .property("sequence", UInt64.self),
        ], .primaryKey("name"))

    /// Reads the properties.
    public static func decode(_ row: borrowing RowReader) throws -> CollectedStream {
        CollectedStream(
            entityId: row.id, name: try row.read(0), creationTime: try row.read(1),
            sequence: try row.read(2))
    }

    /// Writes the properties.
    public func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(creationTime, at: 1)
        try row.write(sequence, at: 2)
    }
}
