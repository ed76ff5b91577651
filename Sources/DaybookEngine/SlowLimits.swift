/// The limits from which operations are reported as slow: ``StoreOptions/slowLimits``. Nil means
/// never. They have an effect only in a store with observers.
public struct SlowLimits: Sendable, Hashable {
    /// The duration of a query, without the decoding of its objects. Default: 100 milliseconds.
    public var query: Duration? = .milliseconds(100)
    /// The duration of a commit, with the program's block and all waits. Default: one second.
    public var commit: Duration? = .seconds(1)
    /// The time that a transaction waits for other writers. Default: one second.
    public var lockWait: Duration? = .seconds(1)
    /// The duration of a refresh of a read-only store. Default: one second.
    public var refresh: Duration? = .seconds(1)
    /// The number of commits that a named consumer has not acknowledged. Default: 10,000.
    public var consumerLag: UInt64? = 10_000

    /// Creates the default limits.
    public init() {}
}
