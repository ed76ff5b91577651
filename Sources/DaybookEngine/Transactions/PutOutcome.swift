/// The result of a put.
package struct PutOutcome: Sendable, Equatable {
    package enum Effect: Sendable {
        /// The row was written under an id that the store had not assigned before.
        case inserted
        /// The row was written under an id that the store had assigned before. Unless the mode
        /// requires it, the put does not look up whether the object was removed since.
        case replaced
        /// Nothing was written: the stored row is the same, and the policy is
        /// ``UpsertPolicy/modified``.
        case unchanged
        /// Nothing was written: another object has the same values in a unique index, and the rule
        /// is ``UniqueConflict/ignore``.
        case ignored
    }

    /// The id of the object. If a new object was ignored, the id of the other object.
    package let id: UInt64
    package let effect: Effect

    init(_ id: UInt64, _ effect: Effect) {
        self.id = id
        self.effect = effect
    }
}
