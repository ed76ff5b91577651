/// The effect of a put if another object has the same value of a unique property.
public enum UniqueConflict: Sendable {
    /// The put throws `.uniqueViolation` and changes nothing.
    case fail
    /// Removes the other object in the same transaction.
    case replace
    /// A new object replaces the other one and takes its id. A stored object keeps its own id, and
    /// the put throws `.uniqueViolation`.
    case update
    /// Writes nothing. The put of a new object returns the id of the other object.
    case ignore
}
