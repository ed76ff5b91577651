/// The kind of a change.
public enum ChangeKind: String, Sendable, Hashable, CaseIterable {
    /// The object was inserted.
    case insert
    /// The object was put again.
    case update
    /// The object was removed.
    case remove
    /// An event was appended.
    case event
}
