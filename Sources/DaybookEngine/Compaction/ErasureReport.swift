/// The result of an erasure, or of its plan.
public struct ErasureReport: Sendable, Equatable {
    /// The commit that removed the objects or cleared the properties; nil in a plan, and if the
    /// store had no record of the objects.
    public var sequence: UInt64?
    /// The number of erased objects by the names of their entities, with the objects that delete
    /// rules removed.
    public var objectCounts: [String: Int] = [:]
    /// The number of versions that left the log or, if only properties were erased, were rewritten
    /// without their values.
    public var versionCount = 0
    /// The number of changes of links that left the log.
    public var linkChangeCount = 0
    /// The number of segments that were rewritten.
    public var segmentCount = 0
    /// The length of the log before the erasure, in bytes.
    public var bytesBefore = 0
    /// The length of the log after the erasure, in bytes; nil in a plan.
    public var bytesAfter: Int?
    /// The length of the replaced files that readers, views or backups still use, in bytes. The
    /// system frees the space of the files when these end; until then the files have no name.
    public var heldBytes = 0
    /// Whether no file of the store has the versions any more. False in a replica that has not
    /// shipped the commit yet: it finishes the erasure in the background. False in a plan.
    public var isFinished = false
    /// The number of files that were removed from the quarantine.
    public var quarantineFileCount = 0

    package init() {}

    /// The number of erased objects of all entities.
    public var objectCount: Int { objectCounts.values.reduce(0, +) }
}

/// An erasure that the log records: the number of objects, the time and the author, but no content.
public struct Erasure: Sendable, Equatable {
    /// The commit that removed the objects or cleared the properties.
    public var sequence: UInt64
    /// The time of the commit, in microseconds since 1970.
    package var timeMicroseconds: Int64
    /// The metadata of the commit, with the author and the cause.
    public var metadata: [String: String]
    /// The name of the entity.
    public var entity: String
    /// The names of the properties; empty if whole objects were erased.
    public var properties: [String]
    /// The number of objects.
    public var objectCount: Int
    /// Whether no file of the store has the versions any more. False after an interruption, until
    /// the erasure was resumed.
    public var isFinished: Bool
}
