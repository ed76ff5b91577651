package import DaybookLog

/// What a copy of a store at a point came to.
package struct CopyReport: Sendable {
    /// The identity of the new store.
    package var store: StoreIdentity
    /// Its last transaction, the same as the source's at that point.
    package var sequence: UInt64
    package var segmentCount: Int
    package var recordCount: Int
    /// What its log takes.
    package var lengthBytes: Int
    /// The hash of its state, which was compared with the source's at that point.
    package var stateHash: UInt64
}
