/// The effect of an undo if later commits changed the same properties or links.
public enum UndoPolicy: Sendable, Hashable {
    /// The undo throws `.conflict` and changes nothing.
    case refuse
    /// Keeps the later changes and undoes everything else.
    case skip
    /// Overwrites the later changes as well. Only the log keeps them.
    case overwrite
}
