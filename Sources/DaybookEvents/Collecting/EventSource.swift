public import Daybook
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store whose events an ``EventInbox`` has collected.
public struct EventSource: Entity, Sendable, Hashable {
    /// The id of the object.
    public var entityId: Id = 0
    /// The identity of the store, a UUID.
    public var store: String
    /// The place up to which the events are collected.
    public var place: EventPosition
    /// The time of the last commit with events, by the clock of the device.
    public var lastCommitDate: Date
    /// The time at which its events were appended, by the clock of this machine.
    public var lastCollectionDate: Date
    /// The number of events that were appended.
    public var eventCount: Int
    /// The number of events that were rejected, as a ``RejectedEvent`` each.
    public var rejectedCount: Int
    /// The number of times that the batch before another one was missing.
    public var gapCount: Int

    init(_ store: String, at place: EventPosition) {
        (self.store, self.place) = (store, place)
        lastCommitDate = Date(timeIntervalSince1970: 0)
        lastCollectionDate = lastCommitDate
        (eventCount, rejectedCount, gapCount) = (0, 0, 0)
    }

    /// The properties and the key.
    public static let entityDescription = EntityDescription(
        "EventSource",
        [
            .property("store", String.self), .property("sequence", UInt64.self),
            .property("index", UInt64.self), .property("lastCommitDate", Date.self),
            .property("eventCount", Int.self), .property("rejectedCount", Int.self),
            .property("gapCount", Int.self), .property("lastCollectionDate", Date.self),
        ], .primaryKey("store"))

    /// Reads the properties.
    public static func decode(_ row: borrowing RowReader) throws -> EventSource {
        var source = EventSource(
            try row.read(0), at: EventPosition(sequence: try row.read(1), index: try row.read(2)))
        source.entityId = row.id
        source.lastCommitDate = try row.read(3)
        source.eventCount = try row.read(4)
        source.rejectedCount = try row.read(5)
        source.gapCount = try row.read(6)
        source.lastCollectionDate = try row.read(7)
        return source
    }

    /// Writes the properties.
    public func encode(into row: inout RowWriter) throws {
        try row.write(store, at: 0)
        try row.write(place.sequence, at: 1)
        try row.write(place.index, at: 2)
        try row.write(lastCommitDate, at: 3)
        try row.write(eventCount, at: 4)
        try row.write(rejectedCount, at: 5)
        try row.write(gapCount, at: 6)
        try row.write(lastCollectionDate, at: 7)
    }
}
