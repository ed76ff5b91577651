/// The options of a put.
package struct PutOptions: Sendable {
    package var mode: PutMode
    /// The effect of a stored object with the same primary key.
    package var upsert: UpsertPolicy
    /// Whether a put may use an id that the store never assigned.
    package var isAssignable: Bool
    /// The effect of a stored object with the same values in a unique index, by the number of the
    /// index; ``UniqueConflict/fail`` for all others.
    package var onConflict: [UInt32: UniqueConflict]
    /// The put throws `.conflict` if a commit after this one has changed the object.
    package var unchangedSince: UInt64?
    /// Whether the caller counts inserted and replaced objects.
    package var isCounted = false

    package init(
        mode: PutMode = .put, upsert: UpsertPolicy = .all, isAssignable: Bool = false,
        onConflict: [UInt32: UniqueConflict] = [:], unchangedSince: UInt64? = nil
    ) {
        self.mode = mode
        self.upsert = upsert
        self.isAssignable = isAssignable
        self.onConflict = onConflict
        self.unchangedSince = unchangedSince
    }
}
