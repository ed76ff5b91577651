package import DaybookLog

/// The result of a restoration: `Store.restore(from:to:until:progress:isCancelled:)`.
public struct RestoreReport: Sendable, Equatable {
    /// The identity of the new store.
    package var store: StoreIdentity
    /// The last commit in the new store, the same as the source's at that point.
    public package(set) var sequence: UInt64
    package var segmentCount: Int
    package var recordCount: Int
    /// The size of the new log.
    public package(set) var lengthBytes: Int
    /// The hash of the new state, which equals that of the source at that point.
    package var stateHash: UInt64
}
