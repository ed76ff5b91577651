/// What a commit did to an object.
public enum ChangeKind: String, Sendable, Hashable, CaseIterable {
    /// The object was not there before.
    case insert
    /// The object was there before and was put again.
    case update
    /// The object is gone.
    case remove
    /// An event was appended.
    case event
}
