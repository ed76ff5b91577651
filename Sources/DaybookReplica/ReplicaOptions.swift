public import Daybook

/// Options of a replica.
public struct ReplicaOptions: Sendable {
    /// The options of the store. A replica ignores ``Daybook/StoreOptions/isReadOnly``, and
    /// ``Daybook/StoreOptions/retention`` until it writes.
    public var store = StoreOptions()
    /// Whether a commit of this replica becomes visible and returns only after it was shipped. The
    /// default is true. Otherwise it returns like a commit of any other store, and the loss of this
    /// machine can lose it.
    public var waitsForShipping = true
    /// The identity of a new store, in the form of ``Replica/identity``; random if nil. All
    /// replicas of a log have the same.
    public var newStoreIdentity: String?

    /// Creates the default options.
    public init() {}
}
