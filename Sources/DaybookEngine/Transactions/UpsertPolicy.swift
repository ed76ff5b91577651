/// The effect of a put if a stored object has the same primary key.
public enum UpsertPolicy: Sendable {
    /// The put throws `.uniqueViolation` and changes nothing.
    case error
    /// Replaces the stored object if a property differs. Otherwise writes nothing.
    case modified
    /// Replaces the stored object.
    case all
}
