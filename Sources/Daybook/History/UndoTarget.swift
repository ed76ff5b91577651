/// The commits to undo.
public enum UndoTarget: Sendable, Hashable {
    /// The commit with this sequence number.
    case commit(UInt64)
    /// All commits in a range of sequence numbers, of any author, undone together.
    case range(ClosedRange<UInt64>)
    /// The last commit of an author (``CommitMetadata/author``) that is not undone. Calling `undo`
    /// again undoes the previous one. Undos of the author are skipped; redos are not.
    case lastOf(author: String)
}

/// The undo to redo.
public enum RedoTarget: Sendable, Hashable {
    /// The undo with this sequence number (``UndoReport/sequence``).
    case undo(UInt64)
    /// The last undo of an author that is not redone. A new change of the author ends what can be
    /// redone, as in an undo manager.
    case lastOf(author: String)
}
