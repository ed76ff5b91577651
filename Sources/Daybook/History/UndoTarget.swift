/// What is to be undone.
public enum UndoTarget: Sendable, Hashable {
    /// One commit, by its number.
    case commit(UInt64)
    /// All commits from one to another, whoever made them, taken together.
    case range(ClosedRange<UInt64>)
    /// The last commit of an author (``CommitMetadata/author``) that was not undone yet: once more,
    /// and the one before it goes. Undos by the author are passed over, redos are not.
    case lastOf(author: String)
}

/// What is to be redone.
public enum RedoTarget: Sendable, Hashable {
    /// What an undo took back, by the number of the undo's own commit (``UndoReport/sequence``).
    case undo(UInt64)
    /// What the last undo by an author took back that was not redone yet.
    case lastOf(author: String)
}
