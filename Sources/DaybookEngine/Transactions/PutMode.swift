/// The state that a put requires of the object's id.
public enum PutMode: Sendable {
    /// Inserts the object, or replaces the stored one.
    case put
    /// Only inserts. Throws `.idExists` if the id belongs to a stored object.
    case insert
    /// Only replaces. Throws `.notFound` if the id belongs to no stored object.
    case update
}
