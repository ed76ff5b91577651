/// The effect of one record on the indexes.
package enum IndexChange: Sendable {
    case put(entity: UInt32, id: UInt64, location: UInt64)
    case remove(entity: UInt32, id: UInt64, location: UInt64)
    case link(relation: UInt32, source: UInt64, target: UInt64)
    case unlink(relation: UInt32, source: UInt64, target: UInt64)
    case listInsert(ListEntry)
    case listRemove(ListEntry)
    /// Ids below this are never assigned again.
    case reserve(entity: UInt32, nextId: UInt64)
    /// The transaction erases versions; `isFinished` if no file has them any more.
    case erasure(isFinished: Bool)
}

/// The next id and the object count of an entity.
package struct EntityCount: Equatable, Sendable {
    /// The lowest id that was never used.
    package var nextId: UInt64 = 1
    /// The number of objects.
    package var objectCount: UInt64 = 0

    package init() {}
}
