import DaybookEngine

/// The options of a put.
struct PutRequest: Sendable {
    var mode = PutMode.put
    var upsert = UpsertPolicy.all
    /// The put fails if a later commit has changed the object.
    var unchangedSince: UInt64?
}
