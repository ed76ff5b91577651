/// One record, as far as the indexes are concerned.
package enum IndexChange: Sendable {
    case put(entity: UInt32, id: UInt64, location: UInt64)
    case remove(entity: UInt32, id: UInt64, location: UInt64)
    case link(relation: UInt32, source: UInt64, target: UInt64)
    case unlink(relation: UInt32, source: UInt64, target: UInt64)
    case listInsert(ListEntry)
    case listRemove(ListEntry)
    /// Ids below this are never given again.
    case reserve(entity: UInt32, nextId: UInt64)
}

/// What an entity's ids and objects come to.
package struct EntityCount: Equatable, Sendable {
    /// The lowest id that was never used.
    package var nextId: UInt64 = 1
    /// How many objects there are.
    package var objectCount: UInt64 = 0

    package init() {}
}
