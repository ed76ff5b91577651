/// What a put does about another object that has the same values in a unique index.
package enum UniqueConflict: UInt8, Sendable {
    /// The put fails.
    case fail = 1
    /// The other object is removed.
    case replace = 2
    /// The put goes to the other object's id.
    case update = 3
    /// Nothing is put.
    case ignore = 4
}

/// What a put without an id does about an object that has its primary key.
package enum UpsertPolicy: UInt8, Sendable {
    /// The put fails.
    case error = 1
    /// The object is replaced if its row differs.
    case modified = 2
    /// The object is replaced.
    case all = 3
}

/// How a put deals with objects that are in its way.
struct PutRules {
    /// By the number of the index; ``UniqueConflict/fail`` for all others.
    var onConflict: [UInt32: UniqueConflict] = [:]
    var upsert = UpsertPolicy.error
    /// The commit that the object must not have been changed after.
    var unchangedSince: UInt64?
}
