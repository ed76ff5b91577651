/// The state of a store at a moment, for metrics: ``StoreEvent/measured(_:)``. Counts are those
/// since the opening.
public struct StoreMeasurements: Sendable, Hashable {
    /// The sequence of the last commit.
    public package(set) var sequence: UInt64 = 0
    /// The length of the log.
    public package(set) var logBytes = 0
    /// The number of running reads, views and read transactions. Each may retain old pages and
    /// files.
    public package(set) var openReaderCount = 0
    /// The memory that the cache of blocks takes.
    public package(set) var cacheBytes = 0
    /// The number of lookups in the cache that found a block.
    public package(set) var cacheHitCount = 0
    /// The number of lookups in the cache that found none.
    public package(set) var cacheMissCount = 0
    /// The number of updates of live queries.
    public package(set) var liveQueryAdvanceCount = 0
    /// The number of commits that each named consumer has not acknowledged.
    public package(set) var consumerLags: [String: UInt64] = [:]

    var details: [String: String] {
        var pairs = [
            "sequence": String(sequence), "logBytes": String(logBytes),
            "openReaders": String(openReaderCount), "cacheBytes": String(cacheBytes),
            "cacheHits": String(cacheHitCount), "cacheMisses": String(cacheMissCount),
            "liveQueryAdvances": String(liveQueryAdvanceCount),
        ]
        for (name, lag) in consumerLags { pairs["lag." + name] = String(lag) }
        return pairs
    }
}
